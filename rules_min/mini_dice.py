"""Mini-dice: three dice, a field and six numbers. PURE."""

from .dice import bad_dice
from .dice import call as call
from .validity import bad_reading as _bad_reading

GAME = "mini_dice"

# kind: paragraph of the payout clause, qld s184.
KINDS = {"field": "a", "single": "b"}
FIELD = (5, 6, 7, 8, 13, 14, 15, 16)  # the totals that win (qld s178(4))
SINGLE_ODDS = (1, 2, 12)  # the number on one, two, three dice
AREAS = ("field", "single:1", "single:2", "single:3", "single:4", "single:5", "single:6")

# edition: the payout clause, the clause that defines a wager, turns of the tumbler, whose clause that is.
EDITIONS = {
    "qld1985": ("qld s184(%s)", "qld s178(4)", 3, "qld s185"),
    "qld2004": ("qld s184(%s)", "qld s178(4)", 3, "qld s185"),
}

# What a reading must show (qld s185, s186(1)), and the cause of no spin where it does not.
_VALIDITY = (("turns", 3, "short_turns"), ("flat", 1, "not_flat"))
VALIDITY = {"qld1985": _VALIDITY, "qld2004": _VALIDITY}
_NO_SPIN = {
    "not_flat": "qld s188(1)",
    "malfunction": "qld s188(2)",
    "short_turns": "qld s185",
    "power_lost": "qld s188(2)",
}
NO_SPIN = {"qld1985": _NO_SPIN, "qld2004": _NO_SPIN}

# The dealer's acts and the clause that orders each. qld1985 knows no cover here; the 2004 rule does.
PROCEDURE = {
    "qld1985": {
        "open": "qld s177",  # a trial spin, and the seal looked at
        "wager_uncovered": "qld s181(2)",
        "activate": "qld s185",
        "no_more_bets_uncovered": "qld s181(1)",
        "result": "qld s186(1)",
    },
    "qld2004": {
        "open": "qld s177",
        "wager": "qld2004 sch 7 s7(3)",
        "wager_uncovered": "qld2004 sch 7 s7(3)",
        "activate": "qld s185",
        "no_more_bets": "qld2004 sch 7 s7(2)",
        "no_more_bets_uncovered": "qld2004 sch 7 s7(1)",
        "result": "qld s186(1)",
    },
}

READINGS = {
    "power_lost": "a round cut short by a power failure is void: no text names it",
    "no_spin": "qld s188 says only that no spin is announced: wagers are void, stakes go back",
    "qld2004": "the 1999 rule it amends is not at hand: odds and clauses are those of qld1985",
}


def bad_result(result, edition=None, variant=None):
    """Why `result` cannot be three dice, or None."""
    return bad_dice(result)


def kinds(edition=None, variant=None):
    return KINDS


def known(code, edition=None, variant=None):
    return code in AREAS


def winners(dice, edition=None, variant=None):
    """Every wager that wins on these dice, with its odds: {code: (to, one)}."""
    won = {"single:%d" % die: (SINGLE_ODDS[list(dice).count(die) - 1], 1) for die in dice}
    if sum(dice) in FIELD:
        won["field"] = (1, 1)
    return won


def win_rule(edition, code, result=None, variant=None):
    return EDITIONS[edition][0] % KINDS[code.split(":", 1)[0]]


def lose_rule(edition, code, result=None, variant=None):
    return EDITIONS[edition][1]


def bad_reading(edition, turns, flat):
    """The cause that makes a finished spin no spin, or None."""
    return _bad_reading(VALIDITY[edition], {"turns": turns, "flat": flat})
