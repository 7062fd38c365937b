"""Large things over the line: files onto the board; files, the journal and the dictionary off it.

A thing goes in blocks of 4096 bytes, each by itself: deflated where that makes it smaller, or as
it is. The blocks go in parts, and parts are commands like any other: numbered, several under
way, applied once. A file grows beside the one it replaces, under the hash of what it will be;
a transfer that broke off goes on behind its last whole block, after a restart too.

    on the line to the board   length + 32768 if deflated   data…    block after block
                               2 LE
    from the board             get_block, then its get_parts; how: 0 as it is, 1 deflated, 2 only FF behind it

Called by the session. Writing erases flash, so it is for a table between rounds.
"""

import binascii
import hashlib
import io
import os

from .protocol.session import Refusal

BLOCK_BYTES = 4096
PART_BYTES = 216  # of a block, in a frame
FIRST_BYTES = 196  # so too, beside the block's own fields
WINDOW_BITS = 12  # of deflate: no more memory than a block
DEFLATED = 32768
AS_IT_IS, IS_DEFLATED, BLANK_BEHIND = range(3)
NAME_BYTES = 32
SYNC_BLOCKS = 4  # so many are lost at most when the power goes
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"


def is_name(name):
    return 0 < len(name) <= NAME_BYTES and name[0] != "." and all(letter in LETTERS for letter in name)


class Coming:
    """One file on its way."""

    def __init__(self, folder, name, length, digest):
        self.wanted = (name, length, digest)
        self.path = folder + "/" + name
        self.part_path = "%s.%s.part" % (self.path, binascii.hexlify(digest[:4]).decode())
        self.hash = hashlib.sha256()
        self.block = bytearray(BLOCK_BYTES)
        self.have = self._have()
        self.file = open(self.part_path, "ab" if self.have else "wb")  # noqa: PTH123, SIM115
        self.begin()

    def _have(self):
        """Bytes of an earlier try, in whole blocks, and their hash taken again."""
        try:
            size = os.stat(self.part_path)[6]  # noqa: PTH116
        except OSError:
            return 0
        if size % BLOCK_BYTES or size > self.wanted[1]:
            return 0
        with open(self.part_path, "rb") as file:  # noqa: PTH123
            while file.readinto(self.block):
                self.hash.update(self.block)
        return size

    def begin(self):
        """The host starts to send, from the first block that is not here."""
        self.buffer = bytearray()
        self.came = 0

    def take(self, part):
        self.came += len(part)
        self.buffer += part
        while len(self.buffer) >= 2:
            head = self.buffer[0] | self.buffer[1] << 8
            end = 2 + head % DEFLATED
            if len(self.buffer) < end:
                return
            data, self.buffer = self.buffer[2:end], self.buffer[end:]
            self._write(self._unpacked(data) if head >= DEFLATED else data)

    def _unpacked(self, data):
        import deflate  # MicroPython's own; nothing else here needs a board

        stream = deflate.DeflateIO(io.BytesIO(data), deflate.RAW, WINDOW_BITS)
        return memoryview(self.block)[: stream.readinto(self.block)]

    def _write(self, data):
        self.file.write(data)
        self.hash.update(data)
        self.have += len(data)
        if self.have // BLOCK_BYTES % SYNC_BLOCKS == 0:
            self.file.flush()

    def end(self):
        """In the old one's place, if it is what was meant; else it is thrown away."""
        self.file.close()
        _, length, digest = self.wanted
        found = self.hash.digest()
        if self.have != length or found != digest:
            os.remove(self.part_path)  # noqa: PTH107
            raise Refusal("bad_file", "what arrived is not what was sent")
        os.rename(self.part_path, self.path)  # noqa: PTH104
        return {"length": length, "hash": found}


class Bulk:
    def __init__(self, sources, folder):
        self.sources = (
            sources  # {name before the "/": function(name behind it, block) -> (length, how, data)}
        )
        self.folder = folder
        self.sources["file"] = self._file
        self.coming = None
        self.packed = b""  # the block that a host is fetching

    def handlers(self, table):
        return {
            "put_begin": lambda asked: self._begin(asked, table),
            "put_part": lambda asked: self._part(asked, table),
            "put_end": lambda asked: self._end(table),
            "get_block": self._get_block,
            "get_part": self._get_part,
        }

    # -- onto the board

    def _check(self, table, is_begun):
        if not table.is_idle():
            raise Refusal("wrong_state", "a round is under way: send files when it is over")
        if is_begun and self.coming is None:
            raise Refusal("not_begun", "no file is on its way")

    def _begin(self, asked, table):
        self._check(table, False)
        kind, _, name = asked["name"].partition("/")
        if kind != "file" or not is_name(name):
            raise Refusal("bad_name", "it is no file of the board's: file/ and a name of plain letters")
        wanted = name, asked["length"], asked["hash"]
        if self.coming is None or self.coming.wanted != wanted:
            self._open(wanted)
        self.coming.begin()
        return {"have": self.coming.have}

    def _open(self, wanted):
        self._forget()
        try:
            self.coming = Coming(self.folder, *wanted)
        except OSError as error:
            raise Refusal("no_file", "the board cannot keep it (%s)" % error)

    def _part(self, asked, table):
        self._check(table, True)
        if asked["offset"] != self.coming.came:
            raise Refusal("bad_part", "the parts do not follow one another")
        try:
            self.coming.take(asked["part"])
        except (OSError, ValueError, EOFError) as error:  # the flash is full, or no deflate could make this
            self._forget()
            raise Refusal("no_file", "the board cannot keep it (%s)" % error)

    def _end(self, table):
        self._check(table, True)
        coming, self.coming = self.coming, None
        return coming.end()

    def _forget(self):
        if self.coming:
            self.coming.file.close()
        self.coming = None

    # -- off the board

    def _get_block(self, asked):
        kind, _, name = asked["name"].partition("/")
        if kind not in self.sources:
            raise Refusal("bad_name", "the board has nothing of that name")
        length, how, data = self.sources[kind](name, asked["block"])
        if how == AS_IT_IS:
            data, how = without_blank(data)
        self.packed = data
        answer = {"length": length, "packed": len(data), "how": how, "crc": binascii.crc32(data)}
        answer["part"] = data[:FIRST_BYTES]
        return answer

    def _get_part(self, asked):
        at = min(asked["offset"], len(self.packed))
        return {"part": self.packed[at : at + PART_BYTES]}

    def _file(self, name, block):
        if not is_name(name):
            raise Refusal("bad_name", "it is no file of the board's")
        path = self.folder + "/" + name
        try:
            length = os.stat(path)[6]  # noqa: PTH116
            with open(path, "rb") as file:  # noqa: PTH123
                file.seek(block * BLOCK_BYTES)
                return length, AS_IT_IS, file.read(BLOCK_BYTES)
        except OSError:
            raise Refusal("no_file", "the board has no file of that name")


def without_blank(data):
    """(data, how): what is only erased flash at the end does not go over the line."""
    end = len(data)
    while end >= 64 and data[end - 64 : end] == b"\xff" * 64:
        end -= 64
    return (data[:end], BLANK_BEHIND) if end < len(data) else (data, AS_IT_IS)


def blocks_of(text):
    """A source that is in memory as it is."""
    return lambda name, block: (len(text), AS_IT_IS, text[block * BLOCK_BYTES : (block + 1) * BLOCK_BYTES])
