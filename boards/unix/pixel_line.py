"""WS2812 lamps on a pin of the simulated board: machine.bitstream, with the times the PIO gives on rp2."""

from time import sleep_us, ticks_add, ticks_diff, ticks_us

import machine

TIMES_NS = (250, 1000, 875, 375)
WORD_US, RESET_US = 30, 300


class PixelLine:
    def __init__(self, pin):
        self._pin = pin
        self._free = ticks_us()

    def __call__(self, words):
        left_us = ticks_diff(self._free, ticks_us())
        if left_us > 0:
            sleep_us(left_us)
        data = bytearray()
        for word in words:
            data += bytes((word >> 24 & 255, word >> 16 & 255, word >> 8 & 255))
        machine.bitstream(self._pin, 0, TIMES_NS, data)
        self._free = ticks_add(ticks_us(), len(words) * WORD_US + RESET_US)
