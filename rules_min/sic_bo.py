"""Sic-bo: three dice, fifty betting areas. PURE.

Everything an edition fixes is a row of a table here: the odds, the clause that pays, the
clause that says what loses, what makes a round void. The fifty areas are named by their
wager codes, so the areas to light and the wagers that win are one and the same dict.
"""

from .dice import bad_dice
from .dice import call as call
from .validity import bad_reading as _bad_reading

GAME = "sic_bo"

# kind: odds "to 1" (None: by the table below), paragraph of the payout clause
# (qld s75 and act 6.1 letter them alike), paragraph of act 4.3 that defines it.
KINDS = {
    "small": (1, "a", "a"),
    "big": (1, "b", "b"),
    "triple": (180, "c", "c"),
    "double": (11, "d", "d"),
    "any_triple": (31, "e", "e"),
    "total": (None, "f", "h"),
    "pair": (6, "g", "g"),
    "single": (None, "h", "f"),
}
TOTAL_ODDS = (62, 31, 18, 12, 8, 7, 6, 6, 7, 8, 12, 18, 31, 62)  # totals 4 to 17
SINGLE_ODDS = (1, 2, 12)  # the number on one, two, three dice

# The layout's fifty areas, in the order of the lamps; written out, so that frozen they lie in flash.
# fmt: off
AREAS = (
    "small", "big", "any_triple",
    "triple:1", "triple:2", "triple:3", "triple:4", "triple:5", "triple:6",
    "double:1", "double:2", "double:3", "double:4", "double:5", "double:6",
    "total:4", "total:5", "total:6", "total:7", "total:8", "total:9", "total:10",
    "total:11", "total:12", "total:13", "total:14", "total:15", "total:16", "total:17",
    "pair:1-2", "pair:1-3", "pair:1-4", "pair:1-5", "pair:1-6",
    "pair:2-3", "pair:2-4", "pair:2-5", "pair:2-6",
    "pair:3-4", "pair:3-5", "pair:3-6", "pair:4-5", "pair:4-6", "pair:5-6",
    "single:1", "single:2", "single:3", "single:4", "single:5", "single:6",
)
# fmt: on
AREA_INDEX = {area: index for index, area in enumerate(AREAS)}

# edition: the payout clause, the clause that defines a wager ("%s" takes the paragraph),
# how many times the tumbler must turn over, and whose clause that is.
EDITIONS = {
    "qld1985": ("qld s75(%s)", "qld s70", 3, "qld s76"),
    "qld2004": ("qld s75(%s)", "qld s70", 3, "qld s76"),
    # act 5.1 says only "ensuring that the dice tumble": one turn is the least that tumbles them.
    "act1999": ("act sicbo 6.1(%s)", "act sicbo 4.3(%s)", 1, "act sicbo 5.1"),
}

# edition: what a reading must show, at least, and the cause of no spin where it does not.
# qld s76: turned over, or the dice spun, three times; qld s77(2), act sicbo 5.3: all dice flat.
_QLD_VALIDITY = (("turns", 3, "short_turns"), ("flat", 1, "not_flat"))
VALIDITY = {
    "qld1985": _QLD_VALIDITY,
    "qld2004": _QLD_VALIDITY,
    "act1999": (
        ("whole", 1, "broken_die"),
        ("covered", 1, "exposed"),  # until "no more bets" is announced
        ("turns", 1, "short_turns"),
        ("flat", 1, "not_flat"),
    ),
}
_QLD_NO_SPIN = {
    "not_flat": "qld s80(1)",
    "malfunction": "qld s80(2)",
    "short_turns": "qld s76",
    "power_lost": "qld s80(2)",
}
# edition: cause -> the clause that voids every wager of the round.
NO_SPIN = {
    "qld1985": _QLD_NO_SPIN,
    "qld2004": _QLD_NO_SPIN,
    "act1999": {
        "not_flat": "act sicbo 8.1",
        "broken_die": "act sicbo 8.2",
        "exposed": "act sicbo 8.3",
        "malfunction": "act sicbo 8.4",
        "short_turns": "act sicbo 8.4",
        "disrupted": "act sicbo 10.1",
        "invalidated": "act sicbo 10.5",
        "power_lost": "act sicbo 10.4",
    },
}

