"""The HT16K33, 128 lamps or digits behind I2C, decoded from its two wires.

Writes only: it has keys to be read too, and those are not modelled. Shows nothing until both its
oscillator and its display are switched on.
"""

import segments
from pins import by_name

MEMORY_BYTES = 16  # two a column
DIGIT_COLUMNS = (0, 1, 3, 4)  # column 2 is the colon of a four-digit clock
OSCILLATOR = 0x20
DISPLAY = 0x80


class Ht16k33:
    def __init__(self, part, name_of):
        self._sda = by_name[part["sda"]]
        self._scl = by_name[part["scl"]]
        self._address = part.get("address", 0x70)
        self._columns = part.get("columns", DIGIT_COLUMNS[: part.get("digits", 4)])
        self._name_of = name_of
        self._memory = bytearray(MEMORY_BYTES)
        self._running = self._on = False
        self._at = 0
        self._listening = False
        self._begin()
        for pin in (self._sda, self._scl):
            pin.pulled_up = True  # the module has a resistor on both wires
            pin.settle()
        self._sda.listener = self._data
        self._scl.listener = self._clock

    def state(self):
        return [list(self._memory), self._running, self._on, self._at]

    def restore(self, state):
        memory, self._running, self._on, self._at = state
        self._memory[:] = bytes(memory)

    def text(self):
        shapes = [self._memory[column * 2] for column in self._columns]
        return segments.read(shapes) if self._on and self._running else " " * len(shapes)

    def lit(self):
        """Output n is bit n % 8 of byte n // 8."""
        if not (self._on and self._running):
            return []
        return [self._name_of(i) for i in range(MEMORY_BYTES * 8) if self._memory[i // 8] >> i % 8 & 1]

    # -- the wires

    def _begin(self):
        self._addressed = False
        self._first = True
        self._bits = self._byte = 0

    def _data(self, level):
        if self._scl.level:  # a fall starts, a rise stops
            self._listening = not level
            self._begin()

    def _clock(self, level):
        if not self._listening:
            return
        if level:
            self._rise()
        elif self._bits == 8:
            self._acknowledge()
        elif self._bits == 9:
            self._bits = self._byte = 0
            self._hold(False)

    def _rise(self):
        if self._bits < 8:
            self._byte = self._byte << 1 | self._sda.level
        self._bits += 1

    def _acknowledge(self):
        if self._addressed:
            self._take(self._byte)
        else:
            self._addressed = self._byte == self._address << 1
        self._listening = self._addressed
        self._hold(self._addressed)

    def _hold(self, low):
        self._sda.held_low = low
        self._sda.settle()

    # -- what is said on them

    def _take(self, byte):
        if not self._first:
            self._memory[self._at] = byte
            self._at = (self._at + 1) % MEMORY_BYTES
        elif byte < MEMORY_BYTES:
            self._at = byte
        else:
            self._obey(byte)
        self._first = False

    def _obey(self, command):
        self._at = 0
        if command & 0xF0 == OSCILLATOR:
            self._running = bool(command & 1)
        elif command & 0xF0 == DISPLAY:
            self._on = bool(command & 1)
