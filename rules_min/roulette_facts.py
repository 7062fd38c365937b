"""What the editions say of roulette: clauses, what a valid spin shows, what makes none. PURE.

Read by roulette.py, which hands it on under its own name.
"""

# edition: zeros, race track, revolutions of the ball and whose clause, and the clauses that pay,
# that say what wins, that pay on a zero and that lose on one ("%s" takes the paragraph).
EDITIONS = {
    "qld1985": (1, False, 4, "qld s132(1)", "qld s143(1)", "qld s135", "qld s143(3)", "qld s143(2)"),
    "qld2004": (1, False, 4, "qld s132(1)", "qld s143(1)", "qld s135", "qld s143(3)", "qld s143(2)"),
    "act1999": (
        1, True, 3, "act roulette 5.2",
        "act roulette 6.1(%s)", "act roulette 7.1", "act roulette 7.3(a)", "act roulette 7.3(b)",
    ),
    "cgr1993": (2, False, 4, "cgr 6(3)(a)", "cgr 6(2)", "cgr 6(2)", "cgr 6(2)", "cgr 6(2)"),
}  # fmt: skip

# What a reading must show (the ball against the wheel's rotation, clear of objects, …).
_BALL = (
    ("against", 1, "same_direction"),
    ("clear", 1, "foreign_object"),
    ("in_wheel", 1, "ball_out"),
)
VALIDITY = {
    "qld1985": _BALL + (("free", 1, "hung_up"), ("revolutions", 4, "short_revolutions")),
    "qld2004": _BALL + (("free", 1, "hung_up"), ("revolutions", 4, "short_revolutions")),
    "act1999": _BALL + (("in_pocket", 1, "not_in_pocket"), ("revolutions", 3, "short_revolutions")),
    "cgr1993": _BALL[:2] + (("revolutions", 4, "short_revolutions"),),
}
_QLD_NO_SPIN = {
    "same_direction": "qld s144(1)",
    "short_revolutions": "qld s144(2)",
    "foreign_object": "qld s144(3)",
    "hung_up": "qld s144(3)",
    "ball_out": "qld s144(4)",
    "announced": "qld s144(5)",  # "no spin" was said: invalid wherever the ball then rests
    "power_lost": "qld s144(5)",
}
NO_SPIN = {
    "qld1985": _QLD_NO_SPIN,
    "qld2004": _QLD_NO_SPIN,
    "act1999": {
        "same_direction": "act roulette 9.1",
        "short_revolutions": "act roulette 9.2",
        "foreign_object": "act roulette 9.3",
        "not_in_pocket": "act roulette 9.4",
        "ball_out": "act roulette 9.5",
        "disrupted": "act roulette 10.1",
        "invalidated": "act roulette 10.5",
        "power_lost": "act roulette 10.4",
    },
    "cgr1993": {
        "same_direction": "cgr 6(4)(a)",
        "short_revolutions": "cgr 6(4)(b)",
        "foreign_object": "cgr 6(4)(c)",
        "power_lost": "cgr 6(4)(b)",
    },
}
_QLD_PROCEDURE = {
    "wager": "qld s136(4)",
    "activate": "qld s132(1)",
    "no_more_bets": "qld s132(2)",
    "result": "qld s133(1)",
}
PROCEDURE = {
    "qld1985": _QLD_PROCEDURE,
    "qld2004": _QLD_PROCEDURE,
    "act1999": {
        "wager": "act roulette 4.4",
        "activate": "act roulette 5.1",
        "no_more_bets": "act roulette 5.3",
        "result": "act roulette 7.1",
    },
    "cgr1993": {
        "wager": "cgr 6(3)(b)",
        "activate": "cgr 6(3)(a)",
        "no_more_bets": "cgr 6(3)(b)",
        "result": "cgr 6(3)(c)",
    },
}
READINGS = {
    "order": "the orders of the pockets, the reds and the five numbers are the trade's usual ones",
    "voisins": "the pieces placed twice are 0/2/3 and 25/26/28/29: nine pieces in all (act 4.9(c))",
    "zero": "0 and 00 lose every outside wager; cgr 6(2) says it of red and black only",
    "no_spin": "qld s144 and cgr 6(4) say only that the spin is invalid: wagers are void, stakes go back",
    "power_lost": "a spin cut short by a power failure is void: no text names it",
    "qld2004": "the 1999 rule it amends is not at hand: odds and clauses are those of qld1985",
}
