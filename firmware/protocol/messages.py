"""Every message that crosses the line, declared once. PURE: board and host import this file.

Three tables: COMMANDS (host to board, each with the fields of its answer), EVENTS (board to
host; they are the journal's records, so what the line says is what the flash says) and
REFUSALS. versions.md beside this file has the rules by which they grow, and the bytes.

Field types: u unsigned integer, s text, b bytes, l list of unsigned integers.
"""

MAJOR = 1
MINOR = 1

OBSERVE, DEALER, SUPERVISOR, INSPECTOR = ROLES = ("observe", "dealer", "supervisor", "inspector")

# The first two fields of identify's answer never move: they say whether the rest can be read.
IDENTITY = (
    ("major", "u"),
    ("minor", "u"),
    ("firmware", "s"),
    ("board", "s"),
    ("table", "s"),
    ("edition", "s"),
    ("rules_hash", "s"),
    ("config_hash", "s"),
    ("unique_id", "s"),
    ("boot", "u"),  # how often the board has started
    ("boot_nonce", "u"),  # another one at each start: a host sees a restart it slept through
    ("provisioned", "u"),
    ("fault", "u"),
    ("first_event", "u"),
    ("next_event", "u"),
    ("image_hash", "s"),  # of everything the image was built from; empty on the simulated board
    ("window", "u"),  # since 1.1: commands that may be under way at a time
    ("window_bytes", "u"),  # so many bytes of them: what the board can hold unread
    ("applied", "u"),  # the last command of this session that was applied, from the journal after a restart
    ("previous", "u"),  # so too of the session before it; 0: the board knows of none
)
STATUS = (
    ("betting", "s"),
    ("device", "s"),
    ("round", "u"),
    ("revision", "u"),
    ("wagers", "u"),
    ("staked", "u"),
    ("cover_on", "u"),
    ("dice", "l"),
    ("fault", "u"),
    ("detail", "s"),
    ("heap_free", "u"),
    ("collect_us", "u"),  # the longest garbage collection since the table was set up
    ("write_us", "u"),  # the longest a record took to be on flash, since the start
    ("journal_room", "u"),  # segments that can be begun before the journal is full
    ("test", "u"),  # test mode: nothing is counted by the meters
)
PAYOUT = (
    ("code", "s"),
    ("stake", "u"),
    ("outcome", "s"),
    ("pays", "u"),
    ("returned", "u"),
    ("odds", "l"),
    ("rule", "s"),
)
ROUND = (("round", "u"),)
METERS = (
    ("games", "u"),
    ("turnover", "u"),
    ("paid", "u"),
    ("voided", "u"),
    ("refunded", "u"),
    ("causes", "s"),  # "exposed:2 not_flat:1"; since the voids message was added, empty
    ("faults", "s"),  # "20:1", by the numbers of faults.py
    ("last", "l"),  # round, staked and returned of the newest settlement
    ("pulled", "u"),  # the last record that a host has in a file
    ("flags", "u"),  # 1 test mode, 2 a table is being carried here, 4 it was carried away, 8 a test round
    ("standing", "u"),  # the fault that a power cycle does not mend, if there is one
    ("config", "s"),  # the hash of the configuration in force
    ("utc_ms", "u"),  # when the clock was last set
)
VOIDS = (("causes", "s"),)

COMMITMENT = ROUND + (("commitment", "b"), ("last", "b"))  # last: the digest of the draw before
# a draw's record: all that is needed to replay it, and its own digest, which the next one carries
DRAWN = ROUND + (
    ("of", "u"),
    ("seed", "b"),
    ("pool", "b"),
    ("nonce", "b"),
    ("numbers", "l"),
    ("last", "b"),
    ("digest", "b"),
)

# due_ms: UTC from which it counts; 0 and a rule: so long after the clock is known; no rule: at once
# withdrawn: what was announced before, and waited, is no longer to come
COMMITTED = (("hash", "s"), ("due_ms", "u"), ("rule", "s"), ("withdrawn", "u"))

# pitkit io: how many pins are watched, lamp outputs and digits there are, and when it ends by itself
IO = (("pins", "u"), ("lamps", "u"), ("digits", "u"), ("silence_ms", "u"))
IO_DARK = 10  # in io_digits: a dark place
NO_GPIO = 255  # in io_pin: a key of a matrix, which has no pin to itself
TUMBLE = (("state", "s"), ("turns", "u"), ("run_ms", "u"), ("settle_ms", "u"), ("trouble", "s"))

