"""One line of `pitkit settle` for craps: a list of rolls, wagers placed before any of them. PURE.

The facts are in craps_facts.py, what a roll does in craps_rolls.py, the money in craps_money.py.
Fields of a wager beside the usual: at, on, odds_stake, down_at (taken down before that roll). Of
the line: commission_percent, round_odds (qld), free_odds (cgr).
"""

from . import sequence
from .craps_answers import settle_all
from .craps_facts import (
    AFTER_COME_OUT,
    BEFORE_COME_OUT,
    CALLS,
    EDITIONS,
    READINGS,  # noqa: F401 (what a game chose is found on its module)
    RIGHT,
    WRONG,
    codes,
    has_wager,
)
from .craps_money import pieces_of
from .craps_rolls import COME_OUT, decide, read
from .wagers import MAX_STAKE_CENTS, bad_stake, rejection

GAME = "craps"
# What a line may set, and the most of it: qld s116(1), s117(1), cgr 2(2)(f), 2(5)(a) for the percentage.
SETTINGS = {"commission_percent": 5, "free_odds": 1000, "round_odds": True}
MOST_ANSWERS = 20000  # that a host keeps


def settle_line(line, memory=None):
    """The answer to a line whose game and edition are good and whose wagers are a list.

    A host keeps `memory`, a dict, from line to line: what rolls do to spots is worked out once.
    """
    edition, wagers = line["edition"], line.get("wagers", ())
    items, totals, cycles = read(line["result"])
    if items is None:
        return rejection("bad_result", "the result is a list of rolls, each two dice, as [[3,4],[6,6]]")
    problem = _bad_settings(line) or sequence.bad_limits(
        line, [kind for kind, _ in EDITIONS[edition]["wagers"]], lambda: codes(edition)
    )
    if problem:
        return problem
    known = {} if memory is None else memory.setdefault((GAME, edition), {})
    terms, starts, changes, lines, problem = _place(line, wagers, items, cycles)
    ends = sequence.follow(
        items, starts, changes, lambda spot, item: decide(edition, spot, item), len(terms), known
    )
    _end_lines(edition, lines, ends, known)
    settlements, wrong = settle_all(line, wagers, terms, ends, _answers(line, memory))
    if wrong or problem:
        return wrong or problem
    call = [CALLS[total] for total in totals]
    return {"result": line["result"], "call": call, "settlements": settlements}


def _answers(line, memory):
    """Where answers are kept that hold for every line with these settings."""
    if memory is None:
        return {}
    key = (GAME, line["edition"]) + tuple(line.get(name) for name in sorted(SETTINGS))
    found = memory.setdefault(key, {})
    if len(found) > MOST_ANSWERS:
        found.clear()
    return found


def _end_lines(edition, lines, ends, known):
    """How line wagers end: with their cycle, which `read` has been through already."""
    met = known.setdefault("", {})  # on no spot: each decision once, so that alike ones are the same one
    for index, code, (suffix, item) in lines:
        spot = code + suffix
        if item is None:
            ends[index] = spot
            continue
        if spot not in known:
            known[spot] = {}
        steps = known[spot]
        if item not in steps:
            step = decide(edition, spot, item)
            steps[item] = met.setdefault(step, step)
        ends[index] = steps[item]


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


def _place(line, wagers, items, cycles):
    """(terms of each good wager, starts, changes, line wagers, the rejection of the first bad one)."""
    terms, starts, changes, lines, warned, known = [], {}, {}, [], set(), {}
    edition, length, limits = line["edition"], len(items), "limits" in line
    buttons = _buttons(edition, wagers)
    plain = [code for code in BEFORE_COME_OUT if has_wager(edition, code, None)]
    for index, wager in enumerate(wagers):
        cycle = None if limits else _plain(wager, plain, items, cycles)
        if cycle:
            terms.append((wager["stake"], None))
            lines.append((index, wager["code"], cycle))
            continue
        problem = sequence.bad_wager(wager, index, length)
        if problem:
            return terms, starts, changes, lines, problem
        code, at = wager["code"], wager.get("at", 0)
        if code not in known:
            known[code] = _facts_of(edition, code)
        wrong = _bad_wager(wager, known[code], items[at], length)
        if wrong:
            return terms, starts, changes, lines, rejection(wrong[0], wrong[1], index)
        term = (wager["stake"], None)
        if limits:
            term, problem = sequence.taken(line, wager, index, warned, len(known[code][2]) or 1)
            if problem:
                return terms, starts, changes, lines, problem
        terms.append(term)
        if not term[0]:
            continue
        if known[code][1] and "down_at" not in wager:
            lines.append((index, code, cycles[at]))
            continue
        if buttons or len(wager) > 2:
            code = _by_hand(wager, index, at, buttons, changes)
        if at in starts:
            starts[at].append((code, index))
        else:
            starts[at] = [(code, index)]
    return terms, starts, changes, lines, None


