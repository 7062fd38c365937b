"""How a craps wager ended, in money and in words: its settlement. PURE; called by craps.py."""

from . import sequence
from .craps_facts import EDITIONS, PIECES, RIGHT, WRONG, defines, refuses_removal, removal_rule
from .craps_money import (
    bad_odds_stake,
    behind,
    commission,
    odds_commission,
    pieces_of,
    settle_pieces,
    won,
)
from .wagers import rejection

OURS = {
    "outcome",
    "pays",
    "returned",
    "odds",
    "rule",
    "accepted",
    "excess",
    "pieces",
    "commission",
    "odds_outcome",
    "odds_pays",
    "odds_returned",
}
NOT_EXACT = ("bad_stake", "the money does not come out in whole cents")


def settle_all(line, wagers, terms, ends):
    """(the settlements in order, None), or (None, the rejection of the first that cannot be paid).

    Wagers of the same fields and stakes that end alike are worked out once.
    """
    settlements, alike = [], {}
    for index, term in enumerate(terms):
        wager, end = wagers[index], ends[index]
        key = end, term, wager["code"], wager["stake"], wager.get("odds_stake"), tuple(wager)
        answer = alike.get(key)
        if answer is not None:
            answer = answer.copy()
            answer.update(wager)
        else:
            answer, wrong = settled(line, wager, term, end)
            if wrong:
                return None, rejection(wrong[0], wrong[1], index)
            if type(end) is tuple and end[0] != "down" and OURS.isdisjoint(wager):
                alike[key] = answer
        settlements.append(answer)
    return settlements, None


def settled(line, wager, term, end):
    """(the settlement, None), or (what there is of it, (error code, words)).

    `term` is (accepted cents, the clause that cut it), `end` what `sequence.follow` says of it.
    """
    answer = dict(wager)
    if not OURS.isdisjoint(answer):
        for field in OURS:
            answer.pop(field, None)
    kind, _, name = wager["code"].partition(":")
    if type(end) is not tuple or end[0] == "down":
        end, wrong = _undecided(line["edition"], wager["code"], kind, end, term[1])
        if wrong:
            return answer, wrong
    if kind in PIECES and end[4]:
        _close_pieces(line["edition"], answer, term, end)
    else:
        wrong = _close(answer, term, end)
        if wrong:
            return answer, wrong
    if "odds_stake" in wager and wager["odds_stake"] is not None:
        return answer, _close_behind(line, answer, kind, end, term[0] or answer["stake"])
    if kind == "buy" or kind == "lay":
        return answer, _charge(line, answer, kind, int(name), term[0], end)
    return answer, None


def _undecided(edition, code, kind, end, cut):
    """(what a decision has, None) of a wager that no roll decided, or (None, (error code, words))."""
    if end is None:  # void for its stake
        return ("void", None, cut, 1, 0, 0, "void"), None
    spot = end if type(end) is str else end[1]
    point = 0
    if kind in RIGHT or kind in WRONG:
        point = int(spot.split(" ", 1)[0].partition(":")[2] or 0)
    if type(end) is str:
        return ("stays", None, defines(edition, code), 1, 0, point, "stays"), None
    refused = refuses_removal(edition, kind, point)
    if refused:
        return None, ("bad_wager", "it has a point and may not be taken down (%s)" % refused)
    return ("void", None, removal_rule(edition, kind), 1, 0, point, "void"), None


def _close(answer, term, end):
    outcome, odds, rule, unit = end[:4]
    accepted, cut = term
    pays, back = 0, 0
    if outcome == "win":
        pays = won(accepted, odds, unit)
        if pays is None:
            return NOT_EXACT
        back = accepted + pays
    elif outcome == "void":
        back = accepted
    sequence.close(answer, accepted, cut, outcome, pays, back, odds, rule)
    return None


def _close_pieces(edition, answer, term, end):
    """A wager of several pieces: any that wins makes it win, and only those come back."""
    outcome, _, rule, unit, total = end[:5]
    pieces = pieces_of(answer["code"])
    listed = settle_pieces(edition, pieces, term[0] // len(pieces), total, unit)
    pays = sum(piece["pays"] for piece in listed)
    back = sum(piece["returned"] for piece in listed)
    sequence.close(answer, term[0], term[1], outcome, pays, back, None, rule)
    answer["pieces"] = listed


def _close_behind(line, answer, kind, end, accepted):
    """The odds behind a line or come wager once it has a point: qld s119(1), s120(1), s121(1), s122(1).

    No maximum of the table cuts them (qld s113(2)(b)), but they are measured by the flat that counts,
    which one may have cut (qld s5(2)(b)); a commission only where the line has one.
    """
    edition, point, outcome, odds_stake = line["edition"], end[5], end[6], answer["odds_stake"]
    wrong = bad_odds_stake(edition, kind, point, accepted, odds_stake)
    if wrong:
        return "bad_stake", wrong
    money = behind(kind, point, outcome, odds_stake, "round_odds" in line and line["round_odds"])
    if money is None:
        return NOT_EXACT
    answer["odds_outcome"], answer["odds_pays"], answer["odds_returned"] = outcome, money[0], money[1]
    if "free_odds" in line:
        percent = line.get("commission_percent", EDITIONS[edition]["commission"])
        cents = odds_commission(kind, point, accepted, odds_stake, percent, line["free_odds"])
        if cents is None:
            return NOT_EXACT
        answer["commission"] = cents
    return None


def _charge(line, answer, kind, number, accepted, end):
    """The commission of a buy or lay wager; qld s118(1): not of one that is taken down undecided."""
    edition = line["edition"]
    percent = line.get("commission_percent", EDITIONS[edition]["commission"])
    cents = commission(kind, number, accepted, percent)
    if cents is None:
        return NOT_EXACT
    answer["commission"] = 0 if end[0] == "void" and edition == "qld1985" else cents
    return None
