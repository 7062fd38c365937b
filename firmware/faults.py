"""PURE. Every fault a board can have, once: number, name, what it means, what to do.

The board raises `Fault(code, detail)`; the host looks the number up here to say it in words.
Numbers are for ever: a retired one is never given out again.
"""

EDGES_LOST = 10
TUMBLER_STALLED = 20
SEAL_BROKEN = 21
MOTOR_OVERRUN = 25
JOURNAL_FULL = 30
JOURNAL_WRITE = 31
JOURNAL_WORN = 32
JOURNAL_SPOILT = 33
JOURNAL_NEWER = 34
CONFIG_BAD = 40
CONFIG_COPY = 41
RETIRED = 45
ADOPTION_CUT = 46
NOISE_UNHEALTHY = 50
DRAW_REPEATED = 51
COUNTER_BACK = 52
CRASHED = 90
# The power going and coming does not mend these: somebody has to see to them, and a start finds them again.
LASTING = (
    EDGES_LOST,
    TUMBLER_STALLED,
    SEAL_BROKEN,
    MOTOR_OVERRUN,
    NOISE_UNHEALTHY,
    DRAW_REPEATED,
    COUNTER_BACK,
)

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
    MOTOR_OVERRUN: (
        "motor_overrun",
        "the motor was on for longer than it may be, and is switched off",
        "check turn sensor and motor; motor.most_ms of the configuration is the time",
    ),
    JOURNAL_FULL: (
        "journal_full",
        "the journal is full of games that nobody has pulled",
        "pitkit journal pull FILE",
    ),
    JOURNAL_WRITE: (
        "journal_write",
        "a record did not read back as written, and no good sector is left",
        "replace the board: its flash is worn",
    ),
    JOURNAL_WORN: (
        "journal_worn",
        "a sector of the journal no longer takes what is written; the record goes round it",
        "pull the journal and replace the board soon",
    ),
    JOURNAL_SPOILT: (
        "journal_spoilt",
        "the record does not read as it was written",
        "pull the journal (pitkit journal verify names the place) and replace the board",
    ),
    JOURNAL_NEWER: (
        "journal_newer",
        "the journal was written by a newer firmware; nothing of it is touched",
        "put the newer firmware back",
    ),
    CONFIG_BAD: (
        "config_bad",
        "no valid configuration is on the board",
        "pitkit config apply FILE",
    ),
    CONFIG_COPY: (
        "config_copy",
        "a copy of the configuration was spoilt; the other one serves, and it was written anew",
        "if it comes again, replace the board",
    ),
    RETIRED: (
        "retired",
        "this table was carried to another board",
        "erase this board's flash before it is used again",
    ),
    ADOPTION_CUT: (
        "adoption_cut",
        "a table was being carried to this board and not all of it came",
        "pitkit journal adopt FILE again",
    ),
    NOISE_UNHEALTHY: (
        "noise_unhealthy",
        "a noise source failed its health tests, so nothing is drawn",
        "keep its samples (pitkit rng raw), replace the board or the noise circuit",
    ),
    DRAW_REPEATED: (
        "draw_repeated",
        "a draw or a commitment came out as the one before",
        "pull the journal and replace the board: its generator is stuck",
    ),
    COUNTER_BACK: (
        "counter_back",
        "a counter of the board stands before one that it kept elsewhere",
        "find out who put an older journal on this board",
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
