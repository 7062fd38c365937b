"""One line of `pitkit settle` for the two-ups: a list of spins, wagers placed before any of them. PURE.

What the spins mean is the game's (two_up.py, triple_two_up.py); here is only the order of things.
"""

from . import sequence
from .wagers import echo, rejection, winnings


def settle_line(line, calls, codes, read, refuses, decide, stays_rule):
    """The answer to a line whose game and edition are good and whose wagers are a list.

    The functions are the game's. `refuses(wager, state, present)` is (error code, words) or None;
    `present` holds the codes of the whole line.
    """
    result, wagers = line["result"], line.get("wagers", ())
    problem = _bad_result(result, calls) or sequence.bad_limits(line, _kinds(codes), lambda: codes)
    if problem:
        return problem
    items, states = read(result)
    present = {
        wager["code"] for wager in wagers if isinstance(wager, dict) and type(wager.get("code")) is str
    }

    def check(wager, index):
        if wager["code"] not in codes:
            return rejection("bad_wager", "no such wager in this game", index)
        problem = refuses(wager, states[wager.get("at", 0)], present)
        return rejection(problem[0], problem[1], index) if problem else None

    terms, starts, problem = _place(line, wagers, len(items), check)
    edition = line["edition"]
    ends = sequence.follow(items, starts, {}, lambda spot, item: decide(edition, spot, item), len(terms), {})
    settlements = []
    for index, end in enumerate(ends):
        settled = _settled(wagers[index], terms[index], end, stays_rule)
        if settled is None:
            return rejection("bad_stake", "the stake does not pay in whole cents", index)
        settlements.append(settled)
    return problem or {"result": result, "call": [calls[spin] for spin in result], "settlements": settlements}


def _kinds(codes):
    return [code.split(":", 1)[0] for code in codes]


def _bad_result(result, calls):
    if not isinstance(result, (list, tuple)) or not result:
        return rejection("bad_result", "the result is a list of spins: " + ", ".join(sorted(calls)))
    for spin in result:
        if type(spin) is not str or spin not in calls:
            return rejection("bad_result", "a spin is one of: " + ", ".join(sorted(calls)))
    return None


def _place(line, wagers, length, check):
    """(accepted and cut of each good wager, where they start, the rejection of the first bad one)."""
    terms, starts, warned = [], {}, set()
    for index, wager in enumerate(wagers):
        problem = sequence.bad_wager(wager, index, length) or check(wager, index)
        term = (wager["stake"], None) if not problem and "limits" not in line else None
        if not problem and term is None:
            term, problem = sequence.taken(line, wager, index, warned)
        if problem:
            return terms, starts, problem
        terms.append(term)
        if term[0]:
            starts.setdefault(wager.get("at", 0), []).append((wager["code"], index))
    return terms, starts, None


def _settled(wager, term, end, stays_rule):
    """The wager's settlement, or None where its win is not in whole cents."""
    accepted, cut = term
    if not accepted:
        return sequence.close(echo(wager), 0, cut, "void", 0, 0, None, cut)
    if type(end) is str:
        return sequence.close(echo(wager), accepted, cut, "stays", 0, 0, None, stays_rule(end))
    outcome, odds, rule = end
    pays = winnings(accepted, odds) if odds else 0
    if pays is None:
        return None
    return sequence.close(
        echo(wager), accepted, cut, outcome, pays, accepted + pays if odds else 0, odds, rule
    )