IDENTIFY = (
    ("major", "u"),
    ("minor", "u"),
    ("session", "u"),
    ("role", "s"),
    ("before", "u"),  # since 1.1: the number before this session's oldest command without an answer
    ("resumed", "u"),  # this session has sent commands before
    ("previous", "u"),  # the session of the process that this one took over from, 0: none
)
LINE = (
    ("since_ms", "u"),  # board time at which counting began
    ("now_ms", "u"),
    ("frames", "u"),  # whole ones that came
    ("bad", "u"),  # that were spoilt or cut short
    ("commands", "u"),  # applied
    ("repeated", "u"),  # came again and were not applied again
    ("held", "u"),  # came before the one before them
    ("events", "u"),  # sent
    ("events_again", "u"),
    ("patience_ms", "u"),  # how long an event waits to be told again
    ("dropped", "u"),  # answers for which the way out had no room: the host asks again
)

# length: of the whole thing; packed: bytes of this block on the line; how and crc (of those): bulk.py
BLOCK = (("length", "u"), ("packed", "u"), ("how", "u"), ("crc", "u"), ("part", "b"))

# number: name, least role, fields, fields of the answer
COMMANDS = {
    1: ("identify", OBSERVE, IDENTIFY, IDENTITY),
    2: ("status", OBSERVE, (), STATUS),
    3: ("follow", OBSERVE, (("event", "u"),), ()),  # send events from this number on
    10: ("open", DEALER, (), ROUND),
    11: ("wager", DEALER, (("ref", "u"), ("code", "s"), ("stake", "u"), ("player", "s")), ROUND),
    12: ("activate", DEALER, (), ROUND),
    13: ("no_more_bets", DEALER, (), ROUND),
    14: ("no_spin", DEALER, (("cause", "s"),), ROUND),
    15: ("payout", OBSERVE, (("ref", "u"),), PAYOUT),
    16: ("clear_fault", SUPERVISOR, (), ()),
    17: ("meters", OBSERVE, (), METERS),
    18: ("segment", OBSERVE, (("index", "u"),), (("segments", "u"), ("number", "u"), ("sector", "u"))),
    19: ("journal_read", OBSERVE, (("sector", "u"), ("offset", "u")), (("part", "b"),)),
    20: ("config_read", OBSERVE, (("offset", "u"),), (("length", "u"), ("part", "b"))),
    21: ("config_part", SUPERVISOR, (("offset", "u"), ("part", "b")), ()),
    22: ("config_commit", SUPERVISOR, (("length", "u"), ("hash", "s")), COMMITTED),
    23: ("journal_key", INSPECTOR, (), (("key", "b"),)),  # only while it is the first, and only once
    24: ("time_set", SUPERVISOR, (("utc_ms", "u"),), (("back_ms", "u"),)),
    25: ("time", OBSERVE, (), (("utc_ms", "u"), ("how", "s"), ("at_ms", "u"))),  # how is empty: not known
    26: ("voids", OBSERVE, (), VOIDS),
    # a host has every record up to this one in a file: the board may drop them when it needs the room
    27: ("pulled", SUPERVISOR, (("upto", "u"), ("digest", "s")), ()),
    # the records of a round, from number `seq` on (0: from its start); next 0: there are no more
    28: ("recall", OBSERVE, (("round", "u"), ("seq", "u")), (("next", "u"), ("records", "b"))),
    29: ("test_mode", SUPERVISOR, (("on", "u"),), ()),
    # a configuration that waits for its notice to be over; due 0: for the clock to be known
    30: ("config_waiting", OBSERVE, (("offset", "u"),), (("length", "u"), ("part", "b"), ("due_ms", "u"))),
    31: ("retire", INSPECTOR, (), ()),  # this table goes on on another board
    32: ("adopt_record", INSPECTOR, (("type", "u"), ("payload", "b")), ()),
    33: (
        "adopt",
        INSPECTOR,
        (("board", "s"), ("upto", "u"), ("mac", "b"), ("round", "u"), ("records", "u")),
        ROUND,
    ),
    # 1: the parts tried one by one, with the table out of play; 2: its edges told while it plays; 0: neither
    40: ("io", SUPERVISOR, (("on", "u"),), IO),
    41: ("io_pin", SUPERVISOR, (("index", "u"),), (("name", "s"), ("gpio", "u"), ("active", "u"))),
    42: ("io_levels", SUPERVISOR, (), (("closed", "l"), ("edges", "l"))),  # by pin; edges counted since
    # edges not fetched yet, two numbers each: the board's time in µs, and pin * 2 + closed
    43: ("io_edges", SUPERVISOR, (), (("now_us", "u"), ("lost", "u"), ("edges", "l"))),
    44: ("io_lamps", SUPERVISOR, (("outputs", "l"),), ()),  # lights exactly these
    45: ("io_digits", SUPERVISOR, (("digits", "l"),), ()),  # 0 to 9 from the left, IO_DARK
    46: ("io_motor", SUPERVISOR, (("ms", "u"),), ()),  # on for so long; 0: off
    47: ("io_tumble", SUPERVISOR, (("start", "u"),), TUMBLE),  # start 0: how far it is
    # the generator: "name:thousandths of a bit a sample:samples a seed" of each source
    50: ("rng_status", OBSERVE, (), (("healthy", "u"), ("alarms", "u"), ("sources", "s"), ("why", "s"))),
    51: (
        "rng_raw",
        OBSERVE,
        (("source", "u"), ("bytes", "u")),
        (("name", "s"), ("entropy_milli", "u"), ("part", "b")),
    ),
    # draws that are no game's, one number a byte; of 0: `count` bytes of output before scaling
    52: ("rng_final", OBSERVE, (("count", "u"), ("of", "u"), ("games", "u")), (("us", "u"), ("part", "b"))),
    53: ("game_open", DEALER, (), COMMITMENT),
    54: ("game_close", DEALER, (("pool", "b"), ("nonce", "b")), ROUND),
    55: ("game_draw", DEALER, (), DRAWN),
    # bulk.py: a thing in blocks of 4096 bytes, each packed or as it is; `have`: bytes that are there already
    60: ("put_begin", SUPERVISOR, (("name", "s"), ("length", "u"), ("hash", "b")), (("have", "u"),)),
    61: ("put_part", SUPERVISOR, (("offset", "u"), ("part", "b")), ()),
    62: ("put_end", SUPERVISOR, (), (("length", "u"), ("hash", "b"))),
    63: ("get_block", OBSERVE, (("name", "s"), ("block", "u")), BLOCK),
    64: ("get_part", OBSERVE, (("offset", "u"),), (("part", "b"),)),
    65: ("line_stats", OBSERVE, (), LINE),
}

