"""Wheels with sections: wheels of fortune of 50, 52 and 54 sections, money wheel, big six. PURE.

A wheel's rows say which symbols it has, on how many sections each, and what they pay. Which
symbol sits in which section is configuration, checked against these counts.
"""

from .validity import bad_reading as _bad_reading
from .wagers import rejection

GAME = "wheel"
VARIANT = "wheel"  # the field of a line that names one

# wheel: (symbol, sections, odds "to 1", paragraph of act wheel 6.1). Sections are those of qld s145(2),
# s156(2) and act wheel 2.1; wagers are on the symbols there are (qld s149, act wheel 4.4).
WHEEL_50 = (
    ("a", 24, 1), ("b", 8, 5), ("c", 8, 5), ("d", 4, 11),
    ("e", 2, 22), ("f", 2, 22), ("g", 1, 44), ("h", 1, 44),
)  # fmt: skip
WHEEL_52 = (("a", 24, 1), ("b", 12, 3), ("c", 8, 5), ("d", 4, 11), ("e", 2, 23), ("f", 1, 47), ("g", 1, 47))
MONEY_WHEEL = (
    ("$1", 24, 1, "a"), ("$3", 12, 3, "b"), ("$5", 8, 5, "c"), ("$11", 4, 11, "d"),
    ("$23", 2, 23, "e"), ("canberra", 1, 47, "f"), ("flag", 1, 47, "g"),
)  # fmt: skip
WHEEL_54 = (
    ("$1", 24, 1), ("$2", 15, 2), ("$5", 7, 5), ("$10", 4, 10),
    ("$20", 2, 20), ("joker", 1, 40), ("casino", 1, 40),
)  # fmt: skip
BIG_SIX = ()  # three numbers a section; wagers are on a number

# edition: {wheel: (its rows, the clause that pays, that says what wins, of a stop on a peg)}.
_QLD = {
    "50": (WHEEL_50, "qld s154(1)", "qld s149", "qld s154(2)"),
    "52": (WHEEL_52, "qld s160(1)", "qld s158", "qld s160(2)"),
}
EDITIONS = {
    "qld1985": _QLD,
    "qld2004": _QLD,
    "act1999": {"52": (MONEY_WHEEL, "act wheel 6.1(%s)", "act wheel 7.1", "act wheel 8.3")},
    "cgr1993": {
        "54": (WHEEL_54, "cgr 7(1)", "cgr 7(1)", None),
        "big_six": (BIG_SIX, "cgr 7(2)(%s)", "cgr 7(2)", None),
    },
}
MATCHES = ("i", "ii", "iii")  # cgr 7(2): one, two, three correct numbers pay 1, 2, 3 to 1

# What a reading must show. Either direction is good (qld s146(1), act wheel 5.3).
_QLD_VALIDITY = (("working", 1, "malfunction"), ("revolutions", 4, "short_revolutions"))
VALIDITY = {
    "qld1985": _QLD_VALIDITY,
    "qld2004": _QLD_VALIDITY,
    "act1999": (
        ("working", 1, "malfunction"),
        ("untouched", 1, "interference"),
        ("revolutions", 2, "short_revolutions"),
        ("off_peg", 1, "peg"),
    ),
    "cgr1993": (("working", 1, "malfunction"),),
}
_QLD_NO_SPIN = {  # the wheel of 52 too: qld s161
    "short_revolutions": "qld s146(3)",
    "malfunction": "qld s155(1)",
    "announced": "qld s155(2)",
    "power_lost": "qld s155(1)",
}
NO_SPIN = {
    "qld1985": _QLD_NO_SPIN,
    "qld2004": _QLD_NO_SPIN,
    "act1999": {
        "short_revolutions": "act wheel 8.1",
        "interference": "act wheel 8.2",
        "malfunction": "act wheel 8.2",
        "peg": "act wheel 8.3",
        "disrupted": "act wheel 10.1",
        "invalidated": "act wheel 10.5",
        "power_lost": "act wheel 10.4",
    },
    "cgr1993": {"malfunction": "cgr 7", "power_lost": "cgr 7"},
}
_QLD_PROCEDURE = {
    "wager": "qld s150(3)",
    "activate": "qld s146(3)",
    "no_more_bets": "qld s146(4)",
    "result": "qld s147",
}
PROCEDURE = {
    "qld1985": _QLD_PROCEDURE,
    "qld2004": _QLD_PROCEDURE,
    "act1999": {
        "wager": "act wheel 4.3",
        "activate": "act wheel 5.2",
        "no_more_bets": "act wheel 5.1",
        "result": "act wheel 7.1",
    },
    "cgr1993": {"wager": "cgr 7", "activate": "cgr 7", "no_more_bets": "cgr 7", "result": "cgr 7"},
}
READINGS = {
    "cgr no_spin": "cgr 7 gives odds only: a spin that fails is void, and a peg is no result",
    "cgr sections": "cgr 7(1) fixes no counts: the usual 54 sections",
    "big_six": "the usual wheel of three numbers a section: cgr 7(2) gives odds only",
    "power_lost": "a spin cut short by a power failure is void: no text names it",
    "qld2004": "the 1999 rule it amends is not at hand: odds and clauses are those of qld1985",
}


