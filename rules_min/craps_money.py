"""The money of a craps wager: wins, odds behind it, commission, pieces. PURE.

Every function answers in whole cents, or None where they do not come out whole.
"""

from .craps_facts import EDITIONS, LAY, PIECE_ON, PIECES, TRUE, WRONG, defines, distance, pays
from .craps_rolls import DOLLAR, one_roll_odds
from .wagers import decided


def won(stake, odds, unit):
    """Cents won, to the next `unit` up where a unit is more than a cent."""
    if unit > 1:
        return -(-stake * odds[0] // (odds[1] * unit)) * unit
    cents, over = divmod(stake * odds[0], odds[1])
    return None if over else cents


# -- odds behind a line or come wager


def odds_behind(kind, point):
    """qld s119(2), s120(2), s121(2), s122(2); cgr 2(3)(a)-(d)."""
    return (LAY if kind in WRONG else TRUE)[distance(point)]


def bad_odds_stake(edition, kind, point, stake, odds_stake):
    """Why odds of this much may not stand behind this wager, or None. `point` 0: none was set."""
    times = EDITIONS[edition]["doubles"]
    if times is None:
        return None
    to, one = odds_behind(kind, point or 4) if kind in WRONG else (1, 1)
    if odds_stake * to > times * stake * one:
        return "odds are at most twice the wager, a don't's what would win that (qld s119(1A)-s122(1A))"
    return None


def behind(kind, point, outcome, odds_stake, rounds):
    """(pays, returned) of the odds; `rounds` is qld s119(1B), s120(1B), s121(1B), s122(1B) in use."""
    if outcome == "win":
        cents = won(odds_stake, odds_behind(kind, point), DOLLAR if rounds else 1)
        return None if cents is None else (cents, cents + odds_stake)
    return 0, odds_stake if outcome == "void" else 0


# -- commission: a field of its own, never inside stake, pays or returned. qld s118(2), cgr 2(5)(b): on
# nothing else


def commission(kind, number, stake, percent):
    """On a buy wager of the stake (qld s116(1), cgr 2(5)(a)), on a lay wager of what it could win
    (qld s117(1), cgr 2(2)(f))."""
    to, one = LAY[distance(number)] if kind == "lay" else (1, 1)
    cents, over = divmod(stake * to * percent, one * 100)
    return None if over else cents


def odds_commission(kind, point, stake, odds_stake, percent, free):
    """On odds over `free` times the wager: of the excess, behind a don't of what it could win.

    cgr 2(3)(e)-(g); charged only where the line says what is free.
    """
    excess = odds_stake - free * stake
    if excess <= 0 or not point:
        return 0
    to, one = odds_behind(kind, point) if kind in WRONG else (1, 1)
    cents, over = divmod(excess * to * percent, one * 100)
    return None if over else cents


# -- wagers of several pieces


def pieces_of(code):
    """The wagers that this one is made of, each of one unit; () where it is made of one."""
    kind, _, name = code.partition(":")
    if kind not in PIECES:
        return ()
    return PIECES[kind] + ((PIECE_ON[name],) if name else ())


def settle_pieces(edition, pieces, each, total, unit):
    """Each piece with its own outcome; they are paid as separate wagers."""
    found = []
    for code in pieces:
        odds = one_roll_odds(edition, code, total)
        cents = won(each, odds, unit) if odds else 0
        rule = pays(edition, code) if odds else defines(edition, code)
        outcome = ("win", cents, each + cents, odds, rule) if odds else ("lose", 0, 0, None, rule)
        found.append(decided({"code": code, "stake": each}, *outcome))
    return found
