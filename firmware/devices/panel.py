"""All contacts of one table: keys, switches, sensors. Drains the edge ring; knows no rule.

Hard handlers fill the ring; the main loop calls `poll`, which returns each confirmed change
as (name, closed, time) in the order it happened.
"""

from .contact import Contact
from .edges import EdgeRing, Tap
from .matrix import Matrix


def _when(change):
    return change[2]


class Panel:
    def __init__(self, board, names, overrides, press_us, release_us, quick):
        """`quick` ({name: µs}) are sensors, not keys: a level counts once it has held that long."""
        self.board = board
        self.overrides = overrides
        self.ring = EdgeRing()
        self.contacts = []
        self.active = []
        self.gpios = {}
        self.heard = None  # while pins are watched: called with (at_us, number, closed) of every edge
        self.matrix = self.any_column = None
        for number, name in enumerate(names):
            self.gpios[name] = board.gpio(name, overrides)
            pin = board.input(name, overrides)
            active = board.pins[name]["active"]
            times = (quick[name], quick[name]) if name in quick else (press_us, release_us)
            self.active.append(active)
            self.contacts.append(Contact(name, int(pin.value() == active), board.now_us(), *times))
            board.watch(pin, Tap(self.ring, number))

    def add_matrix(self, rows, columns, names, times):
        """Keys at the crossings of rows and columns; `times`: µs to count as closed, as open."""
        self.any_column = len(self.contacts)  # in the ring: a column moved, the scan tells which
        tap = Tap(self.ring, self.any_column)

        def watch(on):
            for column in columns:
                (self.board.watch if on else self.board.unwatch)(column, tap)

        self.matrix = Matrix(rows, columns, names, watch, self.board.now_us(), *times)
        self.contacts += self.matrix.contacts

    def closed(self, name):
        return self._named(name).closed

    def edges(self, name):
        return self._named(name).edges

    def _named(self, name):
        for contact in self.contacts:
            if contact.name == name:
                return contact
        raise KeyError(name)

    def poll(self):
        """[(name, closed, at_us)] of what has changed since the last call, by when it was sure."""
        changes = []
        now_us = self.board.now_us()
        drained = self._drained(changes)
        if self.matrix:
            for contact, closed in self.matrix.scan(now_us):
                due_us = contact.deadline_us()
                self._note(contact, contact.edge(now_us, closed), due_us, changes)
                if self.heard:
                    self.heard(now_us, self.contacts.index(contact), closed)
        if drained:
            for contact in self.contacts:
                due_us = contact.deadline_us()
                if due_us is not None:
                    self._note(contact, contact.poll(now_us), due_us, changes)
        if len(changes) > 1:
            changes.sort(key=_when)
        return changes

    def _drained(self, changes):
        """Whether the ring is empty now. In a storm it never is, and the loop has more to do than this."""
        for _ in range(self.ring.SIZE):
            edge = self.ring.drain()
            if edge is None:
                return True
            ticks, number, level = edge
            if number == self.any_column:
                self.matrix.wake()
                continue
            contact = self.contacts[number]
            due_us = contact.deadline_us()
            at_us, closed = self.board.edge_us(ticks), int(level == self.active[number])
            change = contact.edge(at_us, closed)
            self._note(contact, change, due_us, changes)
            if self.heard:
                self.heard(at_us, number, closed)
        return False

    def _note(self, contact, change, at_us, changes):
        if change is not None:
            changes.append((contact.name, change, at_us))

    def lost(self):
        """How many edges never got in; asking forgets them."""
        lost, self.ring.lost = self.ring.lost, 0
        return lost

    def deadline_us(self):
        due = self.matrix.deadline_us() if self.matrix else None
        for contact in self.contacts:
            at_us = contact.deadline_us()
            if at_us is not None and (due is None or at_us < due):
                due = at_us
        return due
