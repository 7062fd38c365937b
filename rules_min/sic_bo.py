"""Sic-bo: three dice, fifty betting areas. PURE.

Everything an edition fixes is a row of a table here: the odds, the clause that pays, the
clause that says what loses, what makes a round void. The fifty areas are named by their
wager codes, so the areas to light and the wagers that win are one and the same dict.
"""

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

# The layout's fifty areas, in the order of the lamps.
AREAS = (
    ("small", "big", "any_triple")
    + tuple("triple:%d" % n for n in range(1, 7))
    + tuple("double:%d" % n for n in range(1, 7))
    + tuple("total:%d" % n for n in range(4, 18))
    + tuple("pair:%d-%d" % (a, b) for a in range(1, 6) for b in range(a + 1, 7))
    + tuple("single:%d" % n for n in range(1, 7))
)

AREA_INDEX = {area: index for index, area in enumerate(AREAS)}

# edition: the payout clause, the clause that defines a wager ("%s" takes the paragraph),
# how many times the tumbler must turn over, and whose clause that is.
EDITIONS = {
    "qld1985": ("qld s75(%s)", "qld s70", 3, "qld s76"),
    "qld2004": ("qld s75(%s)", "qld s70", 3, "qld s76"),
    # act 5.1 says only "ensuring that the dice tumble": one turn is the least that tumbles them.
    "act1999": ("act sicbo 6.1(%s)", "act sicbo 4.3(%s)", 1, "act sicbo 5.1"),
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
        "invalidated": "act sicbo 10.5",
        "power_lost": "act sicbo 10.4",
    },
}

# The dealer's acts and the clause that orders each: what a table cites when it calls or refuses.
PROCEDURE = {
    "act1999": {
        "wager": "act sicbo 4.5",
        "activate": "act sicbo 5.1",
        "no_more_bets": "act sicbo 5.2",
        "entry": "act sicbo 5.3",
        "result": "act sicbo 7.1",
    },
}

# What the texts leave open and we chose.
READINGS = {
    "double": "a double also pays on a triple: act 4.3(d) says so, qld s70 is silent",
    "power_lost": "a round cut short by a power failure is void: no text names it",
    "short_turns": "act names no number of turns: fewer than one is a tumbler not operating (8.4)",
    "qld2004": "the 1999 rule it amends is not at hand: odds and clauses are those of qld1985",
}


def bad_result(result):
    """Why `result` cannot be three dice, or None."""
    if not isinstance(result, (list, tuple)) or len(result) != 3:
        return "a sic-bo result is three dice, as [3,3,4]"
    for die in result:
        if type(die) is not int or not 1 <= die <= 6:
            return "each die shows a whole number from 1 to 6"
    return None


def kind_of(code):
    return code.split(":", 1)[0]


def winners(dice):
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


def win_rule(edition, code):
    """The clause that pays this wager."""
    return EDITIONS[edition][0] % KINDS[kind_of(code)][1]


def lose_rule(edition, code):
    """The clause that says what this wager needs, and so why it lost."""
    clause = EDITIONS[edition][1]
    return clause % KINDS[kind_of(code)][2] if "%" in clause else clause


def bad_reading(edition, turns, flat):
    """The cause that makes a finished spin no spin, or None: what the tumbler showed, judged."""
    if turns < EDITIONS[edition][2]:
        return "short_turns"
    return None if flat else "not_flat"


def call(dice):
    """What the dealer announces (qld s77): smallest first, doubles and triples as one, the total."""
    a, b, c = sorted(dice)
    if a == c:
        faces = "triple %d" % a
    elif a == b:
        faces = "double %d, %d" % (a, c)
    elif b == c:
        faces = "%d, double %d" % (a, b)
    else:
        faces = "%d, %d, %d" % (a, b, c)
    return "%s; total %d" % (faces, a + b + c)
