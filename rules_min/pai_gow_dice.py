"""Pai gow's three dice (qld s418(1)): which box gets the first tiles. PURE. No wagers are settled here."""

from .dice import bad_dice
from .dice import call as dice_call
from .validity import bad_reading as _bad_reading
from .wagers import rejection

GAME = "pai_gow_dice"
BOXES = 8  # numbered counterclockwise (qld s425(9), act pai gow 6.2)
HOUSE_BOX = 1  # the chung's place when the house is the bank (qld s424(2))

# edition: the clause of the total that decides, of the count from the chung's box.
EDITIONS = {
    "qld1985": ("qld s419(2)", "qld s419(3)"),
    "act1999": ("act pai gow 8.11", "act pai gow 8.11"),
}
# The dice tumble, all of them (qld s419(1)), in the cup that covers them (qld s411, s418(2)).
VALIDITY = {
    "qld1985": (("shaken", 1, "not_shaken"), ("flat", 1, "not_flat")),
    "act1999": (("shaken", 1, "not_shaken"), ("flat", 1, "not_flat")),
}
# edition: cause -> the clause by which the dice are shaken again.
NO_SPIN = {
    "qld1985": {"not_flat": "qld s446", "not_shaken": "qld s419(1)", "power_lost": "qld s446"},
    "act1999": {
        "not_flat": "act pai gow 15.1",
        "not_shaken": "act pai gow 8.10",
        "disrupted": "act pai gow 17.1",
        "invalidated": "act pai gow 17.5",
        "power_lost": "act pai gow 17.4",
    },
}
PROCEDURE = {
    "qld1985": {"wager": "qld s420(1)", "activate": "qld s419(1)", "result": "qld s419(2)"},
    "act1999": {"wager": "act pai gow 7.4", "activate": "act pai gow 8.10", "result": "act pai gow 8.11"},
}
READINGS = {
    "call": "no text gives a call: the dice as at sic-bo (qld s77), then the box",
    "power_lost": "dice not read before a power failure are shaken again: no text names it",
}


def bad_result(result, edition=None, variant=None):
    """Why `result` cannot be three dice, or None."""
    return bad_dice(result)


def first_box(dice, chung):
    """The box that gets the first tiles: the chung's counts as 1, 9 or 17, on counterclockwise."""
    return (chung - 1 + sum(dice) - 1) % BOXES + 1


def bad_chung(chung):
    """Why the chung cannot lie there, or None."""
    if type(chung) is not int or not 1 <= chung <= BOXES:
        return "chung is the box it lies at, 1 to %d" % BOXES
    return None


def call(dice, chung):
    return "%s; box %d" % (dice_call(dice), first_box(dice, chung))


def bad_reading(edition, shaken, flat):
    """The cause for which the dice are shaken again, or None."""
    return _bad_reading(VALIDITY[edition], {"shaken": shaken, "flat": flat})


def settle_line(line, memory=None):
    """The answer to one line: the box, or why the dice are shaken again."""
    result, edition = line["result"], line["edition"]
    answer = {"result": result}
    if result == "no_spin":
        causes, cause = NO_SPIN[edition], line.get("cause")
        if not isinstance(cause, str) or cause not in causes:
            return rejection("bad_result", "a no_spin needs a cause: " + ", ".join(sorted(causes)))
        answer["cause"], answer["call"], answer["rule"] = cause, "no spin", causes[cause]
    else:
        problem = bad_dice(result) or bad_chung(line.get("chung"))
        if problem:
            return rejection("bad_result", problem)
        chung = line["chung"]
        answer["call"], answer["box"] = call(result, chung), first_box(result, chung)
        answer["rule"] = EDITIONS[edition][1]
    if line.get("wagers"):
        return rejection("bad_wager", "these dice decide a box, no wager", 0)
    answer["settlements"] = []
    return answer
