"""Plain line wagers by the thousand: a host's shortcut through craps. PURE.

A line wager ends with its cycle, from one come-out roll to the next; wagers of nothing but code,
stakes and `at` whose cycles end alike have the same answer but for `at`. What is not plain, or
not good, is left to craps.py, which gives the same answers.
"""

from .craps_answers import settled
from .craps_facts import BEFORE_COME_OUT, has_wager
from .craps_rolls import COME_OUT, decide
from .wagers import bad_stake

CYCLE = 128  # a cycle is its point times this, and the roll that ended it or 0
MOST_KEPT = 4096  # answers that a host keeps


def settle(line, wagers, kept):
    """The settlements, or None where something is not plain; `kept` is {what a wager is: its answer}."""
    if not wagers or not _is_line(line["edition"], wagers[0]):
        return None
    try:
        cycles = cycles_of(line["result"])
        return None if cycles is None else _settlements(line, wagers, cycles, kept)
    except (KeyError, TypeError, ValueError):
        return None  # a roll of more than two dice, a field missing or of no use, no come-out roll at `at`


def _settlements(line, wagers, cycles, kept):
    settlements = []
    for wager in wagers:
        stake, odds_stake, at, fields = wager["stake"], None, 0, 2
        if "odds_stake" in wager:
            odds_stake, fields = wager["odds_stake"], 3
            if type(odds_stake) is not int:
                return None
        placed = "at" in wager
        if placed:
            at, fields = wager["at"], fields + 1
        if type(stake) is not int or type(at) is not int or len(wager) != fields:
            return None
        what = wager["code"], stake, odds_stake, fields, cycles[at]
        answer = kept.get(what) or _learn(line, wager, what, kept)
        if answer is None:
            return None
        answer = answer.copy()
        if placed:
            answer["at"] = at
        if answer["odds"] is not None:
            answer["odds"] = [1, 1]
        settlements.append(answer)
    return settlements


def _is_line(edition, wager):
    code = wager.get("code") if isinstance(wager, dict) else None
    return type(code) is str and code in BEFORE_COME_OUT and has_wager(edition, code, None)


def cycles_of(result):
    """{index of a come-out roll: the cycle that it opens}; None or ValueError: it is no list of rolls."""
    if not isinstance(result, (list, tuple)):
        return None
    cycles, start, point = {}, 0, 0
    for index, roll in enumerate(result):
        if type(roll) is not list and type(roll) is not tuple:
            return None
        a, b = roll
        if type(a) is not int or type(b) is not int or not (0 < a < 7 and 0 < b < 7):
            return None
        total = a + b
        if point:
            if total == point or total == 7:
                cycles[start] = point * CYCLE + a * 8 + b
                start, point = index + 1, 0
        elif 3 < total < 11 and total != 7:
            point = total
        else:
            cycles[start] = a * 8 + b + COME_OUT
            start = index + 1
    if point:
        cycles[start] = point * CYCLE
    return cycles


def _learn(line, wager, what, kept):
    """The answer of a plain line wager, kept for the next of its kind; None where it is not one."""
    code, stake, odds_stake, _, cycle = what
    if not _is_line(line["edition"], wager) or bad_stake(stake):
        return None
    if odds_stake is not None and bad_stake(odds_stake):
        return None
    point, item = divmod(cycle, CYCLE)
    spot = "%s:%d" % (code, point) if point else code
    end = decide(line["edition"], spot, item) if item else spot
    answer, wrong = settled(line, wager, (stake, None), end)
    if wrong:
        return None
    if len(kept) >= MOST_KEPT:
        kept.clear()
    kept[what] = answer
    return answer
