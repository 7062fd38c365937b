"""The configuration on flash: two copies, the newer whole one counts.

A new one goes over the older copy, is read back, and only then is it the newer: a cut at any
moment leaves the one before or the one after. Bytes are kept as they were sent, so the hash
is the host's. Written only while no device runs: it erases a sector.
"""

import binascii
import hashlib
import json
import struct

from .faults import JOURNAL_WRITE, Fault

MAGIC = b"PCF1"
HEAD = "<4sII"  # magic, version, length; then the text, then CRC-32 over all of it
HEAD_BYTES = struct.calcsize(HEAD)


class ConfigStore:
    def __init__(self, flash, sector_bytes=4096, page_bytes=256):
        self.flash = flash
        self.sector_bytes = sector_bytes
        self.page_bytes = page_bytes
        self.most_bytes = sector_bytes - HEAD_BYTES - 4
        self.version = 0
        self.text = b""
        self._slot = 1
        self.spoilt = 0  # copies that hold something, but nothing whole
        for slot in (0, 1):
            self._consider(slot)

    def _consider(self, slot):
        image = bytearray(self.sector_bytes)
        self.flash.readblocks(slot, image, 0)
        magic, version, length = struct.unpack(HEAD, image[:HEAD_BYTES])
        end = HEAD_BYTES + length
        if magic != MAGIC or length > self.most_bytes or not _is_whole(image, end):
            self.spoilt += image != b"\xff" * self.sector_bytes
        elif version > self.version:
            self.version, self.text, self._slot = version, bytes(image[HEAD_BYTES:end]), slot

    def save(self, text):
        slot = 1 - self._slot
        content = struct.pack(HEAD, MAGIC, self.version + 1, len(text)) + text
        content += struct.pack("<I", binascii.crc32(content) & 0xFFFFFFFF)
        whole = content + b"\xff" * (-len(content) % self.page_bytes)
        self.flash.ioctl(6, slot)
        for at in range(0, len(whole), self.page_bytes):
            self.flash.writeblocks(slot, whole[at : at + self.page_bytes], at)
        self._read_back(slot, whole)
        self.version, self.text, self._slot = self.version + 1, text, slot

    def _read_back(self, slot, whole):
        check = bytearray(len(whole))
        self.flash.readblocks(slot, check, 0)
        if check != whole:
            raise Fault(JOURNAL_WRITE, "configuration")


def _is_whole(image, end):
    return struct.unpack("<I", image[end : end + 4])[0] == binascii.crc32(image[:end]) & 0xFFFFFFFF


def parse(text):
    """The configuration as a dict, or None where the text is none."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def text_hash(text):
    return binascii.hexlify(hashlib.sha256(text).digest()).decode()[:16]
