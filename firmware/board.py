"""The only importer of the hardware: board.json made into pins, flash areas, time and a line.

Everything above it gets plain functions and objects, so the same files run on the chip, on
the emulated chip and on the simulated board. It decides nothing.
"""

import select
import sys
from binascii import hexlify
from time import ticks_diff, ticks_us

import machine
import micropython

PULLS = {"up": machine.Pin.PULL_UP, "down": machine.Pin.PULL_DOWN}


class Board:
    def __init__(self, data):
        self.data = data
        self.name = data["name"]
        self.pins = data["pins"]
        self._poll_ms = data["poll_ms"]
        self._ticks = ticks_us()
        self._now_us = self._ticks
        self._stdin = sys.stdin.buffer
        self._stdout = sys.stdout.buffer
        self._in = select.poll()
        self._in.register(sys.stdin, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)
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
        """Until a byte comes, an edge is in the ring, or the time: whichever is first."""
        while ring.head == ring.tail:
            left_ms = self._poll_ms
            if until_us is not None:
                left_us = until_us - self.now_us()
                if left_us <= 0:
                    return
                left_ms = min(left_ms, (left_us + 999) // 1000)
            for _ in self._in.ipoll(left_ms):
                return

    # -- pins

    def gpio(self, name, overrides):
        return overrides.get(name, self.pins[name]["gpio"])

    def input(self, name, overrides):
        pull = PULLS.get(self.pins[name].get("pull"))
        return machine.Pin(self.gpio(name, overrides), machine.Pin.IN, pull)

    def output(self, name, overrides):
        idle = 1 - self.pins[name]["active"]
        return machine.Pin(self.gpio(name, overrides), machine.Pin.OUT, value=idle)

    def watch(self, pin, tap):
        """Both edges of this pin go to the tap, in hard interrupt time."""
        tap.irq = None
        both = machine.Pin.IRQ_RISING | machine.Pin.IRQ_FALLING
        tap.irq = pin.irq(tap.handler, both, hard=True)

    # -- flash, identity

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
        """What has come, one byte a call to the port: on rp2 a longer read waits for all of it."""
        data = bytearray()
        while len(data) < 256 and self._ready(self._in):
            byte = self._stdin.read(1)
            if not byte:
                break
            data += byte
        return data

    def write(self, data):
        """Sends. Only for what a host that is there has room for: an answer, or an event's first time."""
        self._stdout.write(data)

    def write_if_room(self, data):
        """Sends as far as there is room now; a frame cut short is a frame the host throws away."""
        for at in range(len(data)):
            if not self._ready(self._out):
                return
            self._stdout.write(data[at : at + 1])

    def _ready(self, poller):
        for _ in poller.ipoll(0):
            return True
        return False
