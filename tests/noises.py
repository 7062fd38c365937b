"""Noise as a test wants it: fair, leaning, sticky, stuck. Seeded; runs under MicroPython too."""


class Chance:
    """Numbers from 0 to 65,535 (xorshift32)."""

    def __init__(self, seed):
        self.state = seed

    def __call__(self):
        x = self.state
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        self.state = x
        return x >> 8 & 0xFFFF


def packed(bit, count):
    """`count` bytes of what bit() says, the first one highest."""
    out = bytearray(count)
    for at in range(count):
        byte = 0
        for _ in range(8):
            byte = byte << 1 | bit()
        out[at] = byte
    return bytes(out)


def leaning(share=0.5, seed=1):
    """A source whose ones have this share."""
    chance, most = Chance(seed), int(share * 65536)
    return lambda count: packed(lambda: 1 if chance() < most else 0, count)


def sticky(stays=0.9, seed=1):
    """A source whose bit is the one before, with this chance."""
    chance, most, last = Chance(seed), int(stays * 65536), [0]

    def bit():
        if chance() >= most:
            last[0] ^= 1
        return last[0]

    return lambda count: packed(bit, count)


def stuck(byte=0):
    return lambda count: bytes([byte]) * count
