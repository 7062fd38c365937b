"""The append-only record: a ring of pre-erased segments in its own flash area.

A segment is one sector. `append` programs one page and reads it back; it never erases.
`make_room` erases one old segment; the table calls it only while no device runs, because an
erase stops a Pico's interrupts for 45 to 400 ms. At start the ring is found from the
segment headers, and a torn last record is passed over: it was never shown to anyone.
"""

from ..faults import JOURNAL_FULL, JOURNAL_NEWER, JOURNAL_WRITE, Fault
from . import chain, records
from .meters import Meters
from .reading import Reader

READY_PAGES = 3  # a result, its settlement and what is said between them


class Journal(Reader):
    def __init__(self, flash, now_ms, first_key, sector_bytes=4096, page_bytes=256):
        """`first_key()` gives the chain's first key, asked for once in the life of a flash."""
        super().__init__(flash, sector_bytes, page_bytes)
        self.first_key = first_key
        self.key, self.pads, self.last_mac = None, None, chain.START
        self.meters = Meters()
        self.first_records = None  # function() -> [(type, payload)] that every new segment starts with
        self.now_ms = now_ms
        self.torn = 0
        self.boot = 0  # what the next segment's header will say
        self.pending = 1  # so too; until the newest round has been looked at, it may be open
        self._scan()

    # -- finding the ring at start

    def _scan(self):
        self.find()
        if self.order and self._was_torn(self.order[-1][1]):
            self.order.pop()
        self._find_end()
        for row in self.order[:-1]:
            self._wipe(row[1])

    def drop_half_erased(self):
        """Once it is known what may go: the power went while the oldest segment was being erased."""
        if self.droppable() and self.missing_in(0) > 1:
            self.order.pop(0)

    def _was_torn(self, sector):
        """A segment begun as the power went: its header is whole, its key is not, and it holds nothing."""
        self.load(sector, 0)
        return records.key_in(self.page) is None and records.find(self.page, records.FIRST_RECORD) is None

    def _find_end(self):
        """Behind the last whole record, on a page of its own if a torn one stands there."""
        self.at_page, self.at = self.pages, 0
        if not self.order:
            return
        _, sector, self.next_seq, self.boot, self.round, _ = self.order[-1]
        self.load(sector, 0)
        self._take_key(records.key_in(self.page))
        header = records.unpack_header(self.page)
        self.last_mac = header[-1] if header else chain.START  # one without a header has a record
        for seq, page, end in self.walk(sector):
            self.next_seq, self.at_page, self.at = seq + 1, page, end
            self.last_mac = records.mac_before(self.page, end)
        if self.at_page == self.pages:
            self.at_page, self.at = 0, records.FIRST_RECORD
        self._step_over_torn(sector)

    def _step_over_torn(self, sector):
        """It stands behind the last whole one, or on a later page where it was the first."""
        for page in range(self.at_page, self.pages):
            if not self.is_blank_from(sector, page, self.at if page == self.at_page else 0):
                self.torn += 1
                self.at_page, self.at = page + 1, 0

    # -- writing

    def append(self, type_, payload):
        """Puts a record on flash and returns its number. On return it is there, or a Fault says not."""
        if self.newer:
            raise Fault(JOURNAL_NEWER)  # it is left as it is; no table opens on it
        while True:
            self._find_place(records.OVERHEAD + len(payload))
            record = records.pack(type_, self.next_seq, self.now_ms(), payload, self.pads, self.last_mac)
            if self.program(self.order[-1][1], self.at_page, self.at, record):
                break
            self.at_page, self.at = self.at_page + 1, 0  # a page that does not take it is stepped over
        self.last_mac = records.mac_before(record, len(record))
        self.at += len(record)
        self.next_seq += 1
        return self.next_seq - 1

    def _find_place(self, size):
        """A page with so many bytes left, in a new segment if it must be."""
        if self.at_page < self.pages and self.at + size > self.page_bytes:
            self.at_page, self.at = self.at_page + 1, 0
        while self.at_page >= self.pages:
            self._next_segment()
            if self.at + size > self.page_bytes:  # it does not fit behind the header
                self.at_page, self.at = self.at_page + 1, 0

    def get_ready(self):
        """Begins the next segment early if this one is nearly full: what comes next must not wait for it."""
        if self.pages - READY_PAGES <= self.at_page < self.pages:
            self.at_page = self.pages
            self._next_segment()

    def _next_segment(self):
        self._new_segment()
        if self.first_records and len(self.order) > 1:  # the very first has nothing to carry on
            for type_, payload in self.first_records():
                self.append(type_, payload)

    def _new_segment(self):
        number = self.order[-1][0] + 1 if self.order else 1
        key = chain.ratchet(self.key) if self.key else self.first_key()
        header = (self.next_seq, self.boot, self.round, self.pending)
        content = records.pack_header(number, *header, last=self.last_mac, key=key)
        sector = self._begin(content)
        if self.order:
            self._wipe(self.order[-1][1])
        self.order.append((number, sector) + header)
        self._take_key(key)
        self.last_mac = records.unpack_header(content)[-1]
        self.at_page, self.at = 0, records.FIRST_RECORD

    def _begin(self, content):
        """The sector that took the header; one that does not is worn out, and the next is tried."""
        while True:
            sector = self.next_blank()
            if sector is None:
                raise Fault(JOURNAL_WRITE if self.worn else JOURNAL_FULL)
            if self.program(sector, 0, 0, content):
                return sector

    def pads_of(self, sector):
        return self.pads if self.key and self.order and sector == self.order[-1][1] else None

    def pulled_upto(self):
        return self.meters.pulled

    def _take_key(self, key):
        """The newest segment's; None where it is spoilt: the next segment then starts a chain of its own."""
        self.key = key
        self.pads = chain.pads(key or bytes(chain.KEY_BYTES))

    def _wipe(self, sector):
        """The key of a segment that is over goes: zeros are programmed over it, without an erase."""
        self.load(sector, 0)
        if not records.is_wiped(self.page):
            self.program(sector, 0, records.HEADER_BYTES, records.WIPED)

    def blind_key(self, sector, offset, part):
        """Takes the key out of a part of a sector that is read for others."""
        for at in range(records.HEADER_BYTES, records.FIRST_RECORD):
            if offset <= at < offset + len(part):
                part[at - offset] = 0
