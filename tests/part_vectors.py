"""What is said to a part and what it then shows: the same on the simulated board and on the emulated chip."""

PIXELS = {"lamps": {"kind": "ws2812", "data": "lamp_data", "count": 3}}
DIGITS = {"display": {"kind": "ht16k33", "sda": "display_dio", "scl": "display_clk", "digits": 4}}
MATRIX = {"lamps": {"kind": "ht16k33", "sda": "display_dio", "scl": "display_clk", "address": 0x71}}

# name: timing in ns (high and low of a 0, of a 1), bytes in frames, colours shown
GOOD = (400, 850, 800, 450)
WS2812 = {
    "first lamp": (GOOD, ["100000"], {"small": [0, 16, 0]}),
    "green red blue": (GOOD, ["0102030a0b0c"], {"small": [2, 1, 3], "big": [11, 10, 12]}),
    "more than there are": (GOOD, ["000000" * 2 + "ffffff" * 5], {"triple:1": [255, 255, 255]}),
    "a piece of a lamp": (GOOD, ["0102"], {}),
    "the next frame": (GOOD, ["ffffff" * 3, "000000"], {"big": [255] * 3, "triple:1": [255] * 3}),
    "a 0 that is too long": ((560, 700, 800, 450), ["ff00ff"], {}),
    "a wrong 0 that is not used": ((560, 700, 800, 450), ["ffffff"], {"small": [255, 255, 255]}),
    "a 1 that is too short": ((400, 850, 540, 450), ["ffffff"], {}),
}

# name: messages, text
STARTED = [[0x21], [0x81]]
HT16K33 = {
    "digits": ([*STARTED, [0, 0x4F, 0, 0x4F, 0, 0, 0, 0x66, 0, 0, 0]], "334 "),
    "one digit": ([*STARTED, [6, 0x06]], "  1 "),
    "the colon and the points": ([*STARTED, [0, 0xBF, 0, 0x86, 0, 2, 0]], "01  "),
    "past the end": ([*STARTED, [15, 0, 0x5B]], "2   "),
    "no character": ([*STARTED, [8, 0x49]], "   ?"),
    "display off": ([*STARTED, [0, 0x06], [0x80]], "    "),
    "no oscillator": ([[0x81], [0, 0x06]], "    "),
}

# Two open-drain wires, in Python: the same on both boards.
TWO_WIRES = """
from machine import Pin
sda, scl = Pin(22, Pin.OPEN_DRAIN, value=1), Pin(21, Pin.OPEN_DRAIN, value=1)
acks = []
def send(data, address=0x70):
    sda(0)
    scl(0)
    for value in [address << 1] + data:
        for bit in range(7, -1, -1):
            sda(value >> bit & 1)
            scl(1)
            scl(0)
        sda(1)
        scl(1)
        acks.append(sda())
        scl(0)
    sda(0)
    scl(1)
    sda(1)
"""
STREAM = """
import machine, time
from binascii import unhexlify
wire = machine.Pin(18, machine.Pin.OUT, value=0)
def stream(timing, frames):
    for frame in frames:
        machine.bitstream(wire, 0, timing, unhexlify(frame))
        time.sleep_us(300)
"""
