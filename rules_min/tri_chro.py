"""Tri-chro: two balls of 54 or 63, nineteen betting areas. PURE.

The two sizes of the game share everything but two odds (qld s467(1)-(2)); a line names its own
by "balls". Settled as every one-shot game.
"""

from .validity import bad_reading as _bad_reading

GAME = "tri_chro"
VARIANT = "balls"  # the line's field that names the size of the game

COLOURS = ("red", "green", "gold")
PAIRS = ("red-green", "green-gold", "gold-red")
STARS = 7  # qld s461(3), s462(3): starred balls of each colour, in both sizes

# kind: odds with 54 balls, odds with 63 (qld s467(1)-(2)).
KINDS = {
    "star_pair": ((65, 1), (90, 1)),
    "odd_stars": ((27, 1), (38, 1)),
    "pair": ((8, 1), (8, 1)),
    "odd_pair": ((33, 10), (33, 10)),
    "no": ((6, 5), (6, 5)),
    "any": ((3, 4), (3, 4)),
    "any_star": ((3, 4), (3, 4)),
}
# The layout's nineteen areas, in the order of the text's table.
# fmt: off
AREAS = (
    "star_pair:red", "star_pair:green", "star_pair:gold",
    "odd_stars:red-green", "odd_stars:green-gold", "odd_stars:gold-red",
    "pair:red", "pair:green", "pair:gold",
    "odd_pair:red-green", "odd_pair:green-gold", "odd_pair:gold-red",
    "no:red", "no:green", "no:gold",
    "any:red", "any:green", "any:gold", "any_star",
)
# fmt: on

# qld s461(1), s462(1): two of 54 balls decide, or two of 63.
# edition: balls in the device: (of each colour, whose clause), column of the odds, clause of the wagers.
EDITIONS = {
    "qld1985": {
        "54": ((18, "qld s461(2)"), 0, "qld s467(1)"),
        "63": ((21, "qld s462(2)"), 1, "qld s467(2)"),
    },
}

# What a ball device must show: turns the one way to mix, then the other way a ball on each turn.
VALIDITY = {"qld1985": (("mixing_turns", 2, "short_turns"), ("one_a_turn", 1, "two_a_turn"))}
# cause -> the clause by which a drawing decides nothing.
NO_SPIN = {
    "qld1985": {
        "malfunction": "qld s466(a)",
        "not_by_hand": "qld s465(3)",
        "short_turns": "qld s460(a)",
        "two_a_turn": "qld s460(b)",
        "power_lost": "qld s466(a)",
    }
}
# What goes on all the same: cause -> what is done, the clause.
GOES_ON = {
    "by_hand": ("the dealer completes the drawing by hand", "qld s465(2)"),
    "broken_ball": ("the part is not used, the drawing is completed, the ball replaced", "qld s465(4)"),
}
NEW_DRAW = ("inspector", "qld s466(b)")  # whose word a new drawing of the generator needs

# The dealer's acts and the clause that orders each.
PROCEDURE = {
    "qld1985": {
        "wager": "qld s463(2)",
        "no_more_bets": "qld s463(1)",
        "activate": "qld s464",
        "result": "qld s463(3)(a)",
        "lamps": "qld s463(3)(b)",
    },
}

# What the texts leave open and we chose.
READINGS = {
    "void": "a drawing that decides nothing leaves every wager void: qld s465(3), s466 name no remedy",
    "short_turns": "qld s460 says how the device works: a drawing done otherwise is not effective (s465(3))",
    "power_lost": "a drawing cut short by a power failure is a malfunction: no text names it",
    "call": "the two balls as drawn: qld s463(3)(a) has the result announced and gives no words",
}


def kinds(edition=None, variant=None):
    return KINDS


def known(code, edition=None, variant=None):
    return code in AREAS


def kind_of(code):
    return code.split(":", 1)[0]


def bad_result(result, edition=None, variant=None):
    """Why `result` cannot be two balls, or None."""
    if not isinstance(result, (list, tuple)) or len(result) != 2:
        return 'a tri-chro result is two balls, as ["red","green*"]'
    for ball in result:
        if not isinstance(ball, str) or colour_of(ball) not in COLOURS:
            return "each ball is red, green or gold, a starred one red*, green* or gold*"
    return None


def colour_of(ball):
    return ball[:-1] if ball.endswith("*") else ball


def winners(result, edition, variant):
    """Every area that wins on these two balls, with its odds: {area: (to, one)}."""
    column = EDITIONS[edition][variant][1]
    return {area: KINDS[kind_of(area)][column] for area in winning_areas(result)}


def win_rule(edition, code, result=None, variant=None):
    """The table that says what each wager needs and what it pays."""
    return EDITIONS[edition][variant][2]


lose_rule = win_rule


def winning_areas(result):
    """The areas to light (qld s456(5)(b)), which are the wagers that win."""
    one, two = colour_of(result[0]), colour_of(result[1])
    stars = result[0].endswith("*") + result[1].endswith("*")
    areas = [("any:" if colour in (one, two) else "no:") + colour for colour in COLOURS]
    if stars:
        areas.append("any_star")
    kind, name = ("pair", one) if one == two else ("odd_pair", _pair(one, two))
    areas.append(kind + ":" + name)
    if stars == 2:
        areas.append(("star_pair:" if one == two else "odd_stars:") + name)
    return areas


def _pair(one, two):
    """The pair's name on the layout, whichever ball came first."""
    name = one + "-" + two
    return name if name in PAIRS else two + "-" + one


def bad_reading(edition, reading):
    """The cause that makes a ball device's drawing decide nothing, or None (qld s460)."""
    return _bad_reading(VALIDITY[edition], reading)


def call(result):
    """What the dealer announces (qld s463(3)(a)): "red star, green"."""
    return ", ".join(colour_of(ball) + (" star" if ball.endswith("*") else "") for ball in result)
