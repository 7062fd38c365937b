"""Noise: on an ADC input, normal and repeatable by its seed (the emulated chip draws the same); and the
board's noise source, which is the system's entropy unless the fixture says otherwise.
"""

# ruff: noqa: PTH123
# (MicroPython has no pathlib)

import os

MASK = 0xFFFFFFFF


def seeded(seed):
    """Numbers from 0 to 1 (mulberry32)."""
    state = seed & MASK
    while True:
        state = (state + 0x6D2B79F5) & MASK
        mixed = (state ^ state >> 15) * (state | 1) & MASK
        mixed ^= (mixed + (mixed ^ mixed >> 7) * (mixed | 61)) & MASK
        yield (mixed ^ mixed >> 14) / 4294967296


class Voltage:
    """A value with noise of that deviation around it, all in 16 bits."""

    def __init__(self, value, deviation, seed):
        self._value = value
        self._deviation = deviation
        self._chance = seeded(seed)

    def sample(self):
        about_normal = sum(next(self._chance) for _ in range(12)) - 6
        return min(max(int(self._value + self._deviation * about_normal), 0), 65535)


class System:
    """The system's entropy, or what the fixture has put in its place: part of the world, over power cuts."""

    MODES = ("healthy", "stuck", "biased", "sticky", "file")

    def __init__(self):
        self.set({"mode": "healthy"})

    def set(self, told):
        self.told = told
        seed = told.get("seed")
        self._chance = seeded(int.from_bytes(os.urandom(4), "big") if seed is None else seed)
        self._last = 0
        self._file = open(told["file"], "rb") if told["mode"] == "file" else None  # noqa: SIM115

    def _bit(self):
        chance = next(self._chance)
        if self.told["mode"] == "sticky":
            self._last ^= chance >= self.told.get("stays", 0.9)
            return self._last
        return 1 if chance < self.told.get("ones", 0.75) else 0

    def _byte(self):
        byte = 0
        for _ in range(8):
            byte = byte << 1 | self._bit()
        return byte

    def read(self, count):
        mode = self.told["mode"]
        if mode == "healthy":
            return os.urandom(count)
        if mode == "stuck":
            return bytes([255 * self.told.get("level", 1)]) * count
        if mode == "file":
            return self._from_file(count)
        return bytes([self._byte() for _ in range(count)])

    def _from_file(self, count):
        """From its start again where it ends."""
        data = self._file.read(count)
        while len(data) < count:
            self._file.seek(0)
            data += self._file.read(count - len(data)) or bytes(count)
        return data


world = System()


def system(count):
    """Packed raw samples, as board.json asks for them."""
    return world.read(count)


def circuit(gpio):
    """The lowest of the twelve bits of conversions at this pin."""
    from machine import ADC, Pin

    convert = ADC(Pin(gpio)).read_u16

    def read(count):
        out = bytearray(count)
        for at in range(count * 8):
            out[at >> 3] = (out[at >> 3] << 1 | convert() >> 4 & 1) & 255
        return out

    return read