def _row(edition, variant, symbol):
    for row in EDITIONS[edition][variant][0]:
        if row[0] == symbol:
            return row
    return None


def symbols(edition, variant):
    return tuple(row[0] for row in EDITIONS[edition][variant][0])


def bad_sections(edition, variant, sections):
    """Why these are no sections for this wheel, or None: the counts decide (qld s145(2), s156(2))."""
    rows = EDITIONS[edition][variant][0]
    for symbol in sections:
        if rows and not _row(edition, variant, symbol):
            return "no such symbol on this wheel: %s" % str(symbol)[:20]
    for row in rows if edition != "cgr1993" else ():
        found = sum(1 for symbol in sections if symbol == row[0])
        if found != row[1]:
            return "%s has %d sections, not %d" % (row[0], row[1], found)
    return None


def bad_result(result, edition, variant):
    """Why `result` is no result of this wheel, or None."""
    if variant != "big_six":
        shown = ", ".join(symbols(edition, variant))
        good = isinstance(result, str) and _row(edition, variant, result)
        return None if good else "a result is one of: " + shown
    if not isinstance(result, (list, tuple)) or len(result) != 3:
        return "a big six result is three numbers, as [1,2,3]"
    for number in result:
        if type(number) is not int or not 1 <= number <= 6:
            return "each number is a whole one from 1 to 6"
    return None


def on_peg(edition, variant, last):
    """(the symbol that wins, the clause that voids, a rejection) for an indicator on a peg."""
    clause = EDITIONS[edition][variant][3]
    if clause is None:
        return None, None, rejection("bad_result", "this edition has no rule for a peg")
    if edition == "act1999" and last is None:
        return None, clause, None
    problem = bad_result(last, edition, variant)
    if problem:
        return None, None, rejection("bad_result", "last is the symbol that last passed; " + problem)
    if edition == "act1999":  # act wheel 8.3: void, whatever passed
        return None, clause, None
    return last, None, None  # qld s154(2), s160(2): the symbol that last passed the indicator wins


def call(result):
    """What the dealer announces (qld s147): the winning symbol; at the big six, the three numbers."""
    return result if isinstance(result, str) else "%d, %d, %d" % tuple(sorted(result))


def kinds(edition, variant):
    return ("number",) if variant == "big_six" else ()


def known(code, edition, variant):
    if variant != "big_six":
        return _row(edition, variant, code) is not None
    return code in ("number:1", "number:2", "number:3", "number:4", "number:5", "number:6")


def winners(result, edition, variant):
    """Every wager that wins, with its odds: {code: (to, one)}."""
    if variant != "big_six":
        return {result: (_row(edition, variant, result)[2], 1)}
    return {"number:%d" % number: (list(result).count(number), 1) for number in result}


def win_rule(edition, code, result=None, variant=None):
    """The clause that pays this wager."""
    clause = EDITIONS[edition][variant][1]
    if variant == "big_six":
        return clause % MATCHES[list(result).count(int(code[-1])) - 1]
    return clause % _row(edition, variant, code)[3] if "%" in clause else clause


def lose_rule(edition, code, result=None, variant=None):
    """The clause that says what this wager needs, and so why it lost."""
    return EDITIONS[edition][variant][2]


def bad_reading(edition, reading):
    """The cause that makes a spin no spin, or None: {"revolutions": …, "off_peg": …, …} judged."""
    return _bad_reading(VALIDITY[edition], reading)
