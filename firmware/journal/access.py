"""The journal over the line: its flash read as it is, its meters, its first key. Changes nothing.

A pull is a copy of the raw segments, so the host checks the very bytes that are on the flash.
"""

from ..protocol.session import Refusal

PART_BYTES = 192


class Access:
    def __init__(self, journal, sector_bytes):
        self.journal = journal
        self.sector_bytes = sector_bytes

    def handlers(self):
        return {
            "meters": lambda asked: self.journal.meters.fields(),
            "segment": self._segment,
            "journal_read": self._read,
            "journal_key": self._key,
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
        return {"key": self.journal.key}
