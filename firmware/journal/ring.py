"""The journal's sectors: a ring on the flash, in which one is written and some ahead of it are blank.

Programs pages and reads them back, finds the ring at start, erases the oldest when it may go. A
sector that no longer takes what is written is gone round, and told. Knows no record's meaning.
"""

from . import records

SPARE_SEGMENTS = 10  # erased ahead: a round of 250 wagers, however long, and its end without an erase
RETENTION_GAMES = 100  # where the configuration names no other number


def _first_seq(row):
    return row[2]


class Ring:
    def __init__(self, flash, sector_bytes, page_bytes):
        self.flash = flash
        self.page_bytes = page_bytes
        self.pages = sector_bytes // page_bytes
        self.sectors = flash.ioctl(4, 0)
        self.page = bytearray(page_bytes)
        self.check = bytearray(page_bytes)
        self.blank = bytes([records.ERASED]) * page_bytes
        self.spare_most = min(SPARE_SEGMENTS, self.sectors // 2)
        self.spare = []  # sectors ahead of the writer that are known to be blank, nearest first
        self.order = []  # (segment number, sector, first seq, boot, round, pending), oldest first
        self.worn = []  # sectors that failed since the start
        self.headless = 0  # segments whose header is spoilt; their records are read all the same
        self.newer = False  # the flash holds a journal that only a newer firmware can read
        self.retention = RETENTION_GAMES  # the newest games, which stay until they are pulled
        self.round = 0
        self.next_seq = 1
        self.cursor = None  # where reading left off: (seq, sector, page, offset)

    @property
    def first_seq(self):
        return self.order[0][2] if self.order else self.next_seq

    def find(self):
        """The ring from its segments' headers, oldest first; one whose header is spoilt, by its records."""
        for sector in range(self.sectors):
            self.load(sector, 0)
            header = records.unpack_header(self.page)
            first = records.unpack(self.page, records.FIRST_RECORD)
            if header is not None:
                self.order.append((header[0], sector) + header[1:5])
            elif records.is_newer(self.page):
                self.newer = True
            elif first is not None:
                self.order.append((0, sector, first[0][0], 0, 0, 1))
        self.order.sort(key=_first_seq)
        self._number_headless()

    def _number_headless(self):
        """What a spoilt header said is what its neighbours say."""
        for index, row in enumerate(self.order):
            if row[0] == 0:
                self.headless += 1
                before = self.order[index - 1] if index else self._before_first()
                self.order[index] = (before[0] + 1, row[1], row[2], before[3], before[4], 1)

    def _before_first(self):
        """As if a segment stood before the oldest: numbered by the one that follows it."""
        number = self.order[1][0] - 2 if len(self.order) > 1 else 0
        return max(number, 0), 0, 0, 0, 0, 0

    # -- pages

    def load(self, sector, page):
        self.flash.readblocks(sector, self.page, page * self.page_bytes)

    def is_blank_from(self, sector, page, at):
        self.load(sector, page)
        return self.page[at:] == self.blank[at:]

    def is_blank(self, sector):
        return all(self.is_blank_from(sector, page, 0) for page in range(self.pages))

    def program(self, sector, page, at, data):
        """Whether it is there now, read back."""
        self.page[:] = self.blank
        self.page[at : at + len(data)] = data
        self.flash.writeblocks(sector, self.page, page * self.page_bytes)
        self.flash.readblocks(sector, self.check, page * self.page_bytes)
        good = self.check[at : at + len(data)] == data
        if not good:
            self.is_worn(sector)
        return good

    def is_worn(self, sector):
        if sector not in self.worn:
            self.worn.append(sector)

    # -- sectors

    def next_blank(self):
        """Takes the next blank sector of the ring, so that wear is spread; None where there is none."""
        if self.spare:
            return self.spare.pop(0)
        sector = self._ahead()
        return sector if sector is not None and self.is_blank(sector) else None

    def _ahead(self):
        """The sector behind the blank ones, past those that are worn out."""
        last = self.spare[-1] if self.spare else self.order[-1][1] if self.order else -1
        for step in range(1, self.sectors):
            sector = (last + step) % self.sectors
            if sector not in self.worn:
                return sector
        return None

    def make_room(self):
        """Sees to one more blank sector ahead, erasing it if it must; True while there is more to do."""
        if len(self.spare) >= self.spare_most or self.newer:
            return False
        sector = self._ahead()
        index = self._index_of(sector)
        if sector is None or (index is not None and index >= self.droppable()):
            return False
        if index is not None:
            self.order = self.order[index + 1 :]
            self.cursor = None
        return self._see_blank(sector)

    def look_ahead(self):
        """Counts the sectors that are blank as they are; erases nothing."""
        while len(self.spare) < self.spare_most:
            sector = self._ahead()
            if sector is None or self._index_of(sector) is not None or not self.is_blank(sector):
                return
            self.spare.append(sector)

    def _index_of(self, sector):
        """Which segment stands in this sector: in a ring nearly always the oldest, or none."""
        for index, row in enumerate(self.order):
            if row[1] == sector:
                return index
        return None

    def _see_blank(self, sector):
        if not self.is_blank(sector):
            self.flash.ioctl(6, sector)
            if not self.is_blank(sector):
                self.is_worn(sector)
                return True
        self.spare.append(sector)
        return len(self.spare) < self.spare_most

    def droppable(self):
        """How many of the oldest segments may go: a host has them, or their games are past the retention."""
        count, needed = 0, self._first_needed()
        while count < needed:
            _, _, next_first, _, next_round, _ = self.order[count + 1]
            if next_first - 1 > self.pulled_upto() and next_round > self.round - self.retention:
                break
            count += 1
        return count

    def _first_needed(self):
        """Where a start looks: the newest segment in which a round opened, or before which none was open."""
        newest = self.round
        for index in range(len(self.order) - 1, -1, -1):
            _, _, _, _, round_, pending = self.order[index]
            if newest > round_ or not pending or round_ == 0:
                return index
            newest = round_
        return 0

    def pulled_upto(self):
        """The last record that a host has in a file."""
        return 0

    def room(self):
        """Segments that can still be begun before the journal is full."""
        return self.sectors - len(self.order) - len(self.worn) + self.droppable()
