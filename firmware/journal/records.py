"""One record and one segment header as bytes, and back. PURE.

    record   length  type  seq  at_ms  payload…  crc        never across a page: one program each
             1       1     4    4      0-length   4   LE
    header   "PJ1" version  segment  first seq  boot  round  pending  crc      the first page's start

An erased byte is FF, so a length of FF is "nothing written here yet".
"""

import binascii
import struct

MAGIC = b"PJ1\x01"
HEADER = "<4sIIIIB"
HEADER_BYTES = struct.calcsize(HEADER) + 4
HEAD = "<BBII"
HEAD_BYTES = struct.calcsize(HEAD)
OVERHEAD = HEAD_BYTES + 4
MAX_PAYLOAD = 210
ERASED = 255


def _sealed(content):
    return content + struct.pack("<I", binascii.crc32(content) & 0xFFFFFFFF)


def _unsealed(data):
    """The content, or None where the CRC does not fit."""
    content = bytes(data[:-4])
    crc = struct.unpack("<I", bytes(data[-4:]))[0]
    return content if crc == binascii.crc32(content) & 0xFFFFFFFF else None


def pack(type_, seq, at_ms, payload):
    if len(payload) > MAX_PAYLOAD:
        raise ValueError("a record holds at most %d bytes" % MAX_PAYLOAD)
    return _sealed(struct.pack(HEAD, len(payload), type_, seq, at_ms & 0xFFFFFFFF) + payload)


def unpack(page, at):
    """((seq, at_ms, type, payload), where the next one starts) or None where no whole record stands."""
    if at + OVERHEAD > len(page) or page[at] > MAX_PAYLOAD:
        return None
    end = at + OVERHEAD + page[at]
    content = _unsealed(page[at:end]) if end <= len(page) else None
    if content is None:
        return None
    _, type_, seq, at_ms = struct.unpack(HEAD, content[:HEAD_BYTES])
    return (seq, at_ms, type_, content[HEAD_BYTES:]), end


def find(page, at):
    """As unpack; a spoilt record is stepped over by its length, if a whole one stands behind it."""
    found = unpack(page, at)
    if found is None and at < len(page) and page[at] <= MAX_PAYLOAD:
        found = unpack(page, at + OVERHEAD + page[at])
    return found


def pack_header(segment, first_seq, boot, round_, pending):
    return _sealed(struct.pack(HEADER, MAGIC, segment, first_seq, boot, round_, pending))


def unpack_header(page):
    """(segment, first seq, boot, round, pending) or None."""
    content = _unsealed(page[:HEADER_BYTES])
    if content is None or content[:4] != MAGIC:
        return None
    return struct.unpack(HEADER, content)[1:]
