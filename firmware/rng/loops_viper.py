"""The loops of the health tests, as machine code: on the chip twenty times as fast as loops_plain.py.

Same names, same answers (tests/firmware/test_health.py holds them side by side). Called by health.py.
"""
# ruff: noqa: F821 (ptr8 and ptr32 are viper's own)

import micropython

from .loops_plain import ONES


@micropython.viper
def scan(data: ptr8, count: int, state: ptr32) -> int:  # type: ignore
    last, run = int(state[0]), int(state[1])
    first, seen, same = int(state[2]), int(state[3]), int(state[4])
    most_run, most_same = int(state[5]), int(state[6])
    failed = 0
    for at in range(count):
        bit = (data[at >> 3] >> (7 - (at & 7))) & 1
        if bit == last:
            run += 1
            if run >= most_run:
                failed |= 1
        else:
            last = bit
            run = 1
        if seen == 0:
            first = bit
            same = 0
        if bit == first:
            same += 1
            if same >= most_same:
                failed |= 2
        seen = (seen + 1) & 1023
    state[0] = last
    state[1] = run
    state[2] = first
    state[3] = seen
    state[4] = same
    return failed


@micropython.viper
def _count(data: ptr8, size: int, counts: ptr32, ones: ptr8):  # type: ignore
    for at in range(2, size):
        word = (data[at - 2] << 16) | (data[at - 1] << 8) | data[at]
        counts[0] = counts[0] + ones[word & 255]
        for lag in range(1, 17):
            counts[lag] = counts[lag] + ones[(word ^ (word >> lag)) & 255]


def count(data, size, counts):
    _count(data, size, counts, ONES)
