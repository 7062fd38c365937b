"""What several winning tickets of one game do to each other's prizes. PURE.

The jackpot pool is shared (qld s223(5), act keno 9.5), and act cuts a way's prize to $50,000
(act keno 9.1) and the major prizes of a game to $50,000 together (act keno 9.2-9.4). A way won is a list
[stake, prize, rule, jackpot spots or 0]: its prize and rule are written over here. Every way
is a ticket of its own (act keno 9.7). Cents that do not come out whole stay with the house or the pool.
"""

STAKE, PRIZE, RULE, JACKPOT = 0, 1, 2, 3

MOST_A_WAY = 5000000  # act keno 9.1
MOST_A_GAME = 5000000  # act keno 9.2
MAJOR = 20000  # "major prize": act keno terms, qld s210
# act keno 5.2, 8.1: the starred prizes are the least that a pool holds.
GUARANTEED = {6: 100000, 8: 1250000}


def cut(way):
    """act keno 9.1: one way of an ordinary ticket wins at most $50,000, whatever its stake."""
    if way[PRIZE] > MOST_A_WAY:
        way[PRIZE], way[RULE] = MOST_A_WAY, "act keno 9.1"


def share_jackpots(edition, pools, won):
    """Each pool (one a number of spots: qld s223(2)) to the ways that caught all, by stake if several."""
    staked = {}
    for way in won:
        staked[way[JACKPOT]] = staked.get(way[JACKPOT], 0) + way[STAKE]
    for way in won:
        spots = way[JACKPOT]
        pool, total = pool_of(edition, pools, spots), staked[spots]
        way[PRIZE] = pool * way[STAKE] // total
        way[RULE] = _jackpot_rule(edition, total > way[STAKE])


def pool_of(edition, pools, spots):
    """What the jackpot of so many spots pays in all: act guarantees the starred prize (5.2, 8.1)."""
    pool = pools.get(str(spots), 0)
    return max(pool, GUARANTEED[spots]) if edition == "act1999" else pool


def _jackpot_rule(edition, shared):
    if edition == "act1999":
        return "act keno 9.5" if shared else "act keno 4.7(a)"
    return "qld s223(5)" if shared else "qld s223(3)"


def prorate(won):
    """act keno 9.2-9.4: major prizes over $50,000 together are cut in proportion, none below $200.

    From the smallest up: one that its share would bring under $200 keeps $200, and what that
    takes comes off the others, for the game's $50,000 is a maximum still.
    """
    major = [way for way in won if way[PRIZE] >= MAJOR]
    left, rest = MOST_A_GAME, sum(way[PRIZE] for way in major)
    if rest <= left:
        return
    major.sort(key=_prize)
    for index, way in enumerate(major):
        if way[PRIZE] * left >= MAJOR * rest:
            for larger in major[index:]:
                larger[PRIZE], larger[RULE] = larger[PRIZE] * left // rest, "act keno 9.2"
            return
        left, rest = left - MAJOR, rest - way[PRIZE]
        way[PRIZE], way[RULE] = MAJOR, "act keno 9.3"


def _prize(way):
    return way[PRIZE]
