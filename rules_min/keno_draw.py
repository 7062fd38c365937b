"""Keno's draw: what twenty numbers are, what is called, what a mishap does to a draw. PURE."""

from .validity import bad_reading as _bad_reading

DRAWN = 20

# What follows a mishap.
REDRAWN = "redrawn"  # the draw is no result; tickets stay in the game, which is drawn again
REFUNDED = "refunded"  # the game is invalidated and its wagers go back
GOES_ON = "goes_on"  # the draw goes on from the last valid number
BY_HAND = "by_hand"  # the draw goes on, the device worked by hand
RECORD = "record"  # nothing changes: what was drawn (or, by a generator, recorded) is the result

# edition: cause -> what follows, the clause.
MISHAPS = {
    "qld1985": {
        "display_error": (RECORD, "qld s222(7)"),
        "broken_ball": (GOES_ON, "qld s222(8)"),
        "device_stopped": (BY_HAND, "qld s222(10)"),
        "short_turns": (REDRAWN, "qld s222(11)(a)"),
        "two_a_turn": (REDRAWN, "qld s222(11)(a)"),
        "malfunction": (REDRAWN, "qld s222(13)"),
        "power_lost": (REDRAWN, "qld s222(13)"),
    },
    "act1999": {
        "display_error": (RECORD, "act keno 12.1"),
        "short_set": (REDRAWN, "act keno 12.2"),
        "interrupted": (GOES_ON, "act keno 12.3"),
        "malfunction": (REDRAWN, "act keno 12.3"),
        "power_lost": (REDRAWN, "act keno 12.3"),
        "broken_ball": (REDRAWN, "act keno 12.4(a)"),
        "fallen_back": (GOES_ON, "act keno 12.4(b)"),
        "spill": (REDRAWN, "act keno 12.4(c)"),
        "device_stopped": (BY_HAND, "act keno 12.4(d)"),
        "disrupted": (REFUNDED, "act keno 14.1"),
        "invalidated": (REFUNDED, "act keno 14.4"),
    },
}
REFUND = "act keno 14.5"  # the wagers of an invalidated draw may be refunded; we do (keno.READINGS)
# What a ball device must show. qld s222(11)(a): a turn the one way to mix, then the other way at
# most a ball a turn; (b) lets another manner be approved, which is not judged. act keno 12.2: all 80.
VALIDITY = {
    "qld1985": (("mixing_turns", 1, "short_turns"), ("one_a_turn", 1, "two_a_turn")),
    "act1999": (("available", 80, "short_set"),),
}
# edition: whose word a new draw needs, the clause. act asks for nobody's.
NEW_DRAW = {"qld1985": ("inspector", "qld s222(14)"), "act1999": (None, "act keno 12.3")}

# The acts of a draw and the clause that orders each.
PROCEDURE = {
    "qld1985": {
        "wager": "qld s222(1)",
        "no_more_bets": "qld s222(2)",
        "activate": "qld s211(1)",
        "result": "qld s222(5)",
        "call": "qld s212(b)",
    },
    "act1999": {
        "wager": "act keno 1.2",
        "no_more_bets": "act keno 7.2",
        "activate": "act keno 7.1",
        "result": "act keno 7.1",
        "call": "act keno 7.3",
    },
}


def ends(edition):
    """The causes that leave a draw without a result: {cause: (what follows, clause)}."""
    mishaps = MISHAPS[edition]
    return {cause: mishaps[cause] for cause in mishaps if mishaps[cause][0] in (REDRAWN, REFUNDED)}


def bad_result(result):
    """Why `result` cannot be a draw (qld s222(4), act keno 7.1), or None."""
    if not isinstance(result, (list, tuple)) or len(result) != DRAWN:
        return "a keno result is 20 numbers"
    for number in result:
        if type(number) is not int or not 1 <= number <= 80:
            return "each number drawn is a whole one from 1 to 80"
    return None if len(set(result)) == DRAWN else "a number is drawn once only"


def call(result):
    """The numbers one by one as they were drawn (qld s212(b)); act keno 7.3 has them displayed."""
    return ", ".join(str(number) for number in result)


def marks(result):
    """One byte a number: 1 where it was drawn."""
    drawn = bytearray(81)
    for number in result:
        drawn[number] = 1
    return drawn


def catch(drawn, numbers):
    """How many of these numbers were drawn."""
    caught = 0
    for number in numbers:
        caught += drawn[number]
    return caught


def bad_reading(edition, reading):
    """The cause that leaves a ball device's drawing without a result, or None."""
    return _bad_reading(VALIDITY[edition], reading)
