"""Craps (qld Part 7, cgr regulation 2): what each edition fixes, as tables. PURE.

What a roll does to a wager is in craps_rolls.py, what it pays in craps_money.py, a line of
`pitkit settle` in craps.py. The table keeps the come-out point with `advance`; 0 is a come-out roll.
"""

GAME = "craps"
POINTS = (4, 5, 6, 8, 9, 10)
RIGHT = ("win", "pass", "come")
WRONG = ("dont_win", "dont_pass", "dont_come")
# What the stickperson calls, by the total: the sum of the dice (qld s129(1), cgr 2(10)(a)).
CALLS = (None, None, "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12")
BEFORE_COME_OUT = ("win", "pass", "dont_win", "dont_pass")
AFTER_COME_OUT = ("come", "dont_come")

# Odds by distance from 7: of 4 or 10, of 5 or 9, of 6 or 8 (qld s115(1), cgr 2(4)(c)).
PLACE = ((9, 5), (7, 5), (7, 6))
TRUE = ((2, 1), (3, 2), (6, 5))  # buy, and odds behind win and come: qld s116(2), cgr 2(5)(a)
LAY = ((1, 2), (2, 3), (5, 6))  # lay, and odds behind the don'ts: qld s117(2)
EVENS = ((1, 1), (1, 1), (1, 1))

# A wager on one roll: the totals that win it.
ONE_ROLL = {
    "field": (2, 3, 4, 9, 10, 11, 12),
    "any7": (7,),
    "any_craps": (2, 3, 12),
    "craps2": (2,),
    "craps3": (3,),
    "craps12": (12,),
    "eleven": (11,),
}
# A wager of several pieces: qld s115(2), cgr 2(4)(d)-(e). horn_high has a fifth, on its number again.
PIECES = {
    "horn": ("craps2", "craps3", "eleven", "craps12"),
    "horn_high": ("craps2", "craps3", "eleven", "craps12"),
    "world": ("craps2", "craps3", "any7", "eleven", "craps12"),
}
PIECE_ON = {"2": "craps2", "3": "craps3", "11": "eleven", "12": "craps12"}

_BOX = ("4", "5", "6", "8", "9", "10")
# fmt: off
_HOPS = (
    "1-1", "1-2", "1-3", "1-4", "1-5", "1-6", "2-2", "2-3", "2-4", "2-5", "2-6",
    "3-3", "3-4", "3-5", "3-6", "4-4", "4-5", "4-6", "5-5", "5-6", "6-6",
)
# fmt: on
_COMMON = (
    ("come", None),
    ("dont_come", None),
    ("place", _BOX),
    ("buy", _BOX),
    ("lay", _BOX),
    ("big", ("6", "8")),
    ("hard", ("4", "6", "8", "10")),
    ("field", None),
    ("any7", None),
    ("any_craps", None),
    ("craps2", None),
    ("craps3", None),
    ("craps12", None),
    ("eleven", None),
    ("horn", None),
)

# The kinds of wager, and what each may name.
WAGERS = {
    "qld1985": (("win", None), ("dont_win", None)) + _COMMON + (("horn_high", ("2", "3", "11", "12")),),
    "cgr1993": (("pass", None), ("dont_pass", None)) + _COMMON + (("world", None), ("hop", _HOPS)),
}

# What differs between the editions.
#   bar        the total that is void for a don't on its first roll
#   off        inactive on a come-out roll unless called on; of a come wager, its odds
#   covers     one wager marked on marks the player's similar ones
#   commission percent of a buy or lay wager unless the line says another; 5 at most
#   doubles    most that odds may be, in times the wager (for a don't: what they could win)
#   settings   what a line may set
#   dollars    wins are paid to the next whole dollar up, but for buy wagers and odds
EDITIONS = {
    "qld1985": {
        "bar": 2,  # qld s109
        "off": ("place", "buy", "hard", "come"),  # qld s112(1), s121(3), and no other: qld s112(3), s121(4)
        "covers": True,  # qld s112(2)
        "commission": 5,  # qld s116(1), s117(1)
        "doubles": 2,  # qld s119(1A), s120(1A), s121(1A), s122(1A)
        "settings": ("commission_percent", "round_odds"),  # qld s119(1B), s120(1B), s121(1B), s122(1B)
        "dollars": False,
        "hard": ((15, 2), None, (19, 2)),
        "any_craps": (15, 2),
        "craps2": (33, 1),
        "craps3": (16, 1),
    },
    "cgr1993": {
        "bar": 12,  # cgr 2(2)(b), 2(2)(d)
        "off": ("place", "buy"),  # cgr 2(2)(e)
        "covers": False,
        "commission": 0,  # cgr 2(2)(f), 2(5)(a): it may be charged
        "doubles": None,  # cgr 2(3)(a)-(d): the licensee's to limit
        "settings": ("commission_percent", "free_odds"),  # cgr 2(3)(e)-(g)
        "dollars": True,  # cgr 2(4)(f)
        "hard": ((7, 1), None, (9, 1)),
        "any_craps": (7, 1),
        "craps2": (30, 1),
        "craps3": (15, 1),
    },
}

