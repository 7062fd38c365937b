"""Fakes that fail as hardware fails. They run under CPython and MicroPython alike."""


def first_key():
    """Of a journal's chain: one that a test knows."""
    return bytes(range(32))


class PowerCut(Exception):
    """The power went in the middle of a flash operation."""


class FakeFlash:
    """NOR flash as a block device: programming only clears bits, an erase sets a whole sector.

    `cut_after` operations later the power goes: the last program keeps only its first `keep` bytes,
    or, where `keep` is "random", each of its bits with even odds.
    """

    def __init__(self, sectors=8, sector_bytes=4096, page_bytes=256):
        self.sector_bytes = sector_bytes
        self.page_bytes = page_bytes
        self.memory = bytearray(b"\xff" * (sectors * sector_bytes))
        self.programs = self.erases = 0
        self.cut_after = None
        self.keep = 0
        self.seed = 1
        self.worn = ()  # sectors that no longer take what is written, nor are blank when erased

    def _operate(self):
        if self.cut_after is None:
            return False
        self.cut_after -= 1
        return self.cut_after < 0

    def _noise(self):
        self.seed = (self.seed * 1103515245 + 12345) & 0x7FFFFFFF
        return self.seed >> 16 & 255

    def readblocks(self, block, buffer, offset=0):
        at = block * self.sector_bytes + offset
        buffer[:] = self.memory[at : at + len(buffer)]

    def writeblocks(self, block, buffer, offset):
        assert offset % self.page_bytes == 0 and len(buffer) == self.page_bytes
        self.programs += 1
        cut = self._operate()
        at = block * self.sector_bytes + offset
        for index in range(len(buffer) if not cut or self.keep == "random" else self.keep):
            value = buffer[index] | 0x11 if block in self.worn else buffer[index]  # bits that stay set
            if cut and self.keep == "random":
                value |= self._noise()  # a set bit is one that was not programmed
            self.memory[at + index] &= value
        if cut:
            raise PowerCut()

    def ioctl(self, op, argument):
        if op == 4:
            return len(self.memory) // self.sector_bytes
        if op == 5:
            return self.sector_bytes
        assert op == 6
        self.erases += 1
        cut = self._operate()
        at = argument * self.sector_bytes
        if not cut:
            self.memory[at : at + self.sector_bytes] = b"\xff" * self.sector_bytes
            if argument in self.worn:
                self.memory[at + 99] = 0x7F
            return 0
        self._tear_erase(at)
        raise PowerCut()

    def _tear_erase(self, at):
        """An erase done to the share that `keep` has of a page; or to a random one, bit by bit."""
        if self.keep == "random":
            for index in range(at, at + self.sector_bytes):
                self.memory[index] |= self._noise()
            return
        length = self.sector_bytes * self.keep // self.page_bytes
        self.memory[at : at + length] = b"\xff" * length


class Clock:
    def __init__(self, us=0):
        self.us = us

    def now_us(self):
        return self.us

    def now_ms(self):
        return self.us // 1000


class Wire:
    """An output pin: keeps what was written to it."""

    def __init__(self):
        self.levels = []

    def __call__(self, level):
        self.levels.append(level)


class Shown:
    """Lamps or a display: what is to be seen now."""

    def __init__(self, watch=None):
        self.now = ()
        self.watch = watch  # called before anything is shown

    def show(self, what):
        if self.watch:
            self.watch(tuple(what))
        self.now = tuple(what)


class FakePanel:
    """Contacts a test closes and opens by name."""

    def __init__(self, closed):
        self.state = dict(closed)
        self.changes = []
        self.lost_edges = 0

    def closed(self, name):
        return self.state.get(name, 0)

    def change(self, name, closed, at_us=0):
        self.state[name] = closed
        self.changes.append((name, closed, at_us))

    def poll(self):
        changes, self.changes = self.changes, []
        return changes

    def lost(self):
        lost, self.lost_edges = self.lost_edges, 0
        return lost

    def deadline_us(self):
        return None


class Parts:
    """The devices of a sic-bo table: real tumbler, the rest fakes."""

    def __init__(self, clock, watch=None, turns=3):
        from firmware.devices.tumbler import Tumbler

        self.clock = clock
        self.panel = FakePanel({"cover": 1, "seal": 1})
        self.motor = Wire()
        self.tumbler = Tumbler(self.motor, turns, 3000, 500, 15000)
        self.lamps = Shown(watch)
        self.display = Shown()
