"""Two-up (qld Part 10): two coins, the players' wagers and the spinner's. PURE.

The table keeps (odds in a row, valid spins so far) with `advance`; `decide` says what a spin does
to a wager. A spinner's wager moves up a spot with every spin of its side: spinner:heads,
spinner:heads:1, spinner:heads:2.
"""

from . import spins

GAME = "two_up"
CALLS = {"heads": "heads", "tails": "tails", "odds": "odds", "no_spin": "no spin"}  # qld s163, s175(2)
CODES = ("heads", "tails", "spinner:heads", "spinner:tails")
FIVE = "five_odds"  # what the fifth odds in a row is to `decide`
START = (0, 0)

# edition: the odds of a player's wager (qld s174(1)-(2)) and of a spinner's (qld s174(3))
EDITIONS = {"qld1985": ((1, 1), (15, 2))}

# code: the clauses that pay it, lose it to the other side, lose it to five odds, leave it standing
RULES = {
    "heads": ("qld s174(1)", "qld s168(4)(b)", "qld s168(4)(c)", "qld s168(6)(a)"),
    "tails": ("qld s174(2)", "qld s168(5)(b)", "qld s168(5)(c)", "qld s168(6)(a)"),
    "spinner:heads": ("qld s174(3)", "qld s167(3)(b)", "qld s167(3)(c)", "qld s167(3)(a)"),
    "spinner:tails": ("qld s174(3)", "qld s167(4)(b)", "qld s167(4)(c)", "qld s167(4)(a)"),
}

# cause of an invalid spin: must it be declared, the clause. A floater only may be, while in the air.
INVALID = {
    "floater": (False, "qld s175(1)"),
    "too_low": (True, "qld s175(2)(a)"),
    "outside_ring": (True, "qld s175(2)(b)"),
    "hit_object": (True, "qld s175(2)(c)"),
    "spinner_outside": (True, "qld s175(2)(d)"),
    "coin_on_coin": (True, "qld s175(2)(e)"),
}

READINGS = {
    "no_spin": "an invalid spin neither counts nor breaks odds in a row: qld s167, s168 are silent",
    "no new wager": "after odds no player's wager is taken until heads, tails or the fifth odds, whoever's "
    "wager is standing (qld s168(6)(b))",
    "spinner": "a list is one spinner's game: a spinner's wager is placed before its first valid spin "
    "(qld s167(2), s167(8))",
    "five odds": "after the fifth odds in a row the count starts again: every wager has been decided",
}


def advance(state, spin):
    """(odds in a row, valid spins) after this spin; five odds are shown as five, then counted anew."""
    odds, valid = state
    if spin == "no_spin":
        return state
    return (odds % 5 + 1 if spin == "odds" else 0), valid + 1


def refuses(wager, state, present):
    """Why a wager offered now is refused, (error code, words with the clause), or None."""
    odds, valid = state
    if wager["code"] in ("heads", "tails"):  # qld s168(2)-(3): on either or both
        return ("bad_wager", "odds stand: no new wager (qld s168(6)(b))") if 0 < odds < 5 else None
    return ("bad_wager", "before the spinner starts to spin (qld s167(2))") if valid else None


def read(result):
    """(what each spin is to `decide`, the state before each)."""
    items, states, state = [], [], START
    for spin in result:
        states.append(state)
        state = advance(state, spin)
        items.append(FIVE if spin == "odds" and state[0] == 5 else spin)
    return items, states


def decide(edition, spot, item):
    """None: it stays; a spot: it moves there; else (outcome, odds, rule). `item` is of `read`."""
    if item in ("odds", "no_spin"):
        return None
    code, done = _progress(spot)
    side = code.rsplit(":", 1)[-1]
    pays, other, five, _ = RULES[code]
    if item != side:
        return "lose", None, five if item == FIVE else other
    player, spinner = EDITIONS[edition]
    if code == side:  # qld s168(4)(a), s168(5)(a)
        return "win", player, pays
    # qld s167(3)(a), s167(4)(a): three of its side
    return ("win", spinner, pays) if done == 2 else "%s:%d" % (code, done + 1)


def _progress(spot):
    """(the wager's code, how many of its side a spinner has spun)."""
    if spot in RULES:
        return spot, 0
    code, done = spot.rsplit(":", 1)
    return code, int(done)


def stays_rule(spot):
    return RULES[_progress(spot)[0]][3]


def may_withdraw(code, state):
    """The clause by which an undecided wager may not be taken back before the next spin, or None."""
    if code in ("heads", "tails"):
        return "qld s168(6)(a)" if 0 < state[0] < 5 else None
    return "qld s167(8)" if state[1] else None


def lamps(spins):
    """Lamps lit (odds of 5, heads of 3, tails of 3) after these spins of one game: qld s173(1)(a)-(c)."""
    state, heads, tails = START, 0, 0
    for spin in spins:
        state = advance(state, spin)
        heads, tails = heads + (spin == "heads"), tails + (spin == "tails")
    return state[0], min(heads, 3), min(tails, 3)


def invalid_in_a_row(spins):
    """What three invalid spins in a row, the last ones, allow: (who decides, clause), or None."""
    if len(spins) < 3 or tuple(spins[-3:]) != ("no_spin",) * 3:
        return None
    if len(spins) == 3:
        return "spinner", "qld s172(1)"  # retires, or has a house spinner go on
    return "floor_manager", "qld s172(2)"  # may direct a house spinner


def settle_line(line, memory=None):
    return spins.settle_line(line, CALLS, CODES, read, refuses, decide, stays_rule)
