"""Lamps on a string of WS2812 (Worldsemi, WS2812B v5): one a betting area, in its order. Knows no rule.

A word a lamp, green, red and blue from the top bit down. The board's line (pixel_line.py of each
board) gives the bits their times: 1.25 µs each, 280 µs of low at the end.
"""

from array import array


class PixelLamps:
    def __init__(self, line, count, brightness=7):
        self.line = line  # function(words)
        self.outputs = count
        level = (brightness + 1) * 32 - 1
        self.colour = (level << 16 | level << 8 | level) << 8  # the low byte is not sent
        self.words = array("I", [0] * count)
        self.lit = frozenset()
        self.show(())

    def show(self, numbers):
        """Lights exactly these lamps."""
        self.lit = frozenset(numbers)
        for lamp in range(self.outputs):
            self.words[lamp] = self.colour if lamp in self.lit else 0
        self.line(self.words)
