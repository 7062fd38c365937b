"""All contacts of one table: keys, switches, sensors. Drains the edge ring; knows no rule.

Hard handlers fill the ring; the main loop calls `poll`, which returns each confirmed change
as (name, closed, time) in the order it happened.
"""

from .contact import Contact
from .edges import EdgeRing, Tap


class Panel:
    def __init__(self, board, names, overrides, press_us, release_us, quick):
        """`quick` names electronic sensors: they do not bounce, and a turn is short."""
        self.board = board
        self.ring = EdgeRing()
        self.contacts = []
        self.active = []
        for number, name in enumerate(names):
            pin = board.input(name, overrides)
            active = board.pins[name]["active"]
            times = (500, 500) if name in quick else (press_us, release_us)
            self.active.append(active)
            self.contacts.append(Contact(name, int(pin.value() == active), board.now_us(), *times))
            board.watch(pin, Tap(self.ring, number))

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
        """[(name, closed, at_us)] of what has changed since the last call."""
        changes = []
        now_us = self.board.now_us()
        edge = self.ring.drain()
        while edge:
            ticks, number, level = edge
            closed = int(level == self.active[number])
            at_us = self.board.edge_us(ticks)
            contact = self.contacts[number]
            self._note(contact, contact.edge(at_us, closed), at_us, changes)
            edge = self.ring.drain()
        for contact in self.contacts:
            if contact.raw != contact.closed:
                self._note(contact, contact.poll(now_us), now_us, changes)
        return changes

    def _note(self, contact, change, at_us, changes):
        if change is not None:
            changes.append((contact.name, change, at_us))

    def lost(self):
        """How many edges never got in; asking forgets them."""
        lost, self.ring.lost = self.ring.lost, 0
        return lost

    def deadline_us(self):
        due = None
        for contact in self.contacts:
            at_us = contact.deadline_us()
            if at_us is not None and (due is None or at_us < due):
                due = at_us
        return due
