"""Roulette with one zero (qld, act) and with two (cgr): what wins on each pocket. PURE.

A pocket is a whole number from 0 to 36, or "00". The layout has twelve streets of three
numbers; a wager inside it is named by its numbers, ascending, and wins on each of them.
"""

from .roulette_facts import EDITIONS as EDITIONS
from .roulette_facts import NO_SPIN as NO_SPIN
from .roulette_facts import PROCEDURE as PROCEDURE
from .roulette_facts import READINGS as READINGS
from .roulette_facts import VALIDITY as VALIDITY
from .validity import bad_reading as _bad_reading

GAME = "roulette"

# Kinds in the order of the payout clauses: odds "to 1", paragraph (act roulette 4.3(a)-(m) and
# 6.1(a)-(m) are lettered alike).
KINDS = {
    "straight": (35, "a"),
    "split": (17, "b"),
    "street": (11, "c"),
    "corner": (8, "d"),
    "line": (5, "e"),
    "column": (2, "f"),
    "dozen": (2, "g"),
    "low": (1, "h"),
    "high": (1, "i"),
    "even": (1, "j"),
    "odd": (1, "k"),
    "red": (1, "l"),
    "black": (1, "m"),
}
FIVE_ODDS = 6  # cgr 6(2)
OUTSIDE = (
    "column:1", "column:2", "column:3", "dozen:1", "dozen:2", "dozen:3",
    "low", "high", "even", "odd", "red", "black",
)  # fmt: skip
RED = (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36)

# zeros on the wheel: the inside wagers that take a zero in. One zero: qld s135, act 4.3(c), 7.3(a).
ONE_ZERO = ("split:0-1", "split:0-2", "split:0-3", "street:0-1-2", "street:0-2-3", "corner:0-1-2-3")
TWO_ZEROS = (
    "split:0-00", "split:0-1", "split:0-2", "split:00-2", "split:00-3",
    "street:0-1-2", "street:0-00-2", "street:00-2-3", "five",
)  # fmt: skip
FIVE = ("0", "00", "1", "2", "3")

# Pockets round the wheel: one zero (qld s131(2)), 18 red and 18 black numbers (qld s131(2A);
# in turn: act roulette 2.1). Their order is configuration (qld s131(2B)). -1 stands for 00.
ORDER_0 = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5,
    24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
)  # fmt: skip
ORDER_00 = (
    0, 28, 9, 26, 30, 11, 7, 20, 32, 17, 5, 22, 34, 15, 3, 24, 36, 13, 1, -1,
    27, 10, 25, 29, 12, 8, 19, 31, 18, 6, 21, 33, 16, 4, 23, 35, 14, 2,
)  # fmt: skip

# The race track (act roulette 4.9): paragraph, and the pieces, two of them twice for voisins.
RACE_TRACK = {
    "tier": ("a", ("split:5-8", "split:10-11", "split:13-16", "split:23-24", "split:27-30", "split:33-36")),
    "orphans": ("b", ("straight:1", "split:6-9", "split:14-17", "split:17-20", "split:31-34")),
    "voisins": (
        "c",
        (
            "street:0-2-3", "street:0-2-3", "split:4-7", "split:12-15", "split:18-21", "split:19-22",
            "corner:25-26-28-29", "corner:25-26-28-29", "split:32-35",
        ),
    ),
    "zero_game": ("d", ("split:0-3", "split:12-15", "straight:26", "split:32-35")),
}  # fmt: skip
NEIGHBOURS = "e"


def bad_result(result, edition, variant=None):
    """Why `result` is no pocket of this edition's wheel, or None."""
    if type(result) is int and 0 <= result <= 36:
        return None
    if EDITIONS[edition][0] == 1:
        return "a result is a whole number from 0 to 36"
    return None if result == "00" else 'a result is a whole number from 0 to 36, or "00"'


def call(pocket):
    """What the dealer announces (qld s133(1), cgr 6(3)(c)): the number of the compartment."""
    return str(pocket)


def kinds(edition, variant=None):
    zeros, race_track = EDITIONS[edition][:2]
    more = ("five",) if zeros == 2 else ()
    return tuple(KINDS) + more + (tuple(RACE_TRACK) + ("neighbours",) if race_track else ())


