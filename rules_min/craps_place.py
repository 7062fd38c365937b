"""Placing craps wagers: what is refused, on which spot each starts, what is done to it by hand. PURE."""

from . import sequence
from .craps_facts import AFTER_COME_OUT, BEFORE_COME_OUT, EDITIONS, RIGHT, WRONG, has_wager
from .craps_money import pieces_of
from .craps_rolls import COME_OUT
from .wagers import bad_stake, is_player, rejection


def place(line, wagers, items):
    """((accepted, clause that cut it) of each good wager, starts, changes, the first bad one's rejection)."""
    terms, starts, changes, known = [], {}, {}, {}
    edition, length, limits = line["edition"], len(items), "limits" in line
    buttons = _buttons(edition, wagers)
    first = sequence.first_under(line, wagers) if limits else None
    for index, wager in enumerate(wagers):
        problem = sequence.bad_shape(wager, index) or _unknown(edition, wager["code"], index, known)
        problem = problem or sequence.bad_terms(wager, index, length)
        if problem:
            return terms, starts, changes, problem
        code, at = wager["code"], wager.get("at", 0)
        wrong = _bad_wager(wager, known[code], items[at], length)
        if wrong:
            return terms, starts, changes, rejection(wrong[0], wrong[1], index)
        term = (wager["stake"], None)
        if limits:
            term, problem = sequence.taken(line, wager, index, first, len(known[code][2]) or 1)
            if problem:
                return terms, starts, changes, problem
        terms.append(term)
        if not term[0]:
            continue
        if buttons or len(wager) > 2:
            code = _by_hand(wager, index, at, buttons, changes)
        if at in starts:
            starts[at].append((code, index))
        else:
            starts[at] = [(code, index)]
    return terms, starts, changes, None


def _unknown(edition, code, index, known):
    """The rejection of a code that this edition has not; `known` keeps what was looked up."""
    if code not in known:
        known[code] = _facts_of(edition, code)
    return rejection("bad_wager", "no such wager in this edition", index) if known[code] is None else None


def _facts_of(edition, code):
    """(kind, on which rolls it may be placed: True come-out, False other, None any; its pieces)."""
    kind, colon, name = code.partition(":")
    if not has_wager(edition, kind, name if colon else None):
        return None
    when = True if kind in BEFORE_COME_OUT else False if kind in AFTER_COME_OUT else None
    return kind, when, pieces_of(code)


def _bad_wager(wager, facts, item, length):
    """(error code, words) of a wager that may not be made so or now, or None."""
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
            if player is not None and is_player(player) and type(code) is str and type(at) is int:
                key = player, code.split(":", 1)[0]
                found[key] = min(at, found.get(key, at))
    return found


def _turn_on(spot, item):
    return spot + " on"


def _take_down(spot, item):
    return "down", spot
