"""One line of `pitkit settle` for craps: a list of rolls, wagers placed before any of them. PURE.

The facts are in craps_facts.py, what a roll does in craps_rolls.py, the money in craps_money.py.
Fields of a wager beside the usual: at, on, odds_stake, down_at (taken down before that roll). Of
the line: commission_percent, round_odds (qld), free_odds (cgr).
"""

from . import sequence
from .craps_answers import settle_all
from .craps_facts import CALLS, EDITIONS, READINGS, WAGERS, advance, codes  # noqa: F401 (READINGS: of the game)
from .craps_place import place
from .craps_rolls import decide, roll_item
from .wagers import rejection

GAME = "craps"
# What a line may set, and the most of it: qld s116(1), s117(1), cgr 2(2)(f), 2(5)(a) for the percentage.
SETTINGS = {"commission_percent": 5, "free_odds": 1000, "round_odds": True}


def settle_line(line, memory=None):
    """The answer to a line whose game and edition are good and whose wagers are a list.

    A host keeps `memory`, a dict, from line to line: what rolls do to spots is worked out once,
    and plain line wagers take a shortcut.
    """
    result, edition, wagers = line["result"], line["edition"], line.get("wagers", ())
    plain, problem = _settings(line)
    settlements = None
    if plain and memory is not None:
        from . import craps_quick  # a board, which keeps no memory, has no room for it either

        settlements = craps_quick.settle(line, wagers, memory.setdefault((GAME, edition, "lines"), {}))
    if settlements is None:
        items = read(result)
        if items is None:
            return rejection("bad_result", "the result is a list of rolls, each two dice, as [[3,4],[6,6]]")
        if not problem:
            settlements, problem = _settle(line, wagers, items, memory)
    return problem or {
        "result": result,
        "call": [CALLS[a + b] for a, b in result],
        "settlements": settlements,
    }


def _settle(line, wagers, items, memory):
    """(the settlements, None), or (None, the rejection of the first wager that is wrong)."""
    edition = line["edition"]
    known = {} if memory is None else memory.setdefault((GAME, edition), {})
    terms, starts, changes, problem = place(line, wagers, items)
    ends = sequence.follow(
        items, starts, changes, lambda spot, item: decide(edition, spot, item), len(terms), known
    )
    settlements, wrong = settle_all(line, wagers, terms, ends)
    return settlements, wrong or problem


def read(result):
    """Each roll as `decide` takes it, come-out rolls marked; None where it is no list of rolls."""
    if not isinstance(result, (list, tuple)) or not result:
        return None
    items, point = [], 0
    for roll in result:
        if (type(roll) is not list and type(roll) is not tuple) or len(roll) != 2:
            return None
        a, b = roll
        if type(a) is not int or type(b) is not int or not (0 < a < 7 and 0 < b < 7):
            return None
        items.append(roll_item(a, b, point))
        point = advance(point, a + b)
    return items


def _settings(line):
    """(whether the line sets nothing and has no limits, the rejection of what it sets wrongly)."""
    edition, plain = line["edition"], "limits" not in line
    for name in SETTINGS:
        if name not in line:
            continue
        plain, value, most = False, line[name], SETTINGS[name]
        if name not in EDITIONS[edition]["settings"]:
            return plain, rejection("bad_wager", name + " is not of this edition")
        if type(value) is not type(most) or not 0 <= value <= most:
            return plain, rejection("bad_wager", "%s is at most %s" % (name, most))
    kinds = () if plain else [kind for kind, _ in WAGERS[edition]]
    return plain, sequence.bad_limits(line, kinds, lambda: codes(edition))
