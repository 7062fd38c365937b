"""The only importer of the hardware: board.json made into pins, flash areas, time and a line.

Everything above it gets plain functions and objects, so the same files run on the chip, on
the emulated chip and on the simulated board. It decides nothing.
"""

import gc
import select
import sys
from binascii import hexlify
from time import ticks_diff, ticks_us

import machine
import micropython

try:
    import pitkit_native as native
except ImportError:  # the simulated board, or one that only takes files
    native = None

LONGEST_WAIT_US = 1_000_000  # the watchdog is fed, and wrapping ticks are seen, at least so often
WATCHDOG_MS = 8000  # an RP2040 counts no further than 8.3 s; opening a round may erase ten sectors: 4 s
READ_BYTES = 256  # no more at a time: the table has its turn between two handfuls of commands
WAITING_BYTES = 3072  # the answers of a window of commands, and an event
ROOM_US = 2000  # a full line is looked at so often
WINDOW_BYTES = 2048  # of commands unread: USB holds the host back by itself
I2C_HERTZ = 400_000
I2C_PATIENCE_US = 500
UART_BYTES = 128
PULLS = {"up": machine.Pin.PULL_UP, "down": machine.Pin.PULL_DOWN}


class Line:
    """The port's own way: on rp2 a byte at a time, for a longer read or write waits for all of it."""

    def __init__(self, poll_ms, piece_bytes):
        self._poll_ms = poll_ms
        self._piece = piece_bytes  # what a read or a write takes without waiting, once the port is ready
        self._stdin = sys.stdin.buffer
        self._stdout = sys.stdout.buffer
        self._in = select.poll()
        self._in.register(sys.stdin, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)

    def wait_us(self, us):
        """At most so long, and no longer than until the ring is to be looked at again."""
        for _ in self._in.ipoll(min(self._poll_ms, (us + 999) // 1000)):
            return True
        return False

    def read(self):
        data = bytearray()
        while len(data) < READ_BYTES and self._ready(self._in):
            piece = self._stdin.read(self._piece)
            if not piece:
                break
            data += piece
        return data

    def write(self, data):
        """Sends what there is room for; returns how many bytes that was."""
        at = 0
        while at < len(data) and self._ready(self._out):
            count = self._stdout.write(data[at : at + self._piece])
            if not count:
                break
            at += count
        return at

    def _ready(self, poller):
        for _ in poller.ipoll(0):
            return True
        return False


class NativeLine:
    """With the C module of our images: what is there in one piece, and a wait that an interrupt ends."""

    def __init__(self):
        self._buffer = bytearray(READ_BYTES)
        self.wait_us = native.wait_us
        self.write = native.write

    def read(self):
        return self._buffer[: native.read_into(self._buffer)]


class Outgoing:
    """What the line had no room for yet. It waits here, never the table; too much is an answer dropped."""

    def __init__(self, write):
        self._write = write
        self.waiting = b""
        self.dropped = 0

    def send(self, data):
        if len(self.waiting) + len(data) > WAITING_BYTES:
            self.dropped += 1  # whole answers: the host asks for them again
            return
        self.waiting += data
        self.flush()

    def flush(self):
        """Sends what goes; whether nothing is left."""
        if self.waiting:
            self.waiting = self.waiting[self._write(self.waiting) :]
        return not self.waiting


class Board:
    def __init__(self, data):
        self.data = data
        self.name = data["name"]
        self.pins = data["pins"]
        self.parts = data["parts"]
        self._ticks = ticks_us()
        self._now_us = self._ticks
        self._line = NativeLine() if native else Line(data["poll_ms"], data.get("line_bytes", 1))
        self._outgoing = Outgoing(self._line.write)
        self.window_bytes = data.get("window_bytes", WINDOW_BYTES)
        micropython.kbd_intr(-1)  # 0x03 is a byte like any other on this line

    # -- time

    def now_us(self):
        """Microseconds since start; ticks wrap after 18 minutes, this does not (asked often enough)."""
        ticks = ticks_us()
        self._now_us += ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._now_us

    def now_ms(self):
        return self.now_us() // 1000

    def edge_us(self, ticks):
        """An edge's ticks on the same scale."""
        return self._now_us + ticks_diff(ticks, self._ticks)

    def wait(self, until_us, ring):
        """Until a byte comes, an edge is in the ring, or the time, whichever is first; a second at most.

        Whether there are bytes to read; while edges are in the ring nobody looks.
        """
        latest_us = self.now_us() + LONGEST_WAIT_US
        until_us = latest_us if until_us is None else min(until_us, latest_us)
        while ring.head == ring.tail:
            left_us = until_us - self.now_us()
            if left_us <= 0:
                return self._line.wait_us(0)
            if self._line.wait_us(min(left_us, ROOM_US) if self._outgoing.waiting else left_us):
                return True
            if self._outgoing.waiting and self._outgoing.flush():
                break  # there is room for what comes next
        return False

    def start_watchdog(self):
        """From here on the loop must come round, or the board starts anew. Nothing stops it again."""
        self._watchdog = machine.WDT(timeout=WATCHDOG_MS)

    def feed(self):
        self._watchdog.feed()

    # -- pins

    def gpio(self, name, overrides):
        return overrides.get(name, self.pins[name]["gpio"])

    def bad_pins(self, overrides):
        """Which of these the chip does not have, or None."""
        for name, number in overrides.items():
            try:
                machine.Pin(number)
            except ValueError:
                return "pins.%s: the chip has no GPIO %d" % (name, number)
        return None

    def input(self, name, overrides):
        pull = PULLS.get(self.pins[name].get("pull"))
        return machine.Pin(self.gpio(name, overrides), machine.Pin.IN, pull)

    def output(self, name, overrides):
        idle = 1 - self.pins[name]["active"]
        return machine.Pin(self.gpio(name, overrides), machine.Pin.OUT, value=idle)

    def spare_input(self, gpio):
        """A pin that has no name, as a key to ground would have it."""
        return machine.Pin(gpio, machine.Pin.IN, machine.Pin.PULL_UP)

    def release(self, pin):
        """Watched no longer, nothing on it."""
        self.unwatch(pin, None)
        pin.init(machine.Pin.IN, None)

    def open_drain(self, name, overrides):
        """An output that pulls low or lets go; it begins letting go."""
        return machine.Pin(self.gpio(name, overrides), machine.Pin.OPEN_DRAIN, value=1)

    def watch(self, pin, tap):
        """Both edges of this pin go to the tap, in hard interrupt time."""
        both = machine.Pin.IRQ_RISING | machine.Pin.IRQ_FALLING
        pin.irq(tap.handler, both, hard=True)

    def unwatch(self, pin, tap):
        pin.irq(None, 0)

    # -- what is behind pins of their own

    def analog(self, name, overrides):
        """function() -> 0 to 65535, of the supply."""
        return machine.ADC(machine.Pin(self.gpio(name, overrides))).read_u16

    def i2c(self, scl, sda, overrides):
        """A bus on any two pins. A wire that is held low costs half a millisecond, and an OSError."""
        wires = [machine.Pin(self.gpio(name, overrides)) for name in (scl, sda)]
        return machine.SoftI2C(*wires, freq=I2C_HERTZ, timeout=I2C_PATIENCE_US)

    def uart(self, number, tx, overrides, baud):
        """Its buffer takes any line we send: a write never waits."""
        return machine.UART(number, baudrate=baud, tx=machine.Pin(self.gpio(tx, overrides)), txbuf=UART_BYTES)

    def pixel_line(self, name, overrides):
        """function(words): sends them to WS2812 lamps; each board has its own way."""
        from pixel_line import PixelLine

        return PixelLine(self.output(name, overrides))

    def noise(self, row, overrides):
        """function(count) -> so many bytes of packed raw samples, untested. Each board has its own way."""
        made = getattr(__import__(row["module"]), row["function"])
        return made(self.gpio(row["sense"], overrides)) if "sense" in row else made

    # -- memory, flash, identity

    def heap_free(self):
        """Bytes; gc.mem_free takes 9 ms on an RP2040, the C module a fraction of one."""
        return native.heap_free() if native else gc.mem_free()

    def flash(self, area):
        row = self.data["flash"]
        start, length = row[area]
        return getattr(__import__(row["module"]), row["class"])(start=start, len=length)

    def unique_id(self):
        return hexlify(machine.unique_id()).decode()

    def reset_cause(self):
        return machine.reset_cause()

    def reset(self):
        machine.reset()

    # -- the line

    def read(self):
        """What has come."""
        return self._line.read()

    def write(self, data):
        """Sends, or keeps until there is room; never waits."""
        self._outgoing.send(data)

    def is_line_free(self):
        return self._outgoing.flush()

    def dropped(self):
        return self._outgoing.dropped
