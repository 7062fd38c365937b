"""Judges what a device read against what an edition asks of a valid spin. PURE.

A game's VALIDITY has, for each edition, rows of (what the reading says, the least it must be,
the cause of no spin where it is less). Turns and revolutions are counts; the others are yes (1)
or no (0): flat, against (the ball against the wheel's rotation), clear (no foreign object), …
"""


def bad_reading(rows, reading):
    """The cause that makes a spin no spin, or None; what was not measured is not judged."""
    for name, least, cause in rows:
        if name in reading and reading[name] < least:
            return cause
    return None
