"""Keys as a matrix, without diodes: rows pulled low one at a time, columns read. Knows no rule.

Asleep, all rows are low and a closing key pulls its column down: its edge wakes the loop. Awake, it
is scanned until every key is open again. Three keys on the corners of a rectangle look like four:
whatever is pressed while that is so counts as none until it is let go. panel.py calls it.
"""

from time import sleep_us

import micropython

from .contact import Contact

SCAN_US = 1000
HELD_US = 4000  # while keys are only held down: each scan costs memory, and collecting it costs time
MOST_GAP_US = 5000  # looked at less often, a level is not known to have held: its time begins anew
SETTLE_US = 10  # a column with its pull-up, some 50 kilo-ohms, and a metre of wire


class Matrix:
    def __init__(self, rows, columns, names, watch, now_us, press_us, release_us):
        """Pins (rows open drain), a key's name a crossing, row by row; watch(on): edges of the columns."""
        self.rows = rows
        self.columns = columns
        self.watch = watch
        self.contacts = [Contact(name, 0, now_us, press_us, release_us) for name in names]
        self.seen = 0  # by the last scan, a bit a crossing
        self.barred = 0  # those that may be a ghost, until they are seen open
        self.awake = True  # a key may be held down already
        self.longest_us = max(press_us, release_us)
        self.scanned_us = self.changed_us = now_us - SCAN_US

    def wake(self):
        """A column moved."""
        if not self.awake:
            self.awake = True
            self.watch(False)
            for row in self.rows:
                row(1)

    def scan(self, now_us):
        """[(contact, closed)] of what looks otherwise than at the last scan; nothing when none is due."""
        if not self.awake or now_us < self.scanned_us + SCAN_US:
            return ()
        late = now_us - self.scanned_us > MOST_GAP_US
        self.scanned_us = now_us
        seen = self._look()
        if seen == self.seen and not late:
            if not seen and self._all_open():
                self._sleep()
            return ()
        if seen != self.seen:
            self.seen, self.changed_us = seen, now_us
        return self._moved(self._without_ghosts(seen), now_us, late)

    def _moved(self, closed, now_us, late):
        moved = []
        for number, contact in enumerate(self.contacts):
            level = closed >> number & 1
            if level != contact.raw:
                moved.append((contact, level))
            elif late and level != contact.closed:
                contact.since_us = now_us
        return moved

    @micropython.native
    def _look(self):
        """The closed crossings, a bit each, row by row."""
        seen, bit = 0, 1
        for row in self.rows:
            row(0)
            sleep_us(SETTLE_US)
            for column in self.columns:
                if not column():
                    seen |= bit
                bit <<= 1
            row(1)
        return seen

    def _without_ghosts(self, seen):
        """The keys that are closed, and not barred."""
        self.barred &= seen
        if is_ambiguous(seen, len(self.rows), len(self.columns)):
            for number, contact in enumerate(self.contacts):
                if not contact.closed:
                    self.barred |= seen & 1 << number
        return seen & ~self.barred

    def _all_open(self):
        return not any(contact.raw or contact.closed for contact in self.contacts)

    def _sleep(self):
        for row in self.rows:
            row(0)
        sleep_us(SETTLE_US)
        self.awake = False
        self.watch(True)
        for column in self.columns:
            if not column():  # it closed in between, and its edge was before we watched
                self.wake()

    def deadline_us(self):
        if not self.awake:
            return None
        settled = self.scanned_us - self.changed_us > self.longest_us
        return self.scanned_us + (HELD_US if settled else SCAN_US)


def is_ambiguous(seen, rows, width):
    """Whether two rows have two columns in common: then one of the four keys may be a ghost."""
    pattern = [seen >> row * width & (1 << width) - 1 for row in range(rows)]
    for number, bits in enumerate(pattern):
        for other in pattern[:number]:
            both = bits & other
            if both & (both - 1):
                return True
    return False
