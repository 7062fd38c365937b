"""One line of `pitkit settle` for craps: a list of rolls, wagers placed before any of them. PURE.

The facts are in craps_facts.py, what a roll does in craps_rolls.py, the money in craps_money.py.
Fields of a wager beside the usual: at, on, odds_stake, down_at (taken down before that roll). Of
the line: commission_percent, round_odds (qld), free_odds (cgr).
"""

from . import sequence
from .craps_answers import settled
from .craps_facts import (
    AFTER_COME_OUT,
    BEFORE_COME_OUT,
    CALLS,
    EDITIONS,
    POINTS,
    RIGHT,
    WRONG,
    codes,
    has_wager,
)
from .craps_money import pieces_of
from .craps_rolls import COME_OUT, decide
from .wagers import bad_stake, rejection

GAME = "craps"
# What a line may set, and the most of it: qld s116(1), s117(1), cgr 2(2)(f), 2(5)(a) for the percentage.
SETTINGS = {"commission_percent": 5, "free_odds": 1000, "round_odds": True}


def settle_line(line):
    """The answer to a line whose game and edition are good and whose wagers are a list."""
    edition, wagers = line["edition"], line.get("wagers", ())
    items = read(line["result"])
    if items is None:
        return rejection("bad_result", "the result is a list of rolls, each two dice, as [[3,4],[6,6]]")
    problem = _bad_settings(line) or sequence.bad_limits(
        line, [kind for kind, _ in EDITIONS[edition]["wagers"]], lambda: codes(edition)
    )
    if problem:
        return problem
    terms, starts, changes, problem = _place(line, wagers, items)
    ends = sequence.follow(items, starts, changes, lambda spot, item: decide(edition, spot, item), len(terms))
    settlements = []
    for index, term in enumerate(terms):
        answer, wrong = settled(line, wagers[index], term, ends[index])
        if wrong:
            return rejection(wrong[0], wrong[1], index)
        settlements.append(answer)
    if problem:
        return problem
    result = line["result"]
    return {"result": result, "call": [CALLS[a + b] for a, b in result], "settlements": settlements}


def read(result):
    """Each roll as `decide` takes it, come-out rolls marked; None where it is no list of rolls."""
    if not isinstance(result, (list, tuple)) or not result:
        return None
    items, point = [], 0
    for roll in result:
        if not isinstance(roll, (list, tuple)) or len(roll) != 2:
            return None
        a, b = roll
        if type(a) is not int or type(b) is not int or not (0 < a < 7 and 0 < b < 7):
            return None
        total = a + b
        if point:
            items.append(a * 8 + b)
            if total == point or total == 7:
                point = 0
        else:
            items.append(a * 8 + b + COME_OUT)
            if total in POINTS:
                point = total
    return items


def _bad_settings(line):
    for name in SETTINGS:
        if name not in line:
            continue
        value, most = line[name], SETTINGS[name]
        if name not in EDITIONS[line["edition"]]["settings"]:
            return rejection("bad_wager", name + " is not of this edition")
        if type(value) is not type(most) or not 0 <= value <= most:
            return rejection("bad_wager", "%s is at most %s" % (name, most))
    return None


# -- placing: what is refused, and where each wager starts


def _place(line, wagers, items):
    """(terms of each good wager, starts, changes, the rejection of the first bad one)."""
    terms, starts, changes, warned, known = [], {}, {}, set(), {}
    buttons = _buttons(line, wagers)
    for index, wager in enumerate(wagers):
        problem = sequence.bad_wager(wager, index, len(items))
        if problem:
            return terms, starts, changes, problem
        code, at = wager["code"], wager.get("at", 0)
        if code not in known:
            known[code] = _facts_of(line["edition"], code)
        wrong = _misplaced(wager, known[code], items[at], len(items))
        if wrong:
            return terms, starts, changes, rejection(wrong[0], wrong[1], index)
        term = (wager["stake"], None)
        if "limits" in line:
            term, problem = sequence.taken(line, wager, index, warned, len(known[code][2]) or 1)
            if problem:
                return terms, starts, changes, problem
        terms.append(term)
        if term[0]:
            _start(wager, index, at, buttons, starts, changes, line["edition"])
    return terms, starts, changes, None


def _facts_of(edition, code):
    """(kind, on which rolls it may be placed: True come-out, False other, None any; its pieces)."""
    kind, colon, name = code.partition(":")
    if not has_wager(edition, kind, name if colon else None):
        return None
    when = True if kind in BEFORE_COME_OUT else False if kind in AFTER_COME_OUT else None
    return kind, when, pieces_of(code)


def _misplaced(wager, facts, item, length):
    """(error code, words) of a wager that may not be made so or now, or None."""
    if facts is None:
        return "bad_wager", "no such wager in this edition"
    kind, when, pieces = facts
    if when is not None and when != (item >= COME_OUT):
        # qld s109, cgr 2(2)(a)-(d)
        return "bad_wager", "made before a come-out roll" if when else "made while a point stands"
    if pieces and wager["stake"] % len(pieces):
        return "bad_stake", "the stake divides by %d" % len(pieces)
    if len(wager) > 2:
        return _bad_fields(wager, kind, length)
    return None


def _bad_fields(wager, kind, length):
    if "on" in wager and wager["on"] is not None and type(wager["on"]) is not bool:
        return "bad_wager", "on is true or false"
    odds_stake = wager.get("odds_stake")
    if odds_stake is not None:
        if kind not in RIGHT and kind not in WRONG:
            return "bad_wager", "odds stand behind a line or come wager"
        if bad_stake(odds_stake):
            return "bad_stake", "odds_stake: " + bad_stake(odds_stake)
    down = wager.get("down_at")
    if down is not None and (type(down) is not int or not wager.get("at", 0) < down < length):
        return "bad_wager", "down_at is the index of a roll after the first"
    return None


def _start(wager, index, at, buttons, starts, changes, edition):
    """Puts the wager on its spot, and what is later done to it by hand on the list of changes."""
    code, on = wager["code"], wager.get("on")
    if on is None and buttons:
        since = buttons.get((wager.get("player"), code.split(":", 1)[0]))
        on = since is not None and since <= at
        if since is not None and since > at:
            changes.setdefault(since, []).append((_turn_on, index))
    spot = code + " on" if on else code
    if at in starts:
        starts[at].append((spot, index))
    else:
        starts[at] = [(spot, index)]
    if wager.get("down_at") is not None:
        changes.setdefault(wager["down_at"], []).append((_take_down, index))


def _buttons(line, wagers):
    """(player, kind) of wagers marked on: from which roll. qld s112(2): they cover similar wagers."""
    found = {}
    if not EDITIONS[line["edition"]]["covers"]:
        return found
    for wager in wagers:
        if isinstance(wager, dict) and wager.get("on") is True:
            player, code, at = wager.get("player"), wager.get("code"), wager.get("at", 0)
            if type(player) is str and type(code) is str and type(at) is int:
                key = player, code.split(":", 1)[0]
                found[key] = min(at, found.get(key, at))
    return found


def _turn_on(spot, item):
    return spot + " on"


def _take_down(spot, item):
    return "down", spot
