"""MicroPython's `time` on the virtual clock; first on sys.path, so asyncio uses it too.

The built-in one stays reachable as `utime`. Ticks wrap at 2**30, as on the rp2 port.
"""

import fixture
import utime
from clock import TICKS_MASK, board_clock
from utime import mktime  # noqa: F401

POWER_ON_S = 1_609_459_200  # a Pico's calendar starts at 2021-01-01 with every power-on
HALF_PERIOD = (TICKS_MASK + 1) // 2

ticks_us = board_clock.ticks_us


def ticks_ms():
    return board_clock.now_us() // 1000 & TICKS_MASK


ticks_cpu = ticks_us


def _ticks_add(ticks, delta):
    return ticks + delta & TICKS_MASK


def _ticks_diff(end, start):
    return (end - start + HALF_PERIOD & TICKS_MASK) - HALF_PERIOD


# On a 32-bit build the built-in ones wrap there already, and need no heap.
_native = utime.ticks_add(0, -1) == TICKS_MASK
ticks_add = utime.ticks_add if _native else _ticks_add
ticks_diff = utime.ticks_diff if _native else _ticks_diff


def sleep_us(us):
    board_clock.sleep(us, fixture.look)


def sleep_ms(ms):
    sleep_us(ms * 1000)


def sleep(seconds):
    sleep_us(int(seconds * 1_000_000))


def time_ns():
    return (POWER_ON_S * 1_000_000 + board_clock.now_us()) * 1000


def time():
    return POWER_ON_S + board_clock.now_us() // 1_000_000


def gmtime(seconds=None):
    return utime.gmtime(time() if seconds is None else seconds)


localtime = gmtime