# The paragraph of cgr 2(2) that defines a wager; big and hard have one for each number.
_CGR = {
    "pass": "a",
    "dont_pass": "b",
    "come": "c",
    "dont_come": "d",
    "place": "e",
    "buy": "e",
    "lay": "f",
    "big:6": "g",
    "big:8": "h",
    "hard:4": "i",
    "hard:6": "j",
    "hard:8": "k",
    "hard:10": "l",
    "field": "m",
    "any7": "n",
    "any_craps": "o",
    "craps2": "p",
    "craps3": "q",
    "craps12": "r",
    "eleven": "s",
    "horn": "t",
    "world": "u",
    "hop": "v",
}
# Wagers that another clause pays than qld s115(1) and cgr 2(4)(c).
_PAYS = {
    "buy": ("qld s116(2)", "cgr 2(5)(a)"),
    "lay": ("qld s117(2)", "cgr 2(4)(c)"),
    "horn": ("qld s115(2)", "cgr 2(4)(d)"),
    "horn_high": ("qld s115(2)", None),
    "world": (None, "cgr 2(4)(e)"),
}

# edition: cause of an invalid roll -> its clause. A roll that is called off is thrown again.
NO_ROLL = {
    "qld1985": {
        "off_table": "qld s127(1)(a)",
        "die_on_die": "qld s127(1)(b)",
        "on_bank": "qld s127(1)(c)",
        "in_cup_or_on_rail": "qld s127(1)(d)",
        "on_chips": "qld s127(1)(e)",
        "fraud": "qld s127(1)(f)",
        "other_dice": "qld s127(1)(g)",
        "not_together": "qld s127(2)(a)",
        "short": "qld s127(2)(b)",
        "improper": "qld s127(2)(c)",
    },
    "cgr1993": {
        "off_table": "cgr 2(9)(a)",
        "die_on_die": "cgr 2(9)(a)",
        "not_together": "cgr 2(9)(b)(i)",
        "short": "cgr 2(9)(b)(ii)",
        "on_bank": "cgr 2(9)(b)(iii)",
        "in_cup_or_on_rail": "cgr 2(9)(b)(iv)",
        "fraud": "cgr 2(9)(b)(v)",
        "improper": "cgr 2(9)(b)(vi)",
        "disputed": "cgr 2(10)(a)",
    },
}

READINGS = {
    "first roll": "the first roll of a list is a come-out roll (qld s108, cgr 2(1)(b))",
    "come": "after the come-out roll means while a point stands (qld s109, cgr 2(2)(c)-(d))",
    "off": "qld s109 calls wagers void on the come-out: by s112(1) they are inactive and stay",
    "come odds": "odds that are off when their come wager is decided go back (qld s121(3))",
    "odds": "odds count from when the point is set; with no point they go back",
    "doubles": "odds may be anything up to twice the wager: qld s119(1A) names once and twice",
    "covers": "the button covers wagers of its kind of the same named player, from when it is placed",
    "lay 9": "the second lay bet 8 of cgr 2(4)(c), 2 to 3, is lay bet 9",
    "cgr dollars": "cgr 2(4)(f) holds for the wagers of its table, not for buy wagers and odds",
    "cgr commission": "none unless the line says a percentage: cgr 2(2)(f), 2(5)(a) allow it",
    "down": "cgr is silent on a commission of a wager taken down: it is kept",
}


def advance(point, total):
    """The come-out point after a roll of this total: qld s108, cgr 2(1)(a)-(e)."""
    if not point:
        return total if total in POINTS else 0
    return 0 if total in (point, 7) else point


def codes(edition):
    """Every wager code of the edition."""
    found = []
    for kind, names in WAGERS[edition]:
        found.extend([kind] if names is None else [kind + ":" + name for name in names])
    return found


def has_wager(edition, kind, name):
    """Whether the edition has this kind of wager, on what `name` says (None: it names nothing).

    qld s109 and cgr 2(5)(c): no other wagers are permitted.
    """
    for known, names in WAGERS[edition]:
        if known == kind:
            return name is None if names is None else name in names
    return False


def distance(number):
    """Where a number's odds stand in PLACE, TRUE, LAY: 4 and 10 first."""
    return min(number, 14 - number) - 4


def defines(edition, code):
    """The clause that says when this wager wins and loses."""
    if edition == "qld1985":
        return "qld s109"
    return "cgr 2(2)(%s)" % (_CGR.get(code) or _CGR[code.split(":", 1)[0]])


def pays(edition, kind):
    """The clause that pays this kind of wager, at its odds and no other (cgr 2(4)(b))."""
    row = _PAYS.get(kind, ("qld s115(1)", "cgr 2(4)(c)"))
    return row[0] if edition == "qld1985" else row[1]


def refuses_removal(edition, kind, point):
    """The clause by which a wager may not be removed or reduced, or None; `point` is its own, or 0."""
    if kind in RIGHT and point:
        return "qld s111(1)" if edition == "qld1985" else "cgr 2(6)(c)"
    return None


def removal_rule(edition, kind):
    """The clause by which an undecided wager is removed or reduced."""
    if edition == "qld1985":
        return "qld s111(2)" if kind in WRONG else "qld s111(1)"
    return "cgr 2(6)(d)" if kind in WRONG else "cgr 2(6)(c)"


def refuses_increase(edition, kind, was_reduced):
    """The clause by which a wager may not be put back or increased, or None.

    A don't once removed or reduced stays so; in cgr until a new come-out roll.
    """
    if kind in WRONG and was_reduced:
        return "qld s111(2)" if edition == "qld1985" else "cgr 2(6)(d)"
    return None
