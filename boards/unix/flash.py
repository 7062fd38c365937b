"""The flash storage area: one file in the state folder, with the manners of NOR flash.

Erased bytes are 0xFF, programming only clears bits, whole pages only. Every program and erase
goes straight to the file, so that a kill at any moment loses nothing that was done. The fixture
may have the power go inside an operation (`tear`), as on the emulated chip.
"""

# ruff: noqa: PTH116, PTH123
# (MicroPython has no pathlib)

import os

import bench
from board_data import BOARD

PAGE_BYTES = BOARD["flash"]["page_bytes"]
SECTOR_BYTES = BOARD["flash"]["sector_bytes"]
STORAGE_BYTES = max(sum(area) for area in BOARD["flash"].values() if type(area) is list)
EINVAL = 22


def _open(path):
    try:
        if os.stat(path)[6] == STORAGE_BYTES:
            return open(path, "r+b")
    except OSError:
        pass
    with open(path, "wb") as file:
        for _ in range(STORAGE_BYTES // SECTOR_BYTES):
            file.write(b"\xff" * SECTOR_BYTES)
    return open(path, "r+b")


_storage = _open(bench.STATE_DIR + "/flash.bin")


class Tear:
    """The power goes in the operation-th operation from now, with so many of its bytes done."""

    def __init__(self):
        self.operations = 0  # 0: it stays on
        self.done_bytes = self.seed = 0

    def arm(self, operations, done_bytes, seed):
        self.operations, self.done_bytes, self.seed = operations, done_bytes, seed

    def is_now(self):
        armed = self.operations > 0
        self.operations -= armed
        return armed and self.operations == 0

    def share_of(self, size):
        """Whether one more bit of a torn erase is done: a chance of done_bytes in size."""
        self.seed = (self.seed * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.seed >> 16) * size < self.done_bytes << 15


tear = Tear()


def _half_erased(cells):
    for i in range(SECTOR_BYTES):
        for bit in range(8):
            if tear.share_of(SECTOR_BYTES):
                cells[i] |= 1 << bit
    return cells


class Flash:
    """A block device over part of the storage area, as rp2.Flash is."""

    def __init__(self, *, start=0, len=STORAGE_BYTES):
        if start % SECTOR_BYTES or len % SECTOR_BYTES or start < 0 or start + len > STORAGE_BYTES:
            raise ValueError("a flash area is whole sectors inside the storage")
        self._start = start
        self._bytes = len

    def readblocks(self, block, buffer, offset=0):
        self._seek(block, offset, len(buffer))
        _storage.readinto(buffer)

    def writeblocks(self, block, buffer, offset=None):
        """Without an offset it erases first; with one it only programs."""
        if len(buffer) % PAGE_BYTES or (offset or 0) % PAGE_BYTES:
            raise OSError(EINVAL)
        at = self._seek(block, offset or 0, len(buffer))
        if offset is None:
            if len(buffer) % SECTOR_BYTES:
                raise OSError(EINVAL)
            _storage.write(b"\xff" * len(buffer))
        for i in range(0, len(buffer), PAGE_BYTES):
            _program(at + i, memoryview(buffer)[i : i + PAGE_BYTES])

    def ioctl(self, operation, argument):
        if operation == 4:
            return self._bytes // SECTOR_BYTES
        if operation == 5:
            return SECTOR_BYTES
        if operation == 6:
            self._erase(argument)
        return 0

    def _erase(self, block):
        at = self._seek(block, 0, SECTOR_BYTES)
        if not tear.is_now():
            _storage.write(b"\xff" * SECTOR_BYTES)
            return
        cells = bytearray(SECTOR_BYTES)
        _storage.readinto(cells)
        _storage.seek(at)
        _storage.write(_half_erased(cells))
        bench.vanish(bench.EXIT_POWER_CUT)

    def _seek(self, block, offset, length):
        at = block * SECTOR_BYTES + offset
        if at < 0 or at + length > self._bytes:
            raise OSError(EINVAL)
        return _storage.seek(self._start + at)


def _program(at, page):
    _storage.seek(at)
    cells = bytearray(PAGE_BYTES)
    _storage.readinto(cells)
    torn = tear.is_now()
    for i in range(min(tear.done_bytes, PAGE_BYTES) if torn else PAGE_BYTES):
        cells[i] &= page[i]
    _storage.seek(at)
    _storage.write(cells)
    if torn:
        bench.vanish(bench.EXIT_POWER_CUT)
