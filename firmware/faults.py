"""PURE. Every fault a board can have, once: number, name, what it means, what to do.

The board raises `Fault(code, detail)`; the host looks the number up here to say it in words.
Numbers are for ever: a retired one is never given out again.
"""

EDGES_LOST = 10
TUMBLER_STALLED = 20
SEAL_BROKEN = 21
JOURNAL_FULL = 30
JOURNAL_WRITE = 31
CONFIG_BAD = 40
CONFIG_COPY = 41
NOISE_UNHEALTHY = 50
CRASHED = 90

FAULTS = {
    EDGES_LOST: (
        "edges_lost",
        "sensor edges came faster than they could be kept",
        "check the sensor's wiring for noise",
    ),
    TUMBLER_STALLED: (
        "tumbler_stalled",
        "the tumbler did not turn, or its dice did not come to rest",
        "check motor, supply, turn sensor and vibration switch",
    ),
    SEAL_BROKEN: (
        "seal_broken",
        "the seal loop of the tumbler is open",
        "close the tumbler and have it sealed",
    ),
    JOURNAL_FULL: (
        "journal_full",
        "no erased room is left in the journal",
        "close the table; it clears room while idle",
    ),
    JOURNAL_WRITE: (
        "journal_write",
        "a record did not read back as written",
        "replace the board: its flash is worn",
    ),
    CONFIG_BAD: (
        "config_bad",
        "no valid configuration is on the board",
        "pitkit config apply FILE",
    ),
    CONFIG_COPY: (
        "config_copy",
        "one of the two copies of the configuration is spoilt, the other one serves",
        "apply the configuration again",
    ),
    NOISE_UNHEALTHY: (
        "noise_unhealthy",
        "the noise source failed its health test",
        "replace the board",
    ),
    CRASHED: (
        "crashed",
        "the firmware stopped on an error of its own",
        "send us the journal",
    ),
}


class Fault(Exception):
    def __init__(self, code, detail=""):
        super().__init__(code, detail)
        self.code = code
        self.detail = detail


def name(code):
    return FAULTS[code][0] if code in FAULTS else "fault_%d" % code


def words(code, detail=""):
    """One sentence: what happened and what to do about it."""
    if code not in FAULTS:
        return "fault %d, unknown to this version (%s)" % (code, detail)
    _, meaning, remedy = FAULTS[code]
    return "%s%s: %s" % (meaning, " (%s)" % detail if detail else "", remedy)
