"""Edges from pins into a ring, in interrupt time. No allocation, no decision, no rule.

One ring serves all slow contacts of a table. Each pin has a Tap whose `on_edge` is its hard
interrupt handler: it stores (time, pin, level) and nothing else. The main loop drains the
ring. A full ring is counted, never passed over in silence. Two edges that reach the handler as
one call leave the level as it was: contact.py reads that as a pulse too short to count.
"""

from array import array
from time import ticks_us

import micropython


class EdgeRing:
    SIZE = 256  # a power of two: 21 pins, all bouncing, for longer than the loop ever takes

    def __init__(self):
        self.times = array("i", [0] * self.SIZE)
        self.codes = bytearray(self.SIZE)  # pin * 2 + level
        self.head = 0
        self.tail = 0
        self.lost = 0

    def drain(self):
        """(ticks, pin, level), oldest first; None when the ring is empty."""
        tail = self.tail
        if tail == self.head:
            return None
        edge = (self.times[tail], self.codes[tail] >> 1, self.codes[tail] & 1)
        self.tail = (tail + 1) & (self.SIZE - 1)
        return edge


class Tap:
    def __init__(self, ring, number):
        self.ring = ring
        self.code = number * 2
        self.handler = self.on_edge  # bound once: binding allocates

    @micropython.native
    def on_edge(self, pin):
        ring = self.ring
        head = ring.head
        after = (head + 1) & 255
        if after == ring.tail:
            ring.lost += 1
            return
        ring.times[head] = ticks_us()
        ring.codes[head] = self.code | pin.value()
        ring.head = after
