"""A chip that lies where its player did not want it: by which place its wager counts. PURE.

Every edition settles by the chip's place on the layout. Some let the casino operator go by the
place it should have; what must be so for that is a row here. People decide it; a wager's field
`moved_chip` brings their decision: {"belongs": code, "by": "moved"|"misplaced", "unfair": true, …}.
"""

# (start of the edition's name or the edition, game): the clause that settles by position.
BY_POSITION = {
    ("qld", "roulette"): "qld s139",
    ("qld", "wheel"): "qld s152",
    ("qld2004", "mini_dice"): "qld2004 sch 7 s8",
    ("act", "sic_bo"): "act sicbo 7.2",
    ("act", "roulette"): "act roulette 7.2",
    ("act", "wheel"): "act wheel 7.2",
    ("cgr", "roulette"): "cgr 6(1)(d)",
}
# likewise: the clause that lets the operator do otherwise, and what must be so, by what happened.
RELIEF = {
    ("qld", "roulette"): (
        "qld s140(1)",
        {"moved": ("unfair", "inspector_told"), "misplaced": ("unfair", "inspector_told")},  # qld s140(2)
    ),
    ("qld2004", "mini_dice"): (
        "qld2004 sch 7 s9(2)",
        # qld2004 sch 7 s9(1)(a)(i) and qld2004 sch 7 s9(1)(a)(ii); both: qld2004 sch 7 s9(1)(b)
        {"moved": ("identified", "unfair"), "misplaced": ("confirmed", "unfair")},
    ),
}
READINGS = {
    "by position": "qld says nothing of a moved chip at sic-bo: a wager counts where its chip lies",
}


def position(game, edition, code, chip):
    """(the code that counts, the clause): `chip` is the wager's moved_chip, found good."""
    found = RELIEF.get((edition, game)) or RELIEF.get((edition[:3], game))
    if found:
        clause, needs = found
        if all(chip.get(need) is True for need in needs[chip["by"]]):
            return chip["belongs"], clause
    return code, BY_POSITION.get((edition, game)) or BY_POSITION.get((edition[:3], game))


def bad_chip(chip):
    """Why this is no account of a moved chip, or None."""
    if not isinstance(chip, dict) or not isinstance(chip.get("belongs"), str):
        return "moved_chip says where the chip belongs: {belongs: code, by: moved or misplaced}"
    if chip.get("by") not in ("moved", "misplaced"):
        return "moved_chip: by is moved or misplaced"
    return None
