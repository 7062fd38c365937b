"""The RP2350's TRNG as a noise source: its oscillator's raw samples, 192 at a time.

Datasheet 12.12: its own decorrelator and tests are bypassed, as the boot ROM and the SDK do, because
the tests belong on raw samples and are ours (firmware/rng). Reading the last of six words starts the
next 192. Not yet run on silicon: tests/boards/test_trng.py holds it against a model of the registers.
"""

from machine import mem32

BASE = 0x400F0000
ICR, VALID, DATA, DATA_WORDS = 0x108, 0x110, 0x114, 6
SOURCE_ENABLE, SAMPLE_COUNT, DEBUG = 0x12C, 0x130, 0x138
BYPASS = 0b1110  # von Neumann, continuous test, autocorrelation
SAMPLE_TICKS = 100  # of the system clock between samples: the oscillator is the slower one
PATIENCE = 100_000


class Silent(Exception):
    """The TRNG gives nothing."""


def _start():
    mem32[BASE + SOURCE_ENABLE] = 0
    mem32[BASE + SAMPLE_COUNT] = SAMPLE_TICKS
    mem32[BASE + DEBUG] = BYPASS
    mem32[BASE + ICR] = 0xFFFFFFFF
    mem32[BASE + SOURCE_ENABLE] = 1


def _wait():
    for _ in range(PATIENCE):
        if mem32[BASE + VALID] & 1:
            return
    raise Silent("the TRNG gives nothing")


def read(count):
    """A silent one reads as zeros: the health tests know what to make of that."""
    out = bytearray()
    _start()
    try:
        while len(out) < count:
            _wait()
            for word in range(DATA_WORDS):
                out += (mem32[BASE + DATA + 4 * word] & 0xFFFFFFFF).to_bytes(4, "big")
    except Silent:
        out += bytes(count)
    mem32[BASE + SOURCE_ENABLE] = 0
    return bytes(out[:count])
