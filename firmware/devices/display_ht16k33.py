"""Four digits on an HT16K33 (Holtek, HT16K33 v1.20) behind I2C: shows the last keys pressed. Knows no rule.

A module that is pulled off or does not answer is left alone: a dark display changes no result
(qld s78(7), act sicbo 8.5). All is said anew each time, so one that comes back shows again.
"""

from .digits import shapes

ADDRESS = 0x70
OSCILLATOR_ON = b"\x21"
DISPLAY_ON = b"\x81"
DIMMING = 0xE0  # 0 to 15 sixteenths on top of one
COLUMNS = (0, 1, 3, 4)  # column 2 is the colon; two bytes of the display's memory a column


class Ht16k33:
    def __init__(self, bus, digits=4, brightness=7):
        self.bus = bus  # .writeto(address, bytes)
        self.digits = digits
        self.dimming = bytes((DIMMING | brightness * 2 + 1,))
        self.picture = bytearray(11)  # the address 0, then five columns
        self.show(())

    def show(self, numbers):
        """These digits from the left, None for a dark one; the rest blank."""
        for place, shape in enumerate(shapes(numbers, self.digits)):
            self.picture[1 + 2 * COLUMNS[place]] = shape
        try:
            for message in (OSCILLATOR_ON, self.picture, DISPLAY_ON, self.dimming):
                self.bus.writeto(ADDRESS, message)
        except OSError:
            pass
