"""The converter's noise: the lowest of the twelve bits of each conversion, packed.

`temperature` needs no wire: the sensor in the chip, its voltage far finer than a step. `circuit` is for
a noise circuit on an ADC pin. Read through firmware/board.py; judged by firmware/rng.
"""

import micropython
from machine import ADC, Pin

LOWEST = 4  # read_u16 has the twelve bits at the top


@micropython.native
def _bits(convert, count):
    out = bytearray(count)
    for at in range(count):
        byte = 0
        for _ in range(8):
            byte = byte << 1 | convert() >> LOWEST & 1
        out[at] = byte
    return out


def temperature(count):
    return _bits(ADC(ADC.CORE_TEMP).read_u16, count)


def circuit(gpio):
    """function(count) -> packed raw samples of what is wired to this pin."""
    convert = ADC(Pin(gpio)).read_u16
    return lambda count: _bits(convert, count)
