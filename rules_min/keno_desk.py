"""The keno desk's sums: what is sold until when, cancelled, refunded, put into the pools. PURE.

The writer's terminal asks; nothing here is settled. Numbers of games are whole tickets' games:
`played` are those drawn, `drawing` is whether the next one's draw has begun.
"""

from . import keno_tickets

KENO_TO_GO_GAMES = 50  # act keno terms: a ticket for so many games or more

# edition: per cent of a jackpot wager that goes to the pools, the clause ("at least" in qld).
POOL_SHARE = {"qld1985": (15, "qld s223(4)"), "act1999": (25, "act keno 5.3")}
# edition: days (qld) or months (act) that a prize lies ready, the clause.
CLAIMED_WITHIN = {"qld1985": (28, "days", "qld s220(1)"), "act1999": (12, "months", "act keno 11.1")}

READINGS = {
    "pools": "act keno 5.3: cents that the ratio does not divide go to the jackpot prize pool",
    "begun": "qld s219(7): a game whose drawing device is activated is being played, so is not refunded",
}


def plays(first_game, games, game):
    """Whether a ticket is in this game (act keno 10.2): its games follow one another (act keno 4.5)."""
    return first_game <= game < first_game + games


def sale_refused(edition, drawing):
    """The clause by which no ticket is sold for a game, or None: `drawing` once its draw has begun."""
    if not drawing:
        return None
    return "qld s222(1)" if edition == "qld1985" else "act keno 7.2"


def refund(edition, stake, ways, games, played, drawing, closed=False):
    """(cents that go back on a ticket cancelled now, the clause that gives or refuses them).

    act keno 6.1: a draw has begun when the computer has its first number; qld: when the device
    was activated. `closed`: keno has closed on the day of issue (act keno 6.4).
    """
    begun = played + (1 if drawing else 0)
    if edition == "act1999":
        refused = _cancel_refused(games, begun, closed)
        if refused:
            return 0, refused
    if not begun:
        return keno_tickets.price(edition, stake, ways, games), _refund_rule(edition, games)
    return stake * ways * max(0, games - begun), _refund_rule(edition, games)


def _cancel_refused(games, begun, closed):
    if closed:
        return "act keno 6.4"
    if games >= KENO_TO_GO_GAMES and begun:
        return "act keno 6.3"
    return "act keno 6.1" if begun >= games else None


def _refund_rule(edition, games):
    if edition == "qld1985":
        return "qld s219(7)"
    if games >= KENO_TO_GO_GAMES:
        return "act keno 6.3"
    return "act keno 6.2" if games > 1 else "act keno 6.1"


def to_pools(edition, wagered, ratio=(1, 0, 0)):
    """Cents of jackpot wagers for the jackpot, secondary and reimbursement pools, in this ratio.

    qld has the one pool and keeps the ratio at its first part; its "at least" is rounded up.
    """
    percent = POOL_SHARE[edition][0]
    whole = (wagered * percent + 99) // 100
    parts = sum(ratio)
    secondary, reimbursed = whole * ratio[1] // parts, whole * ratio[2] // parts
    return whole - secondary - reimbursed, secondary, reimbursed
