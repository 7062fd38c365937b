"""The parts on the wires, decoding what the pins really do: a 74HC595 chain and a TM1637.

They hear only their own pins, and know no game: lamps and digits, as a bench would see them.
A TM1637 that is spoken to wrongly says so on standard error and keeps what it showed. A reset of
the chip leaves the parts as they are; a power cut clears them.
"""

import sys

from bench import WIRING
from board_data import BOARD
from pins import by_name

# fmt: off
# Segments a to g are bits 0 to 6. A shape that is both a digit and a letter reads as the digit.
GLYPHS = {
    0x00: " ", 0x3F: "0", 0x06: "1", 0x5B: "2", 0x4F: "3", 0x66: "4", 0x6D: "5", 0x7D: "6", 0x07: "7",
    0x7F: "8", 0x6F: "9", 0x40: "-", 0x08: "_", 0x77: "A", 0x7C: "b", 0x39: "C", 0x58: "c", 0x5E: "d",
    0x79: "E", 0x71: "F", 0x3D: "G", 0x76: "H", 0x74: "h", 0x1E: "J", 0x38: "L", 0x54: "n", 0x5C: "o",
    0x73: "P", 0x67: "q", 0x50: "r", 0x78: "t", 0x3E: "U", 0x1C: "u", 0x6E: "y", 0x63: "°",
}
# fmt: on


class LampChain:
    """74HC595s in a row. Output 0 is Q_A of the nearest chip: the bit shifted in last."""

    def __init__(self, part, names):
        self._data = by_name[part["data"]]
        self._outputs = part["outputs"]
        self._mask = (1 << part["outputs"]) - 1
        self._names = names
        self._shifted = 0
        self._latched = 0
        by_name[part["clock"]].listener = self._clock
        by_name[part["latch"]].listener = self._latch

    def _clock(self, level):
        if level:
            self._shifted = (self._shifted << 1 | self._data.level) & self._mask

    def _latch(self, level):
        if level:
            self._latched = self._shifted

    def state(self):
        return [self._shifted, self._latched]

    def restore(self, state):
        self._shifted, self._latched = state

    def lit(self):
        outputs = [i for i in range(self._outputs) if self._latched >> i & 1]
        return [self._names[i] if i < len(self._names) else f"output {i}" for i in outputs]


class Display:
    """TM1637: start, bytes of eight bits (low bit first) each acknowledged, stop."""

    def __init__(self, part):
        self._clk = by_name[part["clk"]]
        self._dio = by_name[part["dio"]]
        self._segments = bytearray(6)
        self._digits = part["digits"]
        self._lit = False
        self._fixed = False  # the address stays, or steps on after each byte
        self._bits = -1  # clocked in since the start; negative between stop and start
        self._byte = 0
        self._spoken = []
        for pin in (self._clk, self._dio):
            pin.pulled_up = True  # the module has a resistor on both wires
            pin.settle()
        self._clk.listener = self._clock
        self._dio.listener = self._data

    def state(self):
        return [list(self._segments), self._lit, self._fixed]

    def restore(self, state):
        segments, self._lit, self._fixed = state
        self._segments[:] = bytes(segments)

    def text(self):
        if not self._lit:
            return " " * self._digits
        return "".join(GLYPHS.get(shape & 0x7F, "?") for shape in self._segments[: self._digits])

    def _data(self, level):
        if not self._clk.level:
            return
        if level:
            self._stop()
        else:
            self._bits = self._byte = 0
            self._spoken = []

    def _clock(self, level):
        if self._bits < 0:
            return
        if level:
            self._rise()
        elif self._bits == 8:
            self._hold(True)
        elif self._bits == 9:
            self._bits = self._byte = 0
            self._hold(False)

    def _rise(self):
        if self._bits < 8:
            self._byte |= self._dio.level << self._bits
        else:
            self._spoken.append(self._byte)
        self._bits += 1

    def _hold(self, low):
        self._dio.held_low = low  # the acknowledgement, seen if the board lets go of the wire
        self._dio.settle()

    def _stop(self):
        # A stop begins as a ninth clock would: one bit that is no data.
        whole = self._bits in (0, 1)
        self._bits = -1
        if not whole or not self._spoken:
            self._complain("a stop in the middle of a byte")
        else:
            self._obey(self._spoken[0], self._spoken[1:])

    def _obey(self, command, rest):
        kind = command & 0xC0
        if kind == 0xC0:
            self._write(command & 0x0F, rest)
        elif rest:
            self._complain(f"bytes after the command {command:#04x}")
        elif kind == 0x80:
            self._lit = bool(command & 0x08)
        elif command in (0x40, 0x44):
            self._fixed = command == 0x44
        else:
            self._complain(f"no command {command:#04x}")

    def _write(self, address, shapes):
        if address + (1 if self._fixed else len(shapes)) > len(self._segments):
            self._complain("an address past its last digit")
            return
        for shape in shapes:
            self._segments[address] = shape
            address += 0 if self._fixed else 1

    def _complain(self, what):
        print(f"display: {what}", file=sys.stderr)


KINDS = {"74hc595": lambda part: LampChain(part, WIRING.get("lamps", [])), "tm1637": Display}

fitted = {name: KINDS[part["kind"]](part) for name, part in BOARD.get("parts", {}).items()}
