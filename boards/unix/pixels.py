"""A string of WS2812 lamps on one wire, as machine.bitstream drives it.

A pin written from Python is too slow for them, on this board as on silicon. The times are the maker's,
read strictly: a bit outside them spoils its frame, and only a long low shows what came.
"""

from clock import board_clock

ZERO_NS = (220, 500)
ONE_NS = (580, 1600)
LONGEST_LOW_NS = 9000  # between two bits: the first parts take more for the end of the frame
BYTES = 3  # green, red, blue


def _within(ns, limits):
    return limits[0] <= ns <= limits[1]


class Pixels:
    def __init__(self, part, name_of):
        self._count = part["count"]
        self._reset_us = part.get("reset_us", 280)
        self._name_of = name_of
        self._shown = bytearray(BYTES * self._count)
        self._frame = bytearray()
        self._bad = False
        self._end_us = 0

    def state(self):
        self._settle()
        return list(self._shown)

    def restore(self, state):
        self._shown[:] = bytes(state)

    def stream(self, timing, data):
        """Bytes go out on the wire: (high and low of a 0, high and low of a 1) in ns."""
        if board_clock.now_us() - self._end_us >= self._reset_us:
            self._end_frame()
        elif self._frame:
            self._bad = self._bad or board_clock.now_us() - self._end_us > LONGEST_LOW_NS // 1000
        if any(byte != 0xFF for byte in data):
            self._judge(timing[0], ZERO_NS, timing[1])
        if any(data):
            self._judge(timing[2], ONE_NS, timing[3])
        self._frame.extend(data)
        self._end_us = board_clock.now_us()

    def _judge(self, high_ns, limits, low_ns):
        self._bad = self._bad or not _within(high_ns, limits) or low_ns > LONGEST_LOW_NS

    def lit(self):
        self._settle()
        return [self._name_of(lamp) for lamp in range(self._count) if any(self._colour(lamp))]

    def colours(self):
        lamps = [lamp for lamp in range(self._count) if any(self._colour(lamp))]
        return {self._name_of(lamp): self._colour(lamp) for lamp in lamps}

    def _colour(self, lamp):
        green, red, blue = self._shown[BYTES * lamp : BYTES * lamp + BYTES]
        return [red, green, blue]

    def _settle(self):
        if self._frame and board_clock.now_us() - self._end_us >= self._reset_us:
            self._end_frame()

    def _end_frame(self):
        if not self._bad:
            whole = min(len(self._frame) // BYTES, self._count) * BYTES
            self._shown[:whole] = self._frame[:whole]
        self._frame = bytearray()
        self._bad = False
