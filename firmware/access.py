"""The journal over the line: its flash as it is, a round recalled, the meters, what was pulled.

A pull is a copy of the raw segments, so the host checks the very bytes that are on the flash.
Called by the session, for a host; knows no rule.
"""

from . import faults
from .protocol import messages
from .protocol.session import Refusal
from .tables.record import of_round

PART_BYTES = 192
RECALLED_BYTES = 215  # of a frame's body: what a recall's answer has left for records
RECORD = (("seq", "u"), ("at_ms", "u"), ("type", "u"), ("payload", "b"))
NAMES = [name for name, _ in RECORD]


class Access:
    def __init__(self, journal, sector_bytes, log, table):
        self.journal = journal
        self.sector_bytes = sector_bytes
        self.log = log
        self.table = table

    def handlers(self):
        return {
            "meters": lambda asked: self.journal.meters.fields(),
            "voids": lambda asked: self.journal.meters.causes(),
            "segment": self._segment,
            "journal_read": self._read,
            "journal_key": self._key,
            "pulled": self._pulled,
            "recall": self._recall,
            "test_mode": self._test_mode,
        }

    def _segment(self, asked):
        """The segment at this place of the ring, oldest first."""
        order = self.journal.order
        if asked["index"] >= len(order):
            raise Refusal("no_segment", "the journal has %d segments" % len(order))
        row = order[asked["index"]]
        return {"segments": len(order), "number": row[0], "sector": row[1]}

    def _read(self, asked):
        sector, offset = asked["sector"], asked["offset"]
        if sector >= self.journal.sectors or offset >= self.sector_bytes:
            raise Refusal("no_segment", "the journal ends before that")
        part = bytearray(min(PART_BYTES, self.sector_bytes - offset))
        self.journal.flash.readblocks(sector, part, offset)
        self.journal.blind_key(sector, offset, part)
        return {"part": part}

    def _key(self, asked):
        """The chain's first key, for the host to keep. Later ones are nobody's business."""
        if len(self.journal.order) != 1 or self.journal.order[0][0] != 1:
            raise Refusal("too_late", "the chain's first key is wiped once a second segment is begun")
        if self.journal.key is None:
            raise Refusal("key_spoilt", "the chain's key cannot be read: replace the board")
        return {"key": self.journal.key}

    def _pulled(self, asked):
        """What a host has in a file may be dropped. A full journal gets its room before it is told."""
        upto = asked["upto"]
        if upto >= self.journal.next_seq:
            raise Refusal("bad_record", "the board has no record %d" % upto)
        if upto <= self.journal.meters.pulled:
            return  # a host has more than that already
        self.journal.meters.pulled = upto
        if self.table.is_idle():
            self.journal.make_room()
        self.log("pulled", upto=upto, digest=messages.short(asked["digest"], 64), author=asked["by"])

    def _test_mode(self, asked):
        if not self.table.is_idle():
            raise Refusal("wrong_state", "a round is under way: change the mode when it is over")
        self.log("test_mode", on=1 if asked["on"] else 0, author=asked["by"])

    # -- one round, recalled

    def _recall(self, asked):
        """As many of the round's records as fit, and the number to ask for next."""
        out = b""
        for record in of_round(self.journal, asked["round"], asked["seq"]):
            packed = messages.pack(RECORD, dict(zip(NAMES, record)))
            if len(out) + len(packed) > RECALLED_BYTES:
                return {"next": record[0], "records": out}
            out += packed
        if not out:
            raise Refusal("no_round", "the board's record has no round %d" % asked["round"])
        return {"next": 0, "records": out}


class Watch:
    """Looks the journal over while nothing is under way, a segment at a time, and tells what is wrong."""

    def __init__(self, journal, log):
        self.journal = journal
        self.log = log
        self.index = 0
        self.told = set()  # of this start
        if journal.headless:
            self._tell(faults.JOURNAL_SPOILT, "%d segment headers" % journal.headless)
        if journal.order and journal.key is None:
            self._tell(faults.JOURNAL_SPOILT, "the key of segment %d" % journal.order[-1][0])

    def look(self):
        """One segment; round and round. The table plays on: what is spoilt was shown long ago."""
        self._tell_worn()
        if not self.journal.order:
            return
        self.index = (self.index + 1) % len(self.journal.order)
        seq = self.journal.spoilt_in(self.index)
        if seq is not None:
            self._tell(faults.JOURNAL_SPOILT, "record %d" % seq)

    def _tell_worn(self):
        for sector in self.journal.worn:
            self._tell(faults.JOURNAL_WORN, "sector %d" % sector)

    def _tell(self, code, detail):
        if detail not in self.told:
            self.told.add(detail)
            self.log("fault", code=code, detail=detail)
