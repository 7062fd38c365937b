"""The loops of the health tests, as machine code, a byte at a time: fast enough for every seed on the chip.

Same names, same answers as loops_plain.py (tests/firmware/test_health.py holds them side by side).
Called by health.py.
"""
# ruff: noqa: F821 (ptr8 and ptr32 are viper's own)

import micropython

from .loops_plain import ONES


@micropython.viper
def _scan(data: ptr8, size: int, state: ptr32, ones: ptr8) -> int:  # type: ignore
    """A run that fails is at least 21 long, so it has a whole byte in it: other bytes are only counted."""
    last, run = int(state[0]), int(state[1])
    first, seen, same = int(state[2]), int(state[3]), int(state[4])
    failed = 0
    before = 0
    known = 1  # whether last and run tell of the byte before
    for at in range(size):
        byte = data[at]
        if seen == 0:
            first = byte >> 7
            same = 0
        same += ones[byte] if first else 8 - ones[byte]
        seen += 8
        if seen == 1024 or at == size - 1:
            if same >= int(state[6]):
                failed |= 2
            seen &= 1023
        if byte == 0 or byte == 255:
            if known == 0:
                last = before & 1
                run = 1
                while ((before >> run) & 1) == last:
                    run += 1
                known = 1
            run = run + 8 if (byte & 1) == last else 8
            last = byte & 1
            if run >= int(state[5]):
                failed |= 1
        elif known:
            known = 0
            if byte >> 7 == last:
                left = 7
                while ((byte >> left) & 1) == last:
                    run += 1
                    left -= 1
                if run >= int(state[5]):
                    failed |= 1
        before = byte
    if known == 0:
        last = before & 1
        run = 1
        while ((before >> run) & 1) == last:
            run += 1
    state[0] = last
    state[1] = run
    state[2] = first
    state[3] = seen
    state[4] = same
    return failed


def scan(data, state):
    return _scan(data, len(data), state, ONES)


@micropython.viper
def _count(data: ptr8, size: int, counts: ptr32, lags: int, ones: ptr8):  # type: ignore
    word = (data[0] << 8) | data[1]
    for at in range(2, size, 2):
        low = data[at + 1]
        word = ((word & 0xFFFF) << 16) | (data[at] << 8) | low
        counts[0] = counts[0] + ones[data[at]] + ones[low]
        lag = 1
        while lag <= lags:
            unlike = word ^ (word >> lag)
            counts[lag] = counts[lag] + ones[(unlike >> 8) & 255] + ones[unlike & 255]
            lag += 1


def count(data, counts, lags):
    _count(data, len(data), counts, lags, ONES)
