"""What one roll does to one craps wager (qld s129(5), cgr 2(10)(b)). PURE; called roll by roll.

A wager's spot is its code; a line or come wager moves to its point ("win:6"); " on" behind it says
that it works on the come-out roll. A roll is one small number, made by `roll_item`.
"""

from .craps_facts import (
    EDITIONS,
    EVENS,
    LAY,
    ONE_ROLL,
    PIECES,
    PLACE,
    POINTS,
    RIGHT,
    TRUE,
    WRONG,
    defines,
    distance,
    pays,
)

COME_OUT = 64
DOLLAR = 100
BY_NUMBER = {"place": PLACE, "buy": TRUE, "big": EVENS}
ALIKE = {"craps12": "craps2", "eleven": "craps3"}  # paid alike in both editions


def roll_item(a, b, point):
    """The roll as `decide` takes it: both dice, and whether it was a come-out roll."""
    return a * 8 + b + (0 if point else COME_OUT)


def decide(edition, spot, item):
    """None: it stays; a spot: it moves there; else its decision.

    A decision is (outcome, odds, rule, cents that a win is rounded up to, the total thrown where it
    is of pieces, its point or 0, outcome of the odds behind it).
    """
    come_out, a, b = item >= COME_OUT, item >> 3 & 7, item & 7
    code, _, on = spot.partition(" ")
    kind, _, name = code.partition(":")
    works = not come_out or bool(on) or kind not in EDITIONS[edition]["off"]
    if kind in RIGHT or kind in WRONG:
        step = _line(edition, kind, int(name or 0), a + b, works)
        return step + " on" if on and type(step) is str else step
    if not works:  # qld s112(1), cgr 2(2)(e)
        return None
    if kind == "hop":
        odds = ((30, 1) if a == b else (15, 1)) if name == "%d-%d" % (min(a, b), max(a, b)) else None
    elif kind in ONE_ROLL or kind in PIECES:
        odds = one_roll_odds(edition, kind, a + b)
    elif a + b in (int(name), 7):
        odds = _number_odds(edition, kind, int(name), a, b)
    else:
        return None
    return _decision(edition, "win" if odds else "lose", odds, code, a + b if kind in PIECES else 0)


def _decision(edition, outcome, odds, code, total=0, point=0, behind="void"):
    kind = code.split(":", 1)[0]
    rule = pays(edition, kind) if outcome == "win" else defines(edition, code)
    unit = DOLLAR if EDITIONS[edition]["dollars"] and kind != "buy" else 1
    return outcome, odds, rule, unit, total, point, behind


def _line(edition, kind, point, total, works):
    """Win, pass, come and their opposites: before they have a point, and with it."""
    if not point:
        if total in POINTS:
            return "%s:%d" % (kind, total)
        outcome = _first(edition, kind, total)
        return _decision(edition, outcome, (1, 1) if outcome == "win" else None, kind)
    if total not in (point, 7):
        return None
    outcome = "win" if (total == 7) == (kind in WRONG) else "lose"
    behind = outcome if works else "void"
    return _decision(edition, outcome, (1, 1) if outcome == "win" else None, kind, 0, point, behind)


def _first(edition, kind, total):
    if total == EDITIONS[edition]["bar"] and kind in WRONG:
        return "void"
    return "win" if (total in (7, 11)) == (kind in RIGHT) else "lose"


def one_roll_odds(edition, kind, total):
    """The odds at which a wager on one roll (or the winning piece of several) is paid, or None."""
    if kind in PIECES:
        for piece in PIECES[kind]:
            if total in ONE_ROLL[piece]:
                return one_roll_odds(edition, piece, total)
        return None
    if total not in ONE_ROLL[kind]:
        return None
    if kind == "field":
        return (2, 1) if total in (2, 12) else (1, 1)
    return (4, 1) if kind == "any7" else EDITIONS[edition][ALIKE.get(kind, kind)]


def _number_odds(edition, kind, number, a, b):
    """Odds of a wager on a number or against it, now that the number or a 7 was thrown; None: it lost."""
    thrown = a + b == number
    if kind == "lay":
        return None if thrown else LAY[distance(number)]
    if kind == "hard":
        return EDITIONS[edition]["hard"][distance(number)] if thrown and a == b else None
    return BY_NUMBER[kind][distance(number)] if thrown else None