def _plain(wager, codes, items, cycles):
    """The cycle of a line wager with its odds and nothing else about it; None for any other wager.

    Most wagers are of this kind. What is not quite plain, or wrong, is looked at closely elsewhere.
    """
    try:
        stake, odds, at = wager["stake"], wager["odds_stake"], wager["at"]
        if (
            len(wager) == 4
            and wager["code"] in codes
            and type(stake) is type(odds) is type(at) is int
            and 0 < stake <= MAX_STAKE_CENTS
            and 0 < odds <= MAX_STAKE_CENTS
            and 0 <= at < len(items)
            and items[at] >= COME_OUT
        ):
            return cycles[at]
    except (KeyError, TypeError):
        pass
    return None


def _facts_of(edition, code):
    """(kind, on which rolls it may be placed: True come-out, False other, None any; its pieces)."""
    kind, colon, name = code.partition(":")
    if not has_wager(edition, kind, name if colon else None):
        return None
    when = True if kind in BEFORE_COME_OUT else False if kind in AFTER_COME_OUT else None
    return kind, when, pieces_of(code)


def _bad_wager(wager, facts, item, length):
    """(error code, words) of a wager that may not be made so or now, or None."""
    if facts is None:
        return "bad_wager", "no such wager in this edition"
    kind, when, pieces = facts
    if when is not None and when != (item >= COME_OUT):
        # qld s109, cgr 2(2)(a)-(d)
        return "bad_wager", "made before a come-out roll" if when else "made while a point stands"
    if pieces and wager["stake"] % len(pieces):
        return "bad_stake", "the stake divides by %d" % len(pieces)
    if "on" in wager and wager["on"] is not None and type(wager["on"]) is not bool:
        return "bad_wager", "on is true or false"
    if "down_at" in wager:
        down = wager["down_at"]
        if type(down) is not int or not wager.get("at", 0) < down < length:
            return "bad_wager", "down_at is the index of a roll after the first"
    return _bad_odds(wager["odds_stake"], kind) if "odds_stake" in wager else None


def _bad_odds(odds_stake, kind):
    if odds_stake is None:
        return None
    if kind not in RIGHT and kind not in WRONG:
        return "bad_wager", "odds stand behind a line or come wager"
    problem = bad_stake(odds_stake)
    return ("bad_stake", "odds_stake: " + problem) if problem else None


def _by_hand(wager, index, at, buttons, changes):
    """The spot it starts on; what is later done to it goes on the list of changes."""
    code = wager["code"]
    if "down_at" in wager:
        changes.setdefault(wager["down_at"], []).append((_take_down, index))
    on = wager.get("on")
    if on is None and buttons:
        since = buttons.get((wager.get("player"), code.split(":", 1)[0]))
        on = since is not None and since <= at
        if since is not None and since > at:
            changes.setdefault(since, []).append((_turn_on, index))
    return code + " on" if on else code


def _buttons(edition, wagers):
    """(player, kind) of wagers marked on: from which roll. qld s112(2): they cover similar wagers."""
    found = {}
    if not EDITIONS[edition]["covers"]:
        return found
    for wager in wagers:
        if isinstance(wager, dict) and "on" in wager and wager["on"] is True:
            player, code, at = wager.get("player"), wager.get("code"), wager.get("at", 0)
            if type(player) is str and type(code) is str and type(at) is int:
                key = player, code.split(":", 1)[0]
                found[key] = min(at, found.get(key, at))
    return found


def _turn_on(spot, item):
    return spot + " on"


def _take_down(spot, item):
    return "down", spot
