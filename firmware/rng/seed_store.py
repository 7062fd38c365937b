"""A seed kept over power cuts in a flash area of its own, so that no start repeats another's stream.

    "PSD1"  boot  seed  crc     one a page; the one before is programmed over with zeros
    4       4     32    4  LE

A start takes the newest, mixes it with fresh noise and keeps a new one before any number leaves. It
also says which start kept it: the journal's count of starts is never behind that, unless somebody put
an older journal back. Erases only at start, when no device runs.
"""

import binascii
import struct

from ..faults import COUNTER_BACK, JOURNAL_WRITE, Fault

MAGIC = b"PSD1"
HEAD = "<4sI32s"
HEAD_BYTES = struct.calcsize(HEAD)


class SeedStore:
    def __init__(self, flash, sector_bytes=4096, page_bytes=256):
        self.flash = flash
        self.page_bytes = page_bytes
        self.pages = sector_bytes // page_bytes
        self.slots = flash.ioctl(4, 0) * self.pages
        self.page = bytearray(page_bytes)
        self.kept_now = 0  # the start that kept the newest one, if it is this one

    def _load(self, slot):
        self.flash.readblocks(slot // self.pages, self.page, slot % self.pages * self.page_bytes)
        return self.page

    def _program(self, slot, content):
        whole = content + b"\xff" * (self.page_bytes - len(content))
        self.flash.writeblocks(slot // self.pages, whole, slot % self.pages * self.page_bytes)

    def _read(self, slot):
        """(boot, seed) or None."""
        page = self._load(slot)
        crc = struct.unpack("<I", page[HEAD_BYTES : HEAD_BYTES + 4])[0]
        if bytes(page[:4]) != MAGIC or crc != binascii.crc32(bytes(page[:HEAD_BYTES])) & 0xFFFFFFFF:
            return None
        return struct.unpack(HEAD, bytes(page[:HEAD_BYTES]))[1:]

    def _held(self):
        """[(boot, seed, slot)], oldest first."""
        found = [(slot, self._read(slot)) for slot in range(self.slots)]
        return sorted([kept + (slot,) for slot, kept in found if kept])

    def take(self, boot, may_go_back=False):
        """The seed of the start before; empty where there is none."""
        held = self._held()
        if not held:
            return b""
        if held[-1][0] >= boot and self.kept_now != boot and not may_go_back:
            raise Fault(COUNTER_BACK, "start %d after start %d" % (boot, held[-1][0]))
        return held[-1][1]

    def keep(self, boot, seed):
        held = self._held()
        slot = (held[-1][2] + 1) % self.slots if held else 0
        content = struct.pack(HEAD, MAGIC, boot, seed)
        content += struct.pack("<I", binascii.crc32(content) & 0xFFFFFFFF)
        self._make_blank(slot)
        self._program(slot, content)
        if self._read(slot) != (boot, seed):
            raise Fault(JOURNAL_WRITE, "seed")
        for _, _, old in held:
            self._program(old, bytes(HEAD_BYTES))
        self.kept_now = boot

    def _make_blank(self, slot):
        """A sector is erased as its first page is to be written, or where one is not as an erase left it."""
        if bytes(self._load(slot)) != b"\xff" * self.page_bytes:
            self.flash.ioctl(6, slot // self.pages)
