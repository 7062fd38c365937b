"""The parts on the wires, decoding what the pins really do, by their kind in board.json.

Here a 74HC595 chain and a TM1637; ht16k33.py, pixels.py and wired_parts.py hold the others. They hear only
their own pins, and know no game: lamps and digits, as a bench would see them. A TM1637 that is spoken to
wrongly says so on standard error and keeps what it showed. A reset of the chip leaves the parts as they
are; a power cut clears them.
"""

import sys

import segments
from bench import WIRING
from board_data import PARTS
from ht16k33 import Ht16k33
from pins import by_name
from pixels import Pixels
from wired_parts import KeyMatrix, LineDisplay, MotorDrive, Shunt


def _name_of(output):
    """The lamp on an output; one that drives no lamp is told by its number."""
    names = WIRING.get("lamps", [])
    return names[output] if output < len(names) else f"output {output}"


class LampChain:
    """74HC595s in a row. Output 0 is Q_A of the nearest chip: the bit shifted in last."""

    def __init__(self, part):
        self._data = by_name[part["data"]]
        self._outputs = part["outputs"]
        self._mask = (1 << part["outputs"]) - 1
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
        return [_name_of(i) for i in range(self._outputs) if self._latched >> i & 1]


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
        return segments.read(self._segments[: self._digits])

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


class _Broken:
    """Lamps that are broken: name: "dark" (dead) or "lit" (always). They stay so when the power goes."""

    def __init__(self):
        self.lamps = {}


broken = _Broken()


def lamps_seen():
    """The names of the lamps that really give light."""
    driven = fitted["lamps"].lit() if "lamps" in fitted else []
    seen = [name for name in driven if name not in broken.lamps]
    return seen + [name for name, how in broken.lamps.items() if how == "lit"]


def _drawing():
    """How many lamps draw current; an output with no lamp on it draws none."""
    return len([name for name in lamps_seen() if name in WIRING.get("lamps", [])])


KINDS = {
    "matrix": KeyMatrix,
    "switch": MotorDrive,
    "h_bridge": MotorDrive,
    "shunt": lambda part: Shunt(part, _drawing),
    "uart": LineDisplay,
    "74hc595": LampChain,
    "tm1637": Display,
    "ht16k33": lambda part: Ht16k33(part, _name_of),
    "ws2812": lambda part: Pixels(part, _name_of),
}

fitted = {
    name: KINDS[part["kind"]](part)
    for name, part in PARTS.items()
    if part["kind"] not in ("none", "single", "noise_circuit")  # nothing, bare contacts, a voltage
}

_pixels = [(by_name[part["data"]], fitted[name]) for name, part in PARTS.items() if part["kind"] == "ws2812"]


def stream(pin, timing, data):
    """machine.bitstream on a pin: heard by the lamps on its wire, if there are any."""
    for wire, pixels in _pixels:
        if wire is pin:
            pixels.stream(timing, data)
