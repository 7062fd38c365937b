"""Triple penny two-up (qld Part 21): three coins, players, the spinner and the spinner's bonus. PURE.

A player's wager moves to bonus:heads on triple heads; a spinner's moves up a spot with every spin
of its side: spinner:heads, spinner:heads:1, spinner:heads:2. The table calls `decide` spin by spin.
"""

from . import spins

GAME = "triple_two_up"
CALLS = {  # qld s468, s477(3)
    "heads": "heads",
    "tails": "tails",
    "triple_heads": "triple heads",
    "triple_tails": "triple tails",
    "no_spin": "no spin",
}
CODES = (
    "heads",
    "tails",
    "spinner:heads",
    "spinner:tails",
    "spinner_bonus:heads",
    "spinner_bonus:tails",
)
BONUS_STAKE_CENTS = 100  # qld s472(2)(b)

# edition: odds of a player's wager, of bonus play on the side and on its triple (qld s480(1)),
# of the spinner's wager and of the spinner's bonus (qld s480(2))
EDITIONS = {"qld1985": ((1, 1), (2, 1), (4, 1), (13, 2), (495, 1))}

# spot: the clauses that pay it, lose it, leave it standing
RULES = {
    "heads": ("qld s480(1)", "qld s473(3)(b)", "qld s473(3)(a)"),
    "tails": ("qld s480(1)", "qld s473(6)(b)", "qld s473(6)(a)"),
    "bonus:heads": ("qld s480(1)", "qld s473(5)(b)", "qld s473(4)"),
    "bonus:tails": ("qld s480(1)", "qld s473(8)(b)", "qld s473(7)"),
    "spinner:heads": ("qld s480(2)(a)", "qld s472(5)(a)", "qld s472(5)(a)"),
    "spinner:tails": ("qld s480(2)(a)", "qld s472(6)(a)", "qld s472(6)(a)"),
    "spinner_bonus:heads": ("qld s480(2)(b)", "qld s472(5)(b)", "qld s472(5)(b)"),
    "spinner_bonus:tails": ("qld s480(2)(b)", "qld s472(6)(b)", "qld s472(6)(b)"),
}

# cause of an invalid spin: must it be declared, the clause. A floater only may be (qld s477(6)).
INVALID = {
    "floater": (False, "qld s477(1)"),
    "too_low": (True, "qld s477(2)(a)"),
    "hit_object": (True, "qld s477(2)(b)"),
    "outside_ring": (True, "qld s477(2)(c)"),
    "coin_on_coin": (True, "qld s477(2)(d)"),
    "spinner_outside": (True, "qld s477(2)(e)"),
}

READINGS = {
    "no_spin": "an invalid spin is no spin: the next one of bonus play (qld s473(5), s473(8)) is valid",
    "spinner": "a list is one spinner's game: a spinner's wager is placed before its first valid spin "
    "(qld s472(2), s472(10))",
    "spinner loses": "on the other side, the bonus on anything but its triple: qld s472 says what wins",
    "bonus": "the spinner's wager that a bonus stands beside is the same player's, in the same line",
    "bonus limits": "the $1 of a spinner's bonus (qld s472(2)(b)) is no matter of the table's limits",
}


def advance(state, spin):
    """(spins, valid spins) so far, this one counted."""
    return state[0] + 1, state[1] + (spin != "no_spin")


def refuses(wager, state, present):
    """Why a wager offered now is refused, (error code, words with the clause), or None."""
    kind, _, side = wager["code"].partition(":")
    if kind in ("heads", "tails"):  # qld s473(2): on either or both
        return None
    if state[1]:
        return "bad_wager", "before the spinner's first spin (qld s472(2)(a), s472(10))"
    if kind == "spinner":
        return None
    if wager["stake"] != BONUS_STAKE_CENTS:
        return "bad_stake", "a spinner's bonus wager is $1 (qld s472(2)(b))"
    beside = present.get(("spinner:" + side, wager.get("player")))
    if beside is None or beside > wager.get("at", 0):
        return "bad_wager", "the spinner has no wager of that side (qld s472(2)(b))"
    return None


def read(result):
    """(what each spin is to `decide`, the state before each)."""
    states, state = [], (0, 0)
    for spin in result:
        states.append(state)
        state = advance(state, spin)
    return result, states


def decide(edition, spot, item):
    """None: it stays; a spot: it moves there; else (outcome, odds, rule)."""
    if item == "no_spin":
        return None
    place, done = _progress(spot)
    kind, _, side = place.rpartition(":")
    triple = item == "triple_" + side
    if not triple and (item != side or kind == "spinner_bonus"):
        return "lose", None, RULES[place][1]
    player, bonus, bonus_triple, spinner, spinner_bonus = EDITIONS[edition]
    if kind == "bonus":  # qld s473(5)(a), s473(8)(a)
        return "win", bonus_triple if triple else bonus, RULES[place][0]
    if kind == "":  # qld s473(4), s473(7): on a triple of its side it moves to bonus play
        return "bonus:" + side if triple else ("win", player, RULES[place][0])
    if done < 2:
        return "%s:%d" % (place, done + 1)
    return "win", spinner if kind == "spinner" else spinner_bonus, RULES[place][0]


def _progress(spot):
    """(the place on the layout, how many of its side a spinner has spun)."""
    if spot in RULES:
        return spot, 0
    place, done = spot.rsplit(":", 1)
    return place, int(done)


def stays_rule(spot):
    return RULES[_progress(spot)[0]][2]


def may_withdraw(spot, state):
    """The clause by which an undecided wager may not be taken back before the next spin, or None."""
    if spot.startswith("bonus:"):
        return "qld s475(3)"
    return "qld s472(10)" if spot.startswith("spinner") and state[1] else None


def boxer_refuses(code):
    """The clause by which a boxer who acts as spinner may not make this wager, or None."""
    return "qld s471(6)" if code.startswith("spinner") else None


def invalid_spins(spins):
    """What the spinner's invalid spins so far allow: (who decides, clause), or None."""
    invalid = sum(1 for spin in spins if spin == "no_spin")
    if len(spins) == 3 and invalid == 3:
        return "spinner", "qld s478(1)"  # retires, or has the boxer take over
    if len(spins) >= 3 and tuple(spins[-3:]) == ("no_spin",) * 3:
        return "floor_manager", "qld s478(2)(a)"
    if invalid * 2 > len(spins):
        return "floor_manager", "qld s478(2)(b)"
    return None


def settle_line(line, memory=None):
    return spins.settle_line(line, CALLS, CODES, read, refuses, decide, stays_rule, fixed=CODES[4:])
