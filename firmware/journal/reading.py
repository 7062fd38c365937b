"""Reading the journal: by number, by round, from where a start must look. Changes nothing."""

from . import records
from .ring import Ring

CAUSE_SEGMENTS = 3  # of the newest: a host that was cut off comes back within so much of the record


class Reader(Ring):
    def pads_of(self, sector):
        """Of the segment in this sector; None where its key is wiped, or was never known."""
        return None

    def read(self, seq):
        """(seq, at_ms, type, payload) or None where it is not there (dropped, or not yet written)."""
        record = self.next_record(seq)
        return record if record and record[0] == seq else None

    def next_record(self, seq):
        """The first record from number `seq` on that is still there, or None: one spoilt stops nobody."""
        for record in self.records(seq):
            return record
        return None

    def records(self, seq):
        """Every record from number `seq` on, oldest first."""
        if seq >= self.next_seq:
            return
        for index, row in enumerate(self.order):
            last = self.order[index + 1][2] if index + 1 < len(self.order) else self.next_seq
            if last > seq:
                yield from self.records_of(row[1], seq)

    def records_of(self, sector, seq):
        page, at = self._resume(sector, seq)
        pads = self.pads_of(sector)
        while page < self.pages:
            self.load(sector, page)
            found = records.find(self.page, at, pads)
            if found is None:
                page, at = page + 1, 0
                continue
            if found[0][0] >= seq:
                self.cursor = (found[0][0] + 1, sector, page, found[1])
                yield found[0]
            at = found[1]

    def _resume(self, sector, seq):
        """Reading on where the last read ended costs one page, not a segment."""
        if self.cursor and self.cursor[0] == seq and self.cursor[1] == sector:
            return self.cursor[2], self.cursor[3]
        return 0, records.FIRST_RECORD

    def walk(self, sector):
        """(seq, page, where it ends) of every whole record of a segment, in order."""
        pads = self.pads_of(sector)
        for page in range(self.pages):
            self.load(sector, page)
            at = 0 if page else records.FIRST_RECORD
            found = records.find(self.page, at, pads)
            while found:
                yield found[0][0], page, found[1]
                found = records.find(self.page, found[1], pads)

    def last_segment(self):
        """The records of the newest segment."""
        return self.records_of(self.order[-1][1], self.order[-1][2]) if self.order else iter(())

    def backwards(self, types):
        """Every record of these types, newest first."""
        for row in reversed(self.order):
            yield from reversed([r for r in self.records_of(row[1], row[2]) if r[2] in types])

    def since(self, types):
        """Every record from the newest segment on that begins with these types; else all there are."""
        for row in reversed(self.order):
            begins = []
            for record in self.records_of(row[1], row[2]):
                begins.append(record[2])
                if len(begins) == len(types):
                    break
            if tuple(begins) == types:
                return self.records(row[2])
        return self.records(self.first_seq)

    def last_round(self, opened_type):
        """The records from the start of the newest round on; where it was over long ago, the newest ones."""
        for row in reversed(self.order):
            found = [r[0] for r in self.records_of(row[1], row[2]) if r[2] == opened_type]
            if found:
                return self.records(found[-1])
            if not row[5]:  # nothing was pending when this segment began, and no round opened in it
                return self.records(row[2])
        return self.records(self.first_seq)

    def caused_by(self, session, count):
        """{number: [(type, payload)]}: what the last `count` commands of this session wrote."""
        found = {}
        for row in self.order[-CAUSE_SEGMENTS:]:
            for cause, record in self._causes(row[1]):
                if cause[0] == session:
                    found.setdefault(cause[1], []).append(record[2:])
        newest = max(found) if found else 0
        return {number: wrote for number, wrote in found.items() if number > newest - count}

    def _causes(self, sector):
        for page in range(self.pages):
            self.load(sector, page)
            at = 0 if page else records.FIRST_RECORD
            found = records.find(self.page, at)
            while found:
                cause = records.cause_at(self.page, records.begin_of(self.page, found))
                if cause:
                    yield cause, found[0]
                at = found[1]
                found = records.find(self.page, at)

    def before_round(self, round_):
        """From this record on the round's start must come: a header says which round was the newest."""
        for row in reversed(self.order):
            if row[4] < round_:
                return row[2]
        return self.first_seq

    def missing_in(self, index):
        """How many records of this segment cannot be read."""
        found = sum(1 for _ in self.walk(self.order[index][1]))
        return self.order[index + 1][2] - self.order[index][2] - found

    def spoilt_in(self, index):
        """The number of the first record missing from this segment (counted from the oldest), or None."""
        expected = self.order[index][2]
        last = self.order[index + 1][2] if index + 1 < len(self.order) else self.next_seq
        for seq, _, _ in self.walk(self.order[index][1]):
            if seq != expected:
                return expected
            expected = seq + 1
        return expected if expected < last else None
