"""Four digits on a TM1637 (Titan Micro Electronics, TM1637 v2.4): shows the last keys pressed. Knows no rule.

Two wires, least bit first. DIO changes only while CLK is low; it falls while CLK is high to
start and rises while CLK is high to stop. After eight bits the part answers on a ninth
clock; we do not read that answer (8.5 of act, qld s78(7): a dark display changes no result).
"""

from time import sleep_us

from .digits import shapes

DATA_AUTO, ADDRESS_0, ON = 0x40, 0xC0, 0x88
HALF_BIT_US = 2  # the part takes up to 500 kHz


class Tm1637:
    def __init__(self, clk, dio, digits=4, brightness=7):
        self.clk = clk
        self.dio = dio
        self.digits = digits
        self.brightness = brightness
        self.clk(1)
        self.dio(1)
        self.show(())

    def show(self, numbers):
        """These digits from the left, None for a dark one; the rest blank."""
        self._send((DATA_AUTO,))
        self._send([ADDRESS_0] + shapes(numbers, self.digits))
        self._send((ON | self.brightness,))

    def _send(self, data):
        self.dio(0)  # start: falls while the clock is high
        for byte in data:
            self._byte(byte)
        self.clk(0)
        self.dio(0)
        self.clk(1)
        self.dio(1)  # stop: rises while the clock is high

    def _byte(self, byte):
        for bit in range(8):
            self.clk(0)
            self.dio(byte >> bit & 1)
            sleep_us(HALF_BIT_US)
            self.clk(1)
            sleep_us(HALF_BIT_US)
        self.clk(0)  # the ninth clock: the part's answer
        self.dio(0)
        self.clk(1)
        sleep_us(HALF_BIT_US)
