"""The append-only record: a ring of pre-erased segments in its own flash area.

A segment is one sector. `append` programs one page and reads it back; it never erases.
`make_room` erases one old segment; the table calls it only while no device runs, because an
erase stops a Pico's interrupts for 45 to 400 ms. At start the ring is found from the
segment headers, and a torn last record is passed over: it was never shown to anyone.
"""

from ..faults import JOURNAL_FULL, JOURNAL_WRITE, Fault
from . import chain, records
from .meters import Meters

SPARE_SEGMENTS = 10  # erased ahead: a round of 250 wagers, however long, and its end without an erase

READY_PAGES = 3  # a result, its settlement and what is said between them


class Journal:
    def __init__(self, flash, now_ms, first_key, sector_bytes=4096, page_bytes=256):
        """`first_key()` gives the chain's first key, asked for once in the life of a flash."""
        self.flash = flash
        self.first_key = first_key
        self.key, self.pads, self.last_mac = None, None, chain.START
        self.meters = Meters()
        self.first_record = None  # function() -> (type, payload) that every new segment starts with
        self.now_ms = now_ms
        self.page_bytes = page_bytes
        self.pages = sector_bytes // page_bytes
        self.sectors = flash.ioctl(4, 0)
        self.page = bytearray(page_bytes)
        self.check = bytearray(page_bytes)
        self.blank = bytes([records.ERASED]) * page_bytes
        self.spare_most = min(SPARE_SEGMENTS, self.sectors // 2)
        self.spare = 0  # sectors ahead of the writer that are known to be blank
        self.order = []  # (segment number, sector, first seq, boot, round, pending), oldest first
        self.next_seq = 1
        self.torn = 0
        self.boot = self.round = 0  # what the next segment's header will say
        self.pending = 1  # so too; until the newest round has been looked at, it may be open
        self._cursor = None  # where `read` left off: (seq, sector, page, offset)
        self._scan()

    @property
    def first_seq(self):
        return self.order[0][2] if self.order else self.next_seq

    # -- finding the ring at start

    def _scan(self):
        for sector in range(self.sectors):
            self._load(sector, 0)
            header = records.unpack_header(self.page)
            if header is not None:
                self.order.append((header[0], sector) + header[1:5])
        self.order.sort()
        if self.order and self._was_torn(self.order[-1][1]):
            self.order.pop()
        self._find_end()
        for row in self.order[:-1]:
            self._wipe(row[1])

    def _was_torn(self, sector):
        """A segment begun as the power went: its header is whole, its key is not, and it holds nothing."""
        self._load(sector, 0)
        return records.key_in(self.page) is None and records.find(self.page, records.FIRST_RECORD) is None

    def _find_end(self):
        """Behind the last whole record, on a page of its own if a torn one stands there."""
        self.at_page, self.at = self.pages, 0
        if not self.order:
            return
        _, sector, self.next_seq, self.boot, self.round, _ = self.order[-1]
        self._load(sector, 0)
        self._take_key(records.key_in(self.page))
        self.last_mac = records.unpack_header(self.page)[-1]
        for seq, page, end in self._walk(sector):
            self.next_seq, self.at_page, self.at = seq + 1, page, end
            self.last_mac = records.mac_before(self.page, end)
        if self.at_page == self.pages:
            self.at_page, self.at = 0, records.FIRST_RECORD
        self._step_over_torn(sector)

    def _step_over_torn(self, sector):
        """It stands behind the last whole one, or on a later page where it was the first."""
        for page in range(self.at_page, self.pages):
            if not self._blank_from(sector, page, self.at if page == self.at_page else 0):
                self.torn += 1
                self.at_page, self.at = page + 1, 0

    def _blank_from(self, sector, page, at):
        self._load(sector, page)
        return self.page[at:] == self.blank[at:]

    def _walk(self, sector):
        """(seq, page, where it ends) of every whole record of a segment, in order."""
        for page in range(self.pages):
            self._load(sector, page)
            at = 0 if page else records.FIRST_RECORD
            found = records.find(self.page, at)
            while found:
                yield found[0][0], page, found[1]
                found = records.find(self.page, found[1])

    # -- writing

    def append(self, type_, payload):
        """Puts a record on flash and returns its number. On return it is there, or a Fault says not."""
        size = records.OVERHEAD + len(payload)
        if self.at_page < self.pages and self.at + size > self.page_bytes:
            self.at_page, self.at = self.at_page + 1, 0
        if self.at_page >= self.pages:
            self._next_segment()
            return self.append(type_, payload)  # it may not fit behind the header
        record = records.pack(type_, self.next_seq, self.now_ms(), payload, self.pads, self.last_mac)
        self._program(self.order[-1][1], self.at_page, self.at, record)
        self.last_mac = records.mac_before(record, len(record))
        self.at += len(record)
        self.next_seq += 1
        return self.next_seq - 1

    def get_ready(self):
        """Begins the next segment early if this one is nearly full: what comes next must not wait for it."""
        if self.pages - READY_PAGES <= self.at_page < self.pages:
            self.at_page = self.pages
            self._next_segment()

    def _next_segment(self):
        self._new_segment()
        if self.first_record and len(self.order) > 1:  # the very first has nothing to carry on
            self.append(*self.first_record())

    def _new_segment(self):
        number = self.order[-1][0] + 1 if self.order else 1
        sector = self._erased_sector()
        key = chain.ratchet(self.key) if self.key else self.first_key()
        header = (self.next_seq, self.boot, self.round, self.pending)
        content = records.pack_header(number, *header, last=self.last_mac, key=key)
        self._program(sector, 0, 0, content)
        if self.order:
            self._wipe(self.order[-1][1])
        self.order.append((number, sector) + header)
        self._take_key(key)
        self.last_mac = records.unpack_header(content)[-1]
        self.at_page, self.at = 0, records.FIRST_RECORD

    def _take_key(self, key):
        """The newest segment's; None where it is spoilt: the next segment then starts a chain of its own."""
        self.key = key
        self.pads = chain.pads(key or bytes(chain.KEY_BYTES))

    def _wipe(self, sector):
        """The key of a segment that is over goes: zeros are programmed over it, without an erase."""
        self._load(sector, 0)
        if not records.is_wiped(self.page):
            self._program(sector, 0, records.HEADER_BYTES, records.WIPED)

    def _erased_sector(self):
        """The next sector of the ring, so that wear is spread; it must be blank."""
        sector = self._ahead(1)
        if not self.spare and not self._is_blank(sector):
            raise Fault(JOURNAL_FULL)
        self.spare = max(self.spare - 1, 0)
        return sector

    def _ahead(self, count):
        return ((self.order[-1][1] if self.order else -1) + count) % self.sectors

    def _is_blank(self, sector):
        return all(self._blank_from(sector, page, 0) for page in range(self.pages))

    def _program(self, sector, page, at, data):
        self.page[:] = self.blank
        self.page[at : at + len(data)] = data
        self.flash.writeblocks(sector, self.page, page * self.page_bytes)
        self.flash.readblocks(sector, self.check, page * self.page_bytes)
        if self.check[at : at + len(data)] != data:
            raise Fault(JOURNAL_WRITE, "sector %d" % sector)

    def make_room(self):
        """Sees to one more blank sector ahead, erasing it if it must; True while there is more to do."""
        if self.spare >= self.spare_most:
            return False
        sector = self._ahead(self.spare + 1)
        if not self._is_blank(sector):
            self._drop(sector)
        self.spare += 1
        return self.spare < self.spare_most

    def _drop(self, sector):
        self.order = [row for row in self.order if row[1] != sector]
        self._cursor = None
        self.flash.ioctl(6, sector)

    # -- reading

    def read(self, seq):
        """(seq, at_ms, type, payload) or None where it is not there (dropped, or not yet written)."""
        for record in self.records(seq):
            return record if record[0] == seq else None
        return None

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
                yield from self._records_of(row[1], seq)

    def _records_of(self, sector, seq):
        page, at = self._resume(sector, seq)
        while page < self.pages:
            self._load(sector, page)
            found = records.find(self.page, at)
            if found is None:
                page, at = page + 1, 0
                continue
            if found[0][0] >= seq:
                self._cursor = (found[0][0] + 1, sector, page, found[1])
                yield found[0]
            at = found[1]

    def _resume(self, sector, seq):
        """Reading on where the last read ended costs one page, not a segment."""
        if self._cursor and self._cursor[0] == seq and self._cursor[1] == sector:
            return self._cursor[2], self._cursor[3]
        return 0, records.FIRST_RECORD

    def last_segment(self):
        """The records of the newest segment."""
        return self._records_of(self.order[-1][1], self.order[-1][2]) if self.order else iter(())

    def since(self, type_):
        """Every record from the newest segment on that begins with one of this type; else all there are."""
        for row in reversed(self.order):
            for record in self._records_of(row[1], row[2]):
                if record[2] == type_:
                    return self.records(row[2])
                break
        return self.records(self.first_seq)

    def blind_key(self, sector, offset, part):
        """Takes the key out of a part of a sector that is read for others."""
        for at in range(records.HEADER_BYTES, records.FIRST_RECORD):
            if offset <= at < offset + len(part):
                part[at - offset] = 0

    def last_round(self, opened_type):
        """The records from the start of the newest round on; where it was over long ago, the newest ones."""
        for row in reversed(self.order):
            found = [r[0] for r in self._records_of(row[1], row[2]) if r[2] == opened_type]
            if found:
                return self.records(found[-1])
            if not row[5]:  # nothing was pending when this segment began, and no round opened in it
                return self.records(row[2])
        return self.records(self.first_seq)

    def _load(self, sector, page):
        self.flash.readblocks(sector, self.page, page * self.page_bytes)
