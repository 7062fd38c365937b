"""The configuration on flash: two copies of one transaction, the newest whole one counts.

    "PCF2"  version  base  length  UTC it was given  UTC it is due  author  text…  crc
    4       4        4     4       8                 8              12      0-…    4   LE

base: of one that waits, the version in force when it was announced; once another is in force it is void.

A new one goes over the first copy, is read back, and then over the second: a cut at any moment
leaves one whole, the one before or the one after. At start a spoilt or older copy is made good
from the other. Bytes are kept as they were sent, so the hash is the host's. Written only while
no device runs: it erases sectors.
"""

import binascii
import hashlib
import json
import struct

from .faults import JOURNAL_WRITE, Fault

MAGIC = b"PCF2"
HEAD = "<4sIIIQQ12s"
HEAD_BYTES = struct.calcsize(HEAD)
AUTHOR_BYTES = 12
COPIES = (0, 1)


class ConfigStore:
    def __init__(self, flash, sector_bytes=4096, page_bytes=256):
        self.flash = flash
        self.sector_bytes = sector_bytes
        self.page_bytes = page_bytes
        self.most_bytes = sector_bytes - HEAD_BYTES - 4
        self._forget()
        self.spoilt = 0  # copies that hold something, but nothing whole
        self.worn = 0  # copies that no longer take what is written
        kept = [self._consider(copy) for copy in COPIES]
        if self.text:
            self._mend(kept)

    def _forget(self):
        self.version = self.base = self.given_ms = self.due_ms = 0
        self.author, self.text = "", b""

    def _consider(self, copy):
        """The version of this copy, which counts if it is the newest; 0 where it holds nothing whole."""
        image = bytearray(self.sector_bytes)
        self.flash.readblocks(copy, image, 0)
        magic, version, base, length, given_ms, due_ms, author = struct.unpack(HEAD, image[:HEAD_BYTES])
        end = HEAD_BYTES + length
        if magic != MAGIC or length > self.most_bytes or not _is_whole(image, end):
            self.spoilt += image != b"\xff" * self.sector_bytes
            return 0
        if version > self.version:
            self.version, self.base, self.given_ms, self.due_ms = version, base, given_ms, due_ms
            self.author, self.text = author.rstrip(b"\0").decode(), bytes(image[HEAD_BYTES:end])
        return version

    def _mend(self, kept):
        """A cut between the copies, or a spoilt one, leaves one to be written again."""
        for copy in COPIES:
            if kept[copy] != self.version:
                self.worn += not self._write(copy, self._content())

    def save(self, text, author="", given_ms=0, due_ms=0, base=0):
        """`given_ms` is UTC, 0 where it was not known; `due_ms` is from when it is to count, if later.

        Where the first copy does not take it, it is a Fault and all is as it was: the second one, which
        still holds what was, is not put at risk. Where only the second does not, one copy serves.
        """
        before = self.version, self.text, self.author, self.given_ms, self.due_ms, self.base
        self.version, self.text, self.author = self.version + 1, text, author[:AUTHOR_BYTES]
        self.given_ms, self.due_ms, self.base = given_ms, due_ms, base
        self.worn = 0 if self._write(0, self._content()) else 1
        if self.worn:
            self.version, self.text, self.author, self.given_ms, self.due_ms, self.base = before
            raise Fault(JOURNAL_WRITE, "configuration")
        self.worn = 0 if self._write(1, self._content()) else 1
        self.spoilt = 0

    def clear(self):
        """Nothing is kept any more. The second copy goes first: until the first goes, it still counts."""
        if self.text:
            for copy in (1, 0):
                self.flash.ioctl(6, copy)
            self._forget()

    def _content(self):
        head = (self.version, self.base, len(self.text), self.given_ms, self.due_ms, self.author.encode())
        content = struct.pack(HEAD, MAGIC, *head) + self.text
        content += struct.pack("<I", binascii.crc32(content) & 0xFFFFFFFF)
        return content + b"\xff" * (-len(content) % self.page_bytes)

    def _write(self, copy, whole):
        """Whether the copy reads back as written."""
        self.flash.ioctl(6, copy)
        for at in range(0, len(whole), self.page_bytes):
            self.flash.writeblocks(copy, whole[at : at + self.page_bytes], at)
        check = bytearray(len(whole))
        self.flash.readblocks(copy, check, 0)
        return check == whole


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
