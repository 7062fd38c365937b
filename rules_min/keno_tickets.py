"""Keno tickets: what may be marked, what may be staked, what a ticket costs. PURE.

A way is one selection of numbers; a spot ticket is a ticket of one way. The stake is that of
one way in one game. Whatever is wrong is answered as (code, message) of a rejection.
"""

from . import keno_prizes
from .wagers import bad_stake, is_player

# Ways on the ticket, from the most down: least stake of a way in cents
# (act keno 3.1(c)(i), (ii), (iii); fewer than four ways: act keno 3.1).
ACT_LEAST = ((50, 10), (20, 20), (4, 50), (1, 100))
# edition: most games, most cents a ticket, spots of a jackpot ticket, least ways of a way ticket,
# step up to $1 and over it (qld s216(4)(b), act keno 3.1); then the clauses of the games, the
# stake, the jackpot and the jackpot's stake.
EDITIONS = {
    "qld1985": (
        (10, None, (6, 7, 8, 9, 10), 2, 10, 10),
        ("qld s213(2)", "qld s216(3)", "qld s223(1)", "qld s216(4)(a)"),
    ),
    "act1999": (
        (None, 999900, (6, 8), 1, 10, 100),
        ("act keno 3.1", "act keno 3.1", "act keno 8.1", "act keno 5.1"),
    ),
}
QLD_LEAST_CENTS = 50  # qld s216(3)(b): of the whole entry ticket
JACKPOT_CENTS = 100  # qld s216(3)(a), s216(4)(a), act keno 5.1: least and step of a way
# act keno 3.1(a)-(b): games on the ticket, games not charged.
FREE_GAMES = ((100, 2), (50, 1))


def ways_of(wager):
    """The selections on a ticket: of a way ticket (act keno 4.7(g), qld s216(1)) each, else the one."""
    return wager["ways"] if wager["code"] == "ways" else (wager["numbers"],)


def bad_ticket(edition, wager, given, pools):
    """(code, message) of what is wrong with a ticket, or None."""
    if not isinstance(wager, dict):
        return "bad_wager", "a wager is an object with a code and a stake"
    problem = _bad_selection(edition, wager) or _bad_schedule(edition, wager, given)
    problem = problem or _bad_jackpot(edition, wager, pools) or _bad_games(edition, wager)
    if problem:
        return "bad_wager", problem
    if not is_player(wager.get("player")):
        return "bad_wager", "a player is a name or a number"
    problem = bad_stake(wager.get("stake")) or _bad_amount(edition, wager)
    return ("bad_stake", problem) if problem else None


# -- the selection


def _bad_selection(edition, wager):
    code = wager.get("code")
    if code == "spots":
        return bad_numbers(wager.get("numbers"))
    if code != "ways":
        return "no such wager in this game; known: spots, ways"
    ways, least = wager.get("ways"), EDITIONS[edition][0][3]
    if not isinstance(ways, (list, tuple)) or len(ways) < least:
        return "ways is a list of at least %d selections" % least  # qld s216(1): 2 or more
    for numbers in ways:
        problem = bad_numbers(numbers)
        if problem:
            return problem
    return None


def bad_numbers(numbers):
    """Why these are no numbers to be marked (qld s213(1)), or None; how many, the schedule says."""
    if not isinstance(numbers, (list, tuple)) or not 1 <= len(numbers) <= keno_prizes.MOST_SPOTS:
        return "numbers is a list of the numbers marked"
    for number in numbers:
        if type(number) is not int or not 1 <= number <= 80:
            return "each number is a whole one from 1 to 80"
    if len(set(numbers)) != len(numbers):
        return "a number is marked once only"
    return None


# -- the schedule, the jackpot, the games


def schedule_of(edition, wager, given):
    """The schedule a ticket plays by: its own (act keno 4.7(d)), else act's standard (act keno 4.7(f)),
    or in qld the only one that came with the line.
    """
    if "schedule" in wager:
        return wager["schedule"]
    if edition == "act1999" or len(given) != 1:
        return "standard"
    return next(iter(given))


