"""Frames: what a line carries, whatever else was on it. PURE.

    00 | COBS( kind  number  type  body…  crc ) | 00
              1 byte  4 LE   1      0-224   4 LE

kind: C command, R its answer (same number), E and V events, A "I have all up to `number`" (see
versions.md). CRC-32 over all before it. A zero stands at both ends, so garbage before a frame
never eats it, and a reader that starts anywhere is in step at the next zero. MAX_FRAME keeps a
whole frame inside the 256 bytes a Pico's USB can hold.
"""

import binascii
import struct

from .cobs import decode as cobs_decode
from .cobs import encode as cobs_encode

COMMAND, REPLY, EVENT, ACK, STREAMED = 67, 82, 69, 65, 86  # C R E A V
HEAD = "<BIB"
HEAD_BYTES = 6
CRC_BYTES = 4
MAX_BODY = 224
MAX_FRAME = HEAD_BYTES + MAX_BODY + CRC_BYTES + 4


def encode_pure(kind, number, type_, body):
    if len(body) > MAX_BODY:
        raise ValueError("a frame's body is at most %d bytes" % MAX_BODY)
    content = struct.pack(HEAD, kind, number, type_) + body
    crc = struct.pack("<I", binascii.crc32(content) & 0xFFFFFFFF)
    return b"\0" + cobs_encode(content + crc) + b"\0"


def decode_pure(stuffed):
    """(kind, number, type, body) of what stood between two zeros, or None."""
    content = cobs_decode(stuffed)
    if content is None or len(content) < HEAD_BYTES + CRC_BYTES:
        return None
    crc = struct.unpack("<I", content[-CRC_BYTES:])[0]
    if crc != binascii.crc32(content[:-CRC_BYTES]) & 0xFFFFFFFF:
        return None
    kind, number, type_ = struct.unpack(HEAD, content[:HEAD_BYTES])
    return kind, number, type_, content[HEAD_BYTES:-CRC_BYTES]


try:
    from pitkit_native import frame_decode, frame_encode
except ImportError:  # the host, the simulated board, a board that only takes files
    frame_decode, frame_encode = decode_pure, encode_pure
decode = frame_decode


def encode(kind, number, type_, body=b""):
    """A frame, with its zeros."""
    return frame_encode(kind, number, type_, body)


class Deframer:
    """Bytes in, as they come; whole frames out. Counts what it had to throw away."""

    def __init__(self):
        self.buffer = bytearray()
        self.skipping = False  # more than a frame's worth without a zero: wait for the next one
        self.bad = 0

    def feed(self, data):
        """The frames that `data` completed, oldest first."""
        parts = bytes(data).split(b"\0")
        if len(parts) == 3 and not (self.buffer or self.skipping or parts[0] or parts[2]):
            frame = decode(parts[1]) if parts[1] else None  # one frame and nothing else, as it mostly is
            if frame:
                return [frame]
        found = []
        self._take(parts[0])
        for part in parts[1:]:
            self._end(found)
            self._take(part)
        return found

    def _take(self, part):
        if self.skipping or not part:
            return
        if len(self.buffer) + len(part) > MAX_FRAME:
            self.skipping = True
            self.buffer = bytearray()
        else:
            self.buffer += part

    def _end(self, found):
        stuffed, self.buffer = self.buffer, bytearray()
        skipped, self.skipping = self.skipping, False
        frame = decode(stuffed) if stuffed else None
        if frame is not None:
            found.append(frame)
        elif stuffed or skipped:
            self.bad += 1
