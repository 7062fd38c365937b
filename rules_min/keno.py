"""Keno: twenty numbers of eighty, and every ticket of one game settled together. PURE.

A prize is the whole return, so a ticket has no odds: it pays its prize or nothing. Tables of
prizes are in keno_prizes, tickets in keno_tickets, the draw in keno_draw; what tickets do to
each other (jackpots shared, major prizes cut) is in keno_shares, the desk's sums in keno_desk.
"""

from . import keno_draw, keno_prizes, keno_shares, keno_tickets
from . import limits as table_limits
from .wagers import decided, echo, rejection, winnings

GAME = "keno"
EDITIONS = keno_tickets.EDITIONS
KINDS = ("spots", "ways")
OURS = ("accepted", "excess", "pieces", "price")

# What the texts leave open and we chose.
READINGS = {
    "special1": "act keno 8.2 is for way tickets: spots on special1 are one way of such a ticket (9.7)",
    "ticket maximum": "act keno 3.1: $9,999 is what one ticket may cost, its ways and games together",
    "jackpot spots": "act keno 8.1 stars 6 and 8 numbers: the jackpot tickets are those",
    "guaranteed": "act keno 5.2: a pool under its starred prize pays that prize, shared like a pool",
    "shares": "qld s223(5), act keno 9.4, 9.5: shares by stake, cents that do not come out whole not paid",
    "total catch": "the jackpot takes the place of the schedule's prize (qld s219(2), act keno 9.6)",
    "jackpot cut": "act keno 9.1 excludes jackpot tickets, whatever they caught; 9.6 puts them under 9.2",
    "major prizes": "act keno 9.2 says jackpot prizes are pro-rated: it is the major prizes (9.3, 9.4, 9.6)",
    "least prize": "act keno 9.3: what a $200 prize keeps comes off the larger ones, 9.2 being a maximum",
    "no catch": "a schedule may pay a catch of 0, though act keno 10.1(a), qld s219(1)(a) speak of matches",
    "void": "a draw without a result gives the stake back; a game drawn again (act keno terms, qld s222(13)) "
    "is settled by its new draw",
    "refund": "act keno 14.5: the wagers of an invalidated draw may be refunded: they are",
    "short_turns": "a ball device that did not draw as qld s222(11)(a) says gave no result",
    "power_lost": "a draw cut short by a power failure is one that cannot go on: no text names it",
    "limits": "a table's limits are for one way; act keno names no remedy, so outside them is refused",
    "call": "the numbers in the order drawn: qld s212(b) has each called",
}


def settle_line(line, memory=None):
    """The answer to one line: every ticket of one game, or the first thing wrong."""
    problem = _bad_line(line)
    if problem:
        return problem
    answer = {"result": line["result"]}
    if line["result"] == "no_spin":
        clause = keno_draw.MISHAPS[line["edition"]][line["cause"]][1]
        answer["cause"], answer["call"], answer["rule"] = line["cause"], "no spin", clause
        settlements = _undrawn(line, clause)
    else:
        answer["call"] = keno_draw.call(line["result"])
        settlements = _drawn(line)
    if isinstance(settlements, dict):
        return settlements
    answer["settlements"] = settlements
    return answer


# -- what must be right before anything is settled


def _bad_line(line):
    problem = _bad_result(line)
    if problem:
        return rejection("bad_result", problem)
    edition = line["edition"]
    problem = (
        keno_prizes.bad_schedules(edition, line.get("schedules", {}))
        or keno_tickets.bad_pools(edition, line.get("jackpot", {}))
        or table_limits.bad_limits(line.get("limits", {}), KINDS, ())
        or _bad_prorate(edition, line.get("prorate", False))
    )
    return rejection("bad_wager", problem) if problem else None


def _bad_result(line):
    result = line.get("result")
    if result != "no_spin":
        return keno_draw.bad_result(result)
    causes, cause = keno_draw.ends(line["edition"]), line.get("cause")
    if not isinstance(cause, str) or cause not in causes:
        return "a draw without a result needs a cause: " + ", ".join(sorted(causes))
    return None


def _bad_prorate(edition, prorate):
    if type(prorate) is not bool:
        return "prorate is true or false"
    return "only act1999 pro-rates (act keno 9.2)" if prorate and edition != "act1999" else None


def _bad_ticket(line, wager, index):
    given, pools = line.get("schedules", {}), line.get("jackpot", {})
    problem = keno_tickets.bad_ticket(line["edition"], wager, given, pools)
    return rejection(problem[0], problem[1], index) if problem else None


# -- a draw without a result