# The dealer's acts and the clause that orders each: what a table cites when it calls or refuses.
# With a tumbler that has no cover, qld has its own time for wagers and for the call.
PROCEDURE = {
    "qld1985": {
        "wager": "qld s72(4)",
        "wager_uncovered": "qld s72(2)",
        "activate": "qld s76",
        "activate_uncovered": "qld s72(1)",
        "cover": "qld s72(3)",
        "no_more_bets": "qld s72(3)",
        "no_more_bets_uncovered": "qld s72(1)",
        "entry": "qld s78(1)",
        "correct": "qld s78(5)",
        "result": "qld s77(2)",
        "lamp_failed": "qld s78(7)",
    },
    "qld2004": {
        "wager": "qld2004 sch 10 s8(3)",
        "wager_uncovered": "qld2004 sch 10 s8(3)",
        "activate": "qld s76",
        "activate_uncovered": "qld2004 sch 10 s8(1)",
        "cover": "qld2004 sch 10 s8(2)",
        "no_more_bets": "qld2004 sch 10 s8(2)",
        "no_more_bets_uncovered": "qld2004 sch 10 s8(1)",
        "entry": "qld s78(1)",
        "correct": "qld s78(5)",
        "result": "qld s77(2)",
        "lamp_failed": "qld s78(7)",
    },
    "act1999": {
        "wager": "act sicbo 4.5",
        "activate": "act sicbo 5.1",
        "cover": "act sicbo 5.1",
        "no_more_bets": "act sicbo 5.2",
        "entry": "act sicbo 5.3",
        "result": "act sicbo 7.1",
        "lamp_failed": "act sicbo 8.5",
    },
}

# edition: the tumblers it may be played with (qld s72(3) speaks of a covered one; act sicbo 5.1).
VARIANTS = {
    "qld1985": ("covered", "uncovered"),
    "qld2004": ("covered", "uncovered"),
    "act1999": ("covered",),
}

# What the texts leave open and we chose.
READINGS = {
    "uncovered early": "qld voids nothing when the cover comes off before the call: betting ends (s72(4))",
    "correction": "act says nothing of a wrong entry: it is put right as in qld s78(5)-(6)",
    "double": "a double also pays on a triple: act 4.3(d) says so, qld s70 is silent",
    "power_lost": "a round cut short by a power failure is void: no text names it",
    "short_turns": "act names no number of turns: fewer than one is a tumbler not operating (8.4)",
    "qld2004": "the 1999 rule it amends is not at hand: odds and clauses are those of qld1985",
}


def bad_result(result, edition=None, variant=None):
    """Why `result` cannot be three dice, or None."""
    return bad_dice(result)


def kinds(edition=None, variant=None):
    return KINDS


def known(code, edition=None, variant=None):
    return code in AREA_INDEX


def kind_of(code):
    return code.split(":", 1)[0]


def winners(dice, edition=None, variant=None):
    """Every area that wins on these dice, with its odds: {area: (to, one)}."""
    a, b, c = sorted(dice)
    total = a + b + c
    areas = {}
    if 4 <= total <= 17:
        areas["total:%d" % total] = (TOTAL_ODDS[total - 4], 1)
    for die in (a, b, c):
        areas["single:%d" % die] = (SINGLE_ODDS[(a, b, c).count(die) - 1], 1)
    if a == b or b == c:
        areas["double:%d" % b] = _odds("double")
    if a == c:
        areas["triple:%d" % a] = _odds("triple")
        areas["any_triple"] = _odds("any_triple")
        return areas  # a triple loses small and big (act 4.3(a)-(b), qld s70)
    side = "small" if total <= 10 else "big"
    areas[side] = _odds(side)
    for low, high in ((a, b), (a, c), (b, c)):
        if low < high:
            areas["pair:%d-%d" % (low, high)] = _odds("pair")
    return areas


def _odds(kind):
    return (KINDS[kind][0], 1)


def win_rule(edition, code, result=None, variant=None):
    """The clause that pays this wager."""
    return EDITIONS[edition][0] % KINDS[kind_of(code)][1]


def lose_rule(edition, code, result=None, variant=None):
    """The clause that says what this wager needs, and so why it lost."""
    clause = EDITIONS[edition][1]
    return clause % KINDS[kind_of(code)][2] if "%" in clause else clause


def bad_reading(edition, turns, flat):
    """The cause that makes a finished spin no spin, or None: what the tumbler showed, judged."""
    return _bad_reading(VALIDITY[edition], {"turns": turns, "flat": flat})
