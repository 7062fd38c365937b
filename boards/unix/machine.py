"""The `machine` of the simulated board, with the names and numbers of the rp2 port.

Only firmware/board.py imports it. What a pin, the flash or the clock does is in the modules named
here; this one is the chip around them.
"""

# ruff: noqa: PTH123
# (MicroPython has no pathlib)

import os

import bench
import fixture
import interrupts
import parts
from clock import board_clock
from flash import Flash  # noqa: F401
from peripherals import ADC, WDT, Timer  # noqa: F401
from pins import Pin  # noqa: F401
from serial_parts import UART, SoftI2C  # noqa: F401

PWRON_RESET = 1
WDT_RESET = 3


def unique_id():
    """Eight bytes of this board's own, kept with its flash."""
    path = bench.STATE_DIR + "/unique_id"
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        with open(path, "wb") as file:
            file.write(os.urandom(8))
        return unique_id()


def reset():
    fixture.leave(bench.EXIT_RESET)


def reset_cause():
    return bench.RESET_CAUSE


def freq():
    return 125_000_000


def idle():
    lightsleep(1)


def lightsleep(ms):
    """For ms, or until the first interrupt."""
    board_clock.wait(board_clock.now_us() + ms * 1000, fixture.look, standing=False)


def disable_irq():
    return interrupts.disable()


def enable_irq(state):
    interrupts.enable(state)
    board_clock.interrupt()


def bitstream(pin, encoding, timing, data):
    """Bits as long and short pulses, for WS2812 lamps. Takes no board time here."""
    if encoding != 0:
        raise ValueError("encoding")
    parts.stream(pin, timing, data)