# number: name, fields
EVENTS = {
    1: ("boot", (("count", "u"), ("cause", "u"), ("firmware", "s"), ("config", "s"), ("torn", "u"))),
    2: ("configured", (("hash", "s"), ("author", "s"), ("changed", "s"))),
    3: ("opened", ROUND + (("game", "s"), ("edition", "s"))),
    4: ("wager", ROUND + (("ref", "u"), ("code", "s"), ("stake", "u"), ("player", "s"))),
    5: ("activated", ROUND),
    6: ("rested", ROUND + (("turns", "u"), ("run_ms", "u"), ("settle_ms", "u"))),
    7: ("called", ROUND + (("rule", "s"),)),
    8: ("uncovered", ROUND),
    9: ("result", ROUND + (("revision", "u"), ("dice", "l"), ("call", "s"), ("rule", "s"), ("turns", "u"))),
    10: (
        "settled",
        ROUND + (("revision", "u"), ("wagers", "u"), ("staked", "u"), ("pays", "u"), ("returned", "u")),
    ),
    11: (
        "voided",
        ROUND + (("cause", "s"), ("rule", "s"), ("wagers", "u"), ("returned", "u"), ("revision", "u")),
    ),
    12: ("fault", (("code", "u"), ("detail", "s"))),
    13: ("fault_cleared", (("code", "u"), ("author", "s"))),
    14: ("refused", ROUND + (("act", "s"), ("why", "s"), ("rule", "s"))),
    15: ("meters", METERS),  # first in every segment: how the meters stood
    16: ("clock", (("utc_ms", "u"), ("how", "s"), ("back_ms", "u"))),  # what UTC is now, and how it is known
    17: ("voids", VOIDS),  # behind the meters
    18: ("pulled", (("upto", "u"), ("digest", "s"), ("author", "s"))),
    19: ("test_mode", (("on", "u"), ("author", "s"))),
    20: ("cleared", ROUND + (("revision", "u"), ("rule", "s"))),  # a result taken back, to be entered anew
    21: ("noticed", (("hash", "s"), ("due_ms", "u"), ("rule", "s"), ("author", "s"), ("changed", "s"))),
    25: ("withdrawn", (("hash", "s"), ("author", "s"))),  # what was announced is no longer to come
    22: ("retired", ROUND + (("author", "s"),)),
    # what follows came from another board's record, up to its record `upto` with that mac
    23: (
        "adopting",
        ROUND + (("board", "s"), ("upto", "u"), ("mac", "b"), ("records", "u"), ("author", "s")),
    ),
    24: ("adopted", ROUND + (("board", "s"), ("upto", "u"))),
    # an area's lamp draws no current though lit (how: dark), or draws it though dark (how: lit); no name: a
    # dark one draws, and which is not known yet
    30: ("lamp_failed", ROUND + (("area", "u"), ("name", "s"), ("rule", "s"), ("how", "s"))),
    31: ("lamp_works", ROUND + (("area", "u"), ("name", "s"), ("rule", "s"), ("how", "s"))),  # again
    40: ("io_entered", (("author", "s"),)),  # the table is out of play until it is left, or a start
    41: ("io_left", (("author", "s"), ("cause", "s"))),  # asked, silence or set_up_anew
    50: ("committed", COMMITMENT),
    51: ("closed", ROUND + (("pool", "b"), ("nonce", "b"), ("rule", "s"))),
    52: ("drawn", DRAWN),
}

