"""Keno's schedules of prizes: what a catch pays for each dollar. PURE.

act1999 prints its schedules; qld1985 has them approved casino by casino (qld s210 "schedule of
prizes"), so there they come with the line, as does act's third special schedule. A row is the
prizes of one number of spots, by catch: a tuple of dollars, or a given table of cents.
"""

from .wagers import MAX_STAKE_CENTS

MOST_SPOTS = 80
MOST_CATCH = 20

# act keno 8.1: dollars for $1, numbers selected 1 to 15 downwards, numbers matched from 0 rightwards.
STANDARD = (
    (0, 3),
    (0, 0, 13),
    (0, 0, 2, 36),
    (0, 0, 1, 5, 113),
    (1, 0, 0, 1, 10, 530),
    (0, 0, 0, 1, 4, 50, 1000),
    (1, 0, 0, 1, 3, 10, 155, 5000),
    (1, 0, 0, 0, 1, 5, 50, 555, 12500),
    (2, 0, 0, 0, 2, 4, 15, 150, 3000, 20000),
    (3, 0, 0, 0, 1, 3, 12, 50, 500, 7500, 25000),
    (4, 1, 0, 0, 0, 2, 5, 32, 200, 1500, 10000, 30000),
    (6, 1, 0, 0, 0, 1, 5, 15, 75, 600, 4000, 12000, 35000),
    (8, 1, 0, 0, 0, 1, 3, 7, 40, 250, 2000, 9000, 20000, 40000),
    (10, 1, 0, 0, 0, 1, 2, 5, 15, 150, 500, 5500, 15000, 25000, 45000),
    (12, 2, 0, 0, 0, 0, 2, 5, 15, 50, 350, 1600, 8000, 15000, 30000, 50000),
)
# act keno 8.2: 6 and 8 numbers; every other number is paid as 8.1.
SPECIAL_ONE_6 = (1, 0, 0, 1, 6, 50, 1200)
SPECIAL_ONE_8 = (1, 0, 0, 0, 2, 9, 60, 1000, 12500)
# act keno 8.3: 3 to 6 numbers, all of them matched.
SPECIAL_TWO = (
    (0, 0, 0, 56),
    (0, 0, 0, 0, 252),
    (0, 0, 0, 0, 0, 1200),
    (0, 0, 0, 0, 0, 0, 6000),
)

# name: the clause that pays by it. "special3" (act keno 8.4) is approved before use: it comes with the line.
ACT_SCHEDULES = {
    "standard": "act keno 8.1",
    "special1": "act keno 8.2",
    "special2": "act keno 8.3",
    "special3": "act keno 8.4",
}


def clause(edition, schedule):
    """The clause that pays by this schedule."""
    return ACT_SCHEDULES[schedule] if edition == "act1999" else "qld s219(1)(b)"


def row(edition, given, schedule, spots):
    """The prizes of a ticket of so many spots, or None where the schedule has none."""
    if schedule in given:
        return given[schedule].get(str(spots))
    return _printed(schedule, spots) if edition == "act1999" else None


def _printed(schedule, spots):
    if schedule == "special2":
        return SPECIAL_TWO[spots - 3] if 3 <= spots <= 6 else None
    if schedule == "special1" and spots == 6:
        return SPECIAL_ONE_6
    if schedule == "special1" and spots == 8:
        return SPECIAL_ONE_8
    if schedule in ("standard", "special1") and spots <= len(STANDARD):
        return STANDARD[spots - 1]
    return None


def cents_a_dollar(prizes, catch):
    """What this catch pays for $1: the one prize of the catch itself (qld s219(2))."""
    if isinstance(prizes, tuple):
        return prizes[catch] * 100
    return prizes.get(str(catch), 0)


# -- schedules that come with a line


def bad_schedules(edition, schedules):
    """Why `schedules` is no table of schedules, or None."""
    if not isinstance(schedules, dict):
        return "schedules is a table of schedules by name"
    for name, rows in schedules.items():
        if not isinstance(name, str) or (edition == "act1999" and name != "special3"):
            return "schedules: act1999 prints its own; only special3 may be given (act keno 8.4)"
        problem = _bad_rows(rows)
        if problem:
            return "schedules.%s: %s" % (name[:40], problem)
    return None


def _bad_rows(rows):
    if not isinstance(rows, dict):
        return "a schedule is a table of prizes by number of spots"
    for key, prizes in rows.items():
        spots = number_of(key)
        if not 1 <= spots <= MOST_SPOTS:
            return "spots are counted from 1 to %d" % MOST_SPOTS
        if not isinstance(prizes, dict):
            return "%d spots: prizes are a table of cents for $1 by catch" % spots
        problem = _bad_prizes(spots, prizes)
        if problem:
            return problem
    return None


def _bad_prizes(spots, prizes):
    for key, cents in prizes.items():
        if not 0 <= number_of(key) <= min(spots, MOST_CATCH):
            return "%d spots: no such catch" % spots
        if type(cents) is not int or not 0 <= cents <= MAX_STAKE_CENTS:
            return "%d spots: a prize is whole cents for $1" % spots
    return None


def number_of(key):
    """The number that a JSON key of one or two digits names, or -1."""
    if not isinstance(key, str) or not 1 <= len(key) <= 2 or (key[0] == "0" and key != "0"):
        return -1
    for digit in key:
        if digit not in "0123456789":
            return -1
    return int(key)
