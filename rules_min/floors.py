"""Floors under a table's maxima: how low a maximum may be where the minimum is low. PURE.

Read by whoever sets limits (a configuration, a change of limits), never by a settlement.
"""

from .limits import limit_for

# (game, variant or None): rows of (clause, minimum at or under which it holds, the kinds or codes,
# the least maximum), in dollars. "*" is every wager of the table.
FLOORS = {
    ("roulette", None): (
        ("qld s141(2)", 5, ("straight",), 20),
        ("qld s141(2)", 5, ("split",), 40),
        ("qld s141(2)", 5, ("street",), 60),
        ("qld s141(2)", 5, ("corner",), 80),
        ("qld s141(2)", 5, ("line",), 120),
        ("qld s141(2)", 25, ("column", "dozen"), 250),
        ("qld s141(2)", 25, ("low", "high", "even", "odd", "red", "black"), 500),
    ),
    ("wheel", "50"): (
        ("qld s153(2)(a)", 5, ("a",), 400),
        ("qld s153(2)(b)", 5, ("b", "c"), 80),
        ("qld s153(2)(c)", 5, ("d",), 40),
        ("qld s153(2)(d)", 5, ("e", "f"), 20),
        ("qld s153(2)(e)", 5, ("g", "h"), 10),
    ),
    ("wheel", "52"): (
        ("qld s159(1)(a)", 5, ("a",), 200),
        ("qld s159(1)(b)", 5, ("b",), 80),
        ("qld s159(1)(c)", 5, ("c",), 40),
        ("qld s159(1)(d)", 5, ("d",), 20),
        ("qld s159(2)(a)", 2, ("e",), 10),
        ("qld s159(2)(b)", 2, ("f", "g"), 5),
    ),
    ("craps", None): (("qld s113(2)(a)", 5, ("*",), 200),),
    ("two_up", None): (("qld s171(2)", 5, ("*",), 100),),
    ("triple_two_up", None): (("qld s476(1)", 5, ("*",), 100),),
    ("tri_chro", "54"): (
        ("qld s459(1)(a)", 5, ("any", "any_star"), 1200),
        ("qld s459(1)(b)", 5, ("no",), 800),
        ("qld s459(1)(c)", 5, ("odd_pair",), 300),
        ("qld s459(1)(d)", 5, ("pair",), 125),
        ("qld s459(1)(e)", 5, ("odd_stars",), 35),
        ("qld s459(1)(g)", 5, ("star_pair",), 15),
    ),
    ("tri_chro", "63"): (
        ("qld s459(1)(a)", 5, ("any", "any_star"), 1200),
        ("qld s459(1)(b)", 5, ("no",), 800),
        ("qld s459(1)(c)", 5, ("odd_pair",), 300),
        ("qld s459(1)(d)", 5, ("pair",), 125),
        ("qld s459(1)(f)", 5, ("odd_stars",), 25),
        ("qld s459(1)(h)", 5, ("star_pair",), 10),
    ),
}
OWN_MINIMUM = ("roulette",)  # s141(2) looks at each type's own minimum, the others at the table's
FIXED = ("spinner_bonus",)  # $1 and no other stake (qld s472(2)(b)): no maximum to floor

READINGS = {
    "table minimum": "where a text says the minimum wager at a table, the lowest of its wagers' minima",
}


def bad_floor(game, edition, variant, limits):
    """Why a maximum is too low for its minimum, with the limit's key and the clause, or None."""
    if not edition.startswith("qld"):
        return None
    rows = FLOORS.get((game, variant)) or FLOORS.get((game, None)) or ()
    lowest = None if game in OWN_MINIMUM else _lowest(rows, limits)
    for clause, most, wagers, floor in rows:
        for key in _keys(wagers, limits):
            low, high = limit_for(limits, key)
            low = low if lowest is None else lowest
            if high is not None and low <= most * 100 and high < floor * 100:
                return "limits.%s: the maximum is at least %d cents (%s)" % (key, floor * 100, clause)
    return None


def _keys(wagers, limits):
    """These wagers, and every exact code of theirs that has a limit of its own."""
    own = [key for key in limits if key not in FIXED and _is_of(key, wagers)]
    return own if "*" in wagers else list(wagers) + own


def _is_of(key, wagers):
    return "*" in wagers or key.split(":", 1)[0] in wagers


def _lowest(rows, limits):
    found = None
    for row in rows:
        for key in _keys(row[2], limits):
            low = limit_for(limits, key)[0]
            found = low if found is None or low < found else found
    return found
