"""One line of `pitkit settle` for the two-ups: a list of spins, wagers placed before any of them. PURE.

What the spins mean is the game's (two_up.py, triple_two_up.py); here is only the order of things.
"""

from . import sequence
from .wagers import echo, rejection, winnings


def settle_line(line, calls, codes, read, refuses, decide, stays_rule, fixed=()):
    """The answer to a line whose game and edition are good and whose wagers are a list.

    The functions are the game's. `refuses(wager, state, present)` is (error code, words) or None;
    `present` is {(code, player): when first} of the whole line. `fixed` are codes whose stake the
    rule itself sets: a table's limits are not for them.
    """
    result, wagers = line["result"], line.get("wagers", ())
    problem = _bad_result(result, calls) or sequence.bad_limits(line, _kinds(codes), lambda: codes)
    if problem:
        return problem
    items, states = read(result)
    present = _present(wagers, len(items))

    def check(wager, index):
        if wager["code"] not in codes:
            return rejection("bad_wager", "no such wager in this game", index)
        problem = sequence.bad_terms(wager, index, len(items))
        if problem:
            return problem
        problem = refuses(wager, states[wager.get("at", 0)], present)
        return rejection(problem[0], problem[1], index) if problem else None

    terms, starts, problem = _place(line, wagers, check, fixed)
    edition = line["edition"]
    ends = sequence.follow(items, starts, {}, lambda spot, item: decide(edition, spot, item), len(terms), {})
    settlements = []
    for index, end in enumerate(ends):
        settled = _settled(wagers[index], terms[index], end, stays_rule)
        if settled is None:
            return rejection("bad_stake", "the stake does not pay in whole cents", index)
        settlements.append(settled)
    return problem or {"result": result, "call": [calls[spin] for spin in result], "settlements": settlements}


def _present(wagers, length):
    found = {}
    for index, wager in enumerate(wagers):
        if not sequence.bad_shape(wager, index) and not sequence.bad_terms(wager, index, length):
            key, at = (wager["code"], wager.get("player")), wager.get("at", 0)
            found[key] = min(at, found.get(key, at))
    return found


def _kinds(codes):
    return [code.split(":", 1)[0] for code in codes]


def _bad_result(result, calls):
    if not isinstance(result, (list, tuple)) or not result:
        return rejection("bad_result", "the result is a list of spins: " + ", ".join(sorted(calls)))
    for spin in result:
        if type(spin) is not str or spin not in calls:
            return rejection("bad_result", "a spin is one of: " + ", ".join(sorted(calls)))
    return None


def _place(line, wagers, check, fixed):
    """(accepted and cut of each good wager, where they start, the rejection of the first bad one)."""
    terms, starts = [], {}
    first = sequence.first_under(line, wagers, fixed) if "limits" in line else None
    for index, wager in enumerate(wagers):
        problem = sequence.bad_shape(wager, index) or check(wager, index)
        if not problem and (first is None or wager["code"] in fixed):
            term = wager["stake"], None
        elif not problem:
            term, problem = sequence.taken(line, wager, index, first)
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
