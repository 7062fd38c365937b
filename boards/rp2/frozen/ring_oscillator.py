"""The RP2040's ring oscillator as a noise source: raw bits of its RANDOMBIT register, packed.

Datasheet 2.17.5: a random bit, and no claim for security: nobody vouches for it. A bit is read every
microsecond or so, about six turns of the oscillator, so that one is not the bit before seen twice. Read
through firmware/board.py; whether the bits are any good is for firmware/rng to judge.
"""
# ruff: noqa: F821 (ptr8 and ptr32 are viper's own)

import micropython

PAUSE = 2  # turns of an empty loop: with the rest eight tenths of a microsecond at 125 MHz


@micropython.viper
def _fill(buffer: ptr8, size: int, pause: int):  # type: ignore
    register = ptr32(0x4006001C)  # ROSC: RANDOMBIT
    for at in range(size):
        byte = 0
        for _ in range(8):
            byte = (byte << 1) | (register[0] & 1)
            left = pause
            while left:
                left -= 1
        buffer[at] = byte


def read(count):
    buffer = bytearray(count)
    _fill(buffer, count, PAUSE)
    return buffer