def _undrawn(line, clause):
    """Void, the stake goes back; a game that is drawn again is settled by its new draw."""
    settlements = []
    for index, wager in enumerate(line.get("wagers", ())):
        problem = _bad_ticket(line, wager, index)
        if problem:
            return problem
        staked = wager["stake"] * len(keno_tickets.ways_of(wager))
        settlements.append(decided(_begun(line, wager), "void", 0, staked, None, clause))
    return settlements


def _begun(line, wager):
    """The answer to a wager as far as it does not hang on the draw."""
    answer = echo(wager, OURS)
    if "games" in wager:
        ways = len(keno_tickets.ways_of(wager))
        answer["price"] = keno_tickets.price(line["edition"], wager["stake"], ways, wager["games"])
    return answer


# -- a draw


def _drawn(line):
    """The settlements, or a rejection: first every way on its own, then the shares, then the answers."""
    drawn, warned, tickets = keno_draw.marks(line["result"]), set(), []
    wagers = line.get("wagers", ())
    for index, wager in enumerate(wagers):
        ticket = _bad_ticket(line, wager, index) or _ticket(line, wager, index, drawn, warned)
        if isinstance(ticket, dict):
            return ticket
        tickets.append(ticket)
    _share(line, [way for ticket in tickets for way in ticket[2]])
    return [_answer(line, wager, ticket) for wager, ticket in zip(wagers, tickets)]


def _ticket(line, wager, index, drawn, warned):
    """(the stake that counts, the clause that cut it or None, its ways), or a rejection."""
    edition, limits, code = line["edition"], line.get("limits", {}), wager["code"]
    accepted, clause = table_limits.taken(
        GAME, edition, limits, code, wager["stake"], wager.get("player"), warned
    )
    if accepted is None:
        return rejection("bad_stake", "outside the table's limits (%s)" % clause, index)
    ways = _ways(line, wager, accepted, drawn) if accepted else ()
    if ways is None:
        return rejection("bad_stake", "its prize does not come out in whole cents", index)
    return accepted, clause, ways


def _ways(line, wager, stake, drawn):
    """Each way of a ticket as [stake, prize, rule, jackpot spots or 0]; None: no whole cents."""
    edition, given = line["edition"], line.get("schedules", {})
    name = keno_tickets.schedule_of(edition, wager, given)
    ways = []
    for numbers in keno_tickets.ways_of(wager):
        spots, caught = len(numbers), keno_draw.catch(drawn, numbers)
        way = [stake, 0, None, 0]
        if wager.get("jackpot", False) and caught == spots:
            way[keno_shares.JACKPOT] = spots
        elif not _pay(way, keno_prizes.row(edition, given, name, spots), caught):
            return None
        if way[keno_shares.PRIZE]:
            way[keno_shares.RULE] = keno_prizes.clause(edition, name)
            if edition == "act1999" and not wager.get("jackpot", False):
                keno_shares.cut(way)
        ways.append(way)
    return ways


def _pay(way, prizes, caught):
    prize = winnings(way[keno_shares.STAKE], (keno_prizes.cents_a_dollar(prizes, caught), 100))
    way[keno_shares.PRIZE] = prize or 0
    return prize is not None


def _share(line, ways):
    jackpots = [way for way in ways if way[keno_shares.JACKPOT]]
    keno_shares.share_jackpots(line["edition"], line.get("jackpot", {}), jackpots)
    if line.get("prorate", False):
        keno_shares.prorate([way for way in ways if not way[keno_shares.JACKPOT]])


def _answer(line, wager, ticket):
    accepted, clause, ways = ticket
    answer, stake = _begun(line, wager), wager["stake"]
    count = len(keno_tickets.ways_of(wager))
    if not accepted:
        return decided(answer, "void", 0, stake * count, None, clause)
    _sum_up(line["edition"], answer, ways)
    if wager["code"] == "ways":
        answer["pieces"] = [_piece(line["edition"], n, w) for n, w in zip(wager["ways"], ways)]
    if clause:
        answer["accepted"], answer["excess"] = accepted, stake - accepted
        answer["returned"] += (stake - accepted) * count
    return answer


def _sum_up(edition, answer, ways):
    """A prize is the whole return: what is paid is what goes back."""
    prize, rule = 0, None
    for way in ways:
        prize += way[keno_shares.PRIZE]
        rule = rule or way[keno_shares.RULE]
    outcome = "win" if prize else "lose"
    return decided(answer, outcome, prize, prize, None, rule if prize else _lose_rule(edition))


def _piece(edition, numbers, way):
    piece = {"numbers": numbers, "stake": way[keno_shares.STAKE]}
    return _sum_up(edition, piece, (way,))


def _lose_rule(edition):
    """Why nothing is won: the catch is no prize of the schedule."""
    return "act keno 10.1(b)" if edition == "act1999" else "qld s219(1)"