# What a board answers in place of a command's fields. The name is for programs, the words for people.
# STRANGER: the board has not heard this session's identify; it has started anew since, or never met it.
OK, REFUSED, BAD, FAULTED, STRANGER = range(5)
REFUSAL = (("code", "s"), ("message", "s"), ("rule", "s"))


def numbers(table):
    """{name: number} of COMMANDS or EVENTS."""
    return {row[0]: number for number, row in table.items()}


def _put_uint(out, value):
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)


def _put_bytes(out, value):
    _put_uint(out, len(value))
    out += value


def pack_pure(fields, values):
    """`values` (a dict) as bytes, in the order of `fields`. What is missing is 0 or empty."""
    out = bytearray()
    for name, kind in fields:
        value = values.get(name)
        if kind == "u":
            _put_uint(out, int(value or 0))
        elif kind == "l":
            _put_uint(out, len(value or ()))
            for item in value or ():
                _put_uint(out, item)
        else:
            _put_bytes(out, (value or "").encode() if kind == "s" else bytes(value or b""))
    return bytes(out)


try:
    from pitkit_native import pack as pack_native
except ImportError:  # the host, the simulated board, a board that only takes files
    pack_native = pack_pure
pack = pack_native


def short(text, most_bytes):
    """As much of the text as fits, in whole characters: words for people may be cut, never the message."""
    text = text[:most_bytes]
    while len(text.encode()) > most_bytes:
        text = text[:-1]
    return text


class Truncated(Exception):
    """The bytes end before the message does, or no message could look so."""


class _Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def uint(self):
        value = shift = 0
        while True:
            if self.at >= len(self.data) or shift > 63:
                raise Truncated()
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def bytes(self):
        end = self.uint() + self.at
        if end > len(self.data):
            raise Truncated()
        part = bytes(self.data[self.at : end])
        self.at = end
        return part

    def field(self, kind):
        if kind == "u":
            return self.uint()
        if kind == "l":
            return [self.uint() for _ in range(min(self.uint(), len(self.data)))]
        part = self.bytes()
        return part if kind == "b" else _text(part)


def _text(part):
    try:
        return part.decode()
    except UnicodeError:
        raise Truncated() from None


NOTHING = {"u": 0, "s": "", "b": b"", "l": []}


def unpack(fields, data, older=False):
    """{name: value}; Truncated where the bytes do not hold these fields. More bytes are ignored.

    `older`: what an older version wrote may end before the fields that came later; they are 0 or empty.
    """
    found = {}
    if not fields:
        return found
    reader = _Reader(data)
    for name, kind in fields:
        ended = older and reader.at == len(data)
        found[name] = NOTHING[kind] if ended else reader.field(kind)
    return found
