"""Lamps on a chain of 74HC595 shift registers (TI SCLS041): one output a lamp. Knows no rule.

A bit is taken on the clock's rising edge, all outputs change on the latch's rising edge, so
a half-shifted picture is never seen. Output 0 is Q_A of the chip nearest the board.
"""


class ShiftLamps:
    def __init__(self, data, clock, latch, outputs):
        self.data = data
        self.clock = clock
        self.latch = latch
        self.outputs = outputs
        self.lit = frozenset()
        self.clock(0)
        self.latch(0)
        self.show(())

    def show(self, numbers):
        """Lights exactly these outputs. The first bit shifted in ends at the last output."""
        self.lit = frozenset(numbers)
        for output in range(self.outputs - 1, -1, -1):
            self.data(1 if output in self.lit else 0)
            self.clock(1)
            self.clock(0)
        self.latch(1)
        self.latch(0)