def _bad_schedule(edition, wager, given):
    name = schedule_of(edition, wager, given)
    known = keno_prizes.ACT_SCHEDULES if edition == "act1999" else given
    if not isinstance(name, str) or name not in known:
        return "no such schedule of prizes; known: " + ", ".join(sorted(known))
    # act keno 8.2: special 1 is for way tickets of two ways at least.
    if edition == "act1999" and name == "special1" and wager["code"] == "ways" and len(wager["ways"]) < 2:
        return "special1 is played with at least two ways (act keno 8.2)"
    for numbers in ways_of(wager):
        if keno_prizes.row(edition, given, name, len(numbers)) is None:
            return "the schedule has no prizes for %d spots" % len(numbers)
    return None


def _bad_jackpot(edition, wager, pools):
    jackpot = wager.get("jackpot", False)
    if type(jackpot) is not bool:
        return "jackpot is true or false"
    if not jackpot:
        return None
    facts, clauses = EDITIONS[edition]
    if edition == "act1999" and wager.get("schedule", "standard") != "standard":
        return "a special schedule is the alternative to the jackpot (act keno 8.2)"
    for numbers in ways_of(wager):
        spots = len(numbers)
        if spots not in facts[2]:
            return "no jackpot for %d spots (%s)" % (spots, clauses[2])
        if edition == "qld1985" and str(spots) not in pools:
            return "the line has no jackpot pool for %d spots" % spots
    return None


def bad_pools(edition, pools):
    """Why `pools` is no table of jackpot pools, or None."""
    if not isinstance(pools, dict):
        return "jackpot is a table of pool cents by number of spots"
    for key, cents in pools.items():
        if keno_prizes.number_of(key) not in EDITIONS[edition][0][2]:
            return "jackpot: no jackpot for so many spots (%s)" % EDITIONS[edition][1][2]
        if type(cents) is not int or not 0 <= cents <= keno_prizes.MAX_STAKE_CENTS:
            return "jackpot.%s: a pool is whole cents" % key
    return None


def _bad_games(edition, wager):
    games = wager.get("games", 1)
    if type(games) is not int or games < 1:
        return "games is a whole number from 1"
    most, clause = EDITIONS[edition][0][0], EDITIONS[edition][1][0]
    if most is not None and games > most:
        return "at most %d games a ticket (%s)" % (most, clause)
    return None


# -- the money


def _bad_amount(edition, wager):
    stake, ways = wager["stake"], len(ways_of(wager))
    facts, clauses = EDITIONS[edition]
    if wager.get("jackpot", False) and stake % JACKPOT_CENTS:
        return "a jackpot wager is in whole dollars a way (%s)" % clauses[3]
    least = least_stake(edition, ways)
    step = facts[4] if stake <= 100 else facts[5]
    if stake < least or stake % step:
        return "at least %d cents a way here, in steps of %d (%s)" % (least, step, clauses[1])
    if facts[1] is not None and price(edition, stake, ways, wager.get("games", 1)) > facts[1]:
        return "a ticket costs at most %d cents (%s)" % (facts[1], clauses[1])
    return None


def least_stake(edition, ways):
    """The least stake of one way, in cents, on a ticket of so many ways."""
    if edition == "qld1985":
        return (QLD_LEAST_CENTS + ways - 1) // ways
    for from_ways, cents in ACT_LEAST:
        if ways >= from_ways:
            return cents
    return None


def price(edition, stake, ways, games):
    """What a ticket costs: act keno 3.1(a)-(b) charges a long one for fewer games than it plays."""
    charged = games
    if edition == "act1999":
        for from_games, free in FREE_GAMES:
            if games >= from_games:
                charged = games - free
                break
    return stake * ways * charged
