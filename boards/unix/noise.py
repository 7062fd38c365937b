"""Noise on an ADC input, normal and repeatable by its seed: the stream the emulated chip draws from too."""

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