def winners(pocket, edition, variant=None):
    """Every single wager that wins on this pocket, with its odds: {code: (to, one)}."""
    codes = ["straight:%s" % pocket]
    if pocket not in (0, "00"):
        codes += _inside(pocket) + _outside(pocket)
    if pocket in (0, 1, 2, 3, "00"):
        with_zero = ONE_ZERO if EDITIONS[edition][0] == 1 else TWO_ZEROS
        codes += [code for code in with_zero if str(pocket) in _numbers(code)]
    return {code: _odds(code) for code in codes}


def _odds(code):
    return (FIVE_ODDS if code == "five" else KINDS[code.split(":", 1)[0]][0], 1)


def _numbers(code):
    return FIVE if code == "five" else code.split(":", 1)[1].split("-")


def _inside(n):
    """The wagers on n and its neighbours on the layout: three numbers a street, twelve streets."""
    first = n - (n - 1) % 3  # of its street
    codes = ["street:%d-%d-%d" % (first, first + 1, first + 2)]
    codes += ["split:%d-%d" % (a, a + 1) for a in (n - 1, n) if first <= a < first + 2]
    codes += ["split:%d-%d" % (a, a + 3) for a in (n - 3, n) if 1 <= a <= 33]
    for a in (n - 4, n - 3, n - 1, n):
        if 1 <= a <= 32 and a % 3 and n in (a, a + 1, a + 3, a + 4):
            codes.append("corner:%d-%d-%d-%d" % (a, a + 1, a + 3, a + 4))
    codes += ["line:%d-%d" % (a, a + 5) for a in (first - 3, first) if 1 <= a <= 31]
    return codes


def _outside(n):
    return [
        "column:%d" % ((n - 1) % 3 + 1),
        "dozen:%d" % ((n - 1) // 12 + 1),
        "low" if n <= 18 else "high",
        "odd" if n % 2 else "even",
        "red" if n in RED else "black",
    ]


def known(code, edition, variant=None):
    """Whether there is such a wager: one inside the layout wins on the first of its own numbers."""
    zeros, race_track = EDITIONS[edition][:2]
    if code in OUTSIDE:
        return True
    if code == "five":
        return zeros == 2
    if code in RACE_TRACK:
        return race_track
    kind, _, rest = code.partition(":")
    if kind == "neighbours":
        return race_track and _pocket(rest) is not None and rest != "00"
    pocket = _pocket(rest.split("-", 1)[0])
    return pocket is not None and (zeros == 2 or pocket != "00") and code in winners(pocket, edition)


def _pocket(text):
    """The pocket so written, or None."""
    if text == "00":
        return text
    if not 1 <= len(text) <= 2 or not all(digit in "0123456789" for digit in text):
        return None
    return int(text) if int(text) <= 36 and str(int(text)) == text else None


def pieces(code):
    """The single wagers that a race track wager is made of (act roulette 4.9), or None."""
    if code in RACE_TRACK:
        return RACE_TRACK[code][1]
    if not code.startswith("neighbours:"):
        return None
    at = ORDER_0.index(int(code.split(":", 1)[1]))
    return tuple("straight:%d" % ORDER_0[(at + step) % 37] for step in (-2, -1, 0, 1, 2))


def win_rule(edition, code, result=None, variant=None):
    """The clause that pays this wager."""
    row = EDITIONS[edition]
    if result in (0, "00"):
        return row[6]
    return row[4] % KINDS[code.split(":", 1)[0]][1] if "%" in row[4] else row[4]


def lose_rule(edition, code, result=None, variant=None):
    """The clause that says what this wager needs; a race track wager's is the one that makes it up."""
    kind = code.split(":", 1)[0]
    if kind in RACE_TRACK:
        return "act roulette 4.9(%s)" % RACE_TRACK[kind][0]
    if kind == "neighbours":
        return "act roulette 4.9(%s)" % NEIGHBOURS
    return EDITIONS[edition][7 if result in (0, "00") else 5]


def bad_reading(edition, reading):
    """The cause that makes a spin no spin, or None: {"against": …, "revolutions": …, …} judged."""
    return _bad_reading(VALIDITY[edition], reading)
