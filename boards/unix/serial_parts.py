"""Serial controllers of the simulated chip: I2C on any two pins, and UARTs that only send.

With the rp2 port's names and limits. The bus moves its pins bit by bit, so that a part on them
decodes what a real one would. What a UART sends is kept for the fixture, each byte at its time.
"""

from clock import board_clock
from pins import Pin

BITS_A_BYTE = 10  # start, eight, stop
TX_PINS = {0: (0, 12, 16, 28), 1: (4, 8, 20, 24)}  # RP2040 datasheet 1.4.3
ENODEV, ETIMEDOUT = 19, 110


class SoftI2C:
    def __init__(self, scl, sda, *, freq=400000, timeout=50000):
        self._scl, self._sda = scl, sda
        for pin in (scl, sda):
            pin.init(Pin.OPEN_DRAIN, value=1)

    def writeto(self, address, data):
        if not self._sda.level or not self._scl.level:
            raise OSError(ETIMEDOUT)
        self._sda(0)
        self._scl(0)
        answered = self._byte(address << 1)
        if answered:
            for value in data:
                self._byte(value)
        self._sda(0)
        self._scl(1)
        self._sda(1)
        if not answered:
            raise OSError(ENODEV)

    def _byte(self, value):
        for bit in range(7, -1, -1):
            self._sda(value >> bit & 1)
            self._scl(1)
            self._scl(0)
        self._sda(1)
        self._scl(1)
        answered = not self._sda.level
        self._scl(0)
        return answered


class UART:
    sent = {}  # tx pin: [bytearray, baud]

    def __init__(self, number, baudrate=9600, *, tx, txbuf=256):
        if tx.id not in TX_PINS[number]:
            raise ValueError("bad TX pin")
        self._baud = baudrate
        self._room = txbuf
        self._free_us = 0
        self._line = UART.sent[tx.id] = [UART.sent.get(tx.id, [bytearray()])[0], baudrate]

    def write(self, data):
        """All that the buffer holds; more would wait on silicon, and here it is an error."""
        if len(data) > self._room:
            raise ValueError("more than the buffer holds")
        self._line[0].extend(data)
        start_us = max(self._free_us, board_clock.now_us())
        self._free_us = start_us + len(data) * BITS_A_BYTE * 1_000_000 // self._baud
        return len(data)

    def txdone(self):
        return board_clock.now_us() >= self._free_us
