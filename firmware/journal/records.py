"""One record and one segment header as bytes, and back. PURE.

    record   length  type  seq  at_ms  payload…  mac  crc    never across a page: one program each
             1       1     4    4      0-length   8    4  LE
    header   "PJ1" version  segment  first seq  boot  round  pending  last mac  mac  crc
    key      32 bytes  crc     right behind the header, all zero once the segment is over

An erased byte is FF, so a length of FF is "nothing written here yet". The mac (chain.py) links
a record to the one before it; the crc tells a whole record from a torn one without any key.
"""

import binascii
import struct

from . import chain

MAGIC = b"PJ1\x02"
HEADER = "<4sIIIIB8s"
HEADER_CONTENT_BYTES = struct.calcsize(HEADER)
HEADER_BYTES = HEADER_CONTENT_BYTES + chain.MAC_BYTES + 4
KEY_BYTES = chain.KEY_BYTES + 4
FIRST_RECORD = HEADER_BYTES + KEY_BYTES
WIPED = bytes(KEY_BYTES)
HEAD = "<BBII"
HEAD_BYTES = struct.calcsize(HEAD)
TAIL_BYTES = chain.MAC_BYTES + 4
OVERHEAD = HEAD_BYTES + TAIL_BYTES
MAX_PAYLOAD = 210
ERASED = 255


def _crc(content):
    return struct.pack("<I", binascii.crc32(content) & 0xFFFFFFFF)


def _is_whole(data):
    return len(data) > 4 and bytes(data[-4:]) == _crc(bytes(data[:-4]))


def pack(type_, seq, at_ms, payload, pads, last):
    if len(payload) > MAX_PAYLOAD:
        raise ValueError("a record holds at most %d bytes" % MAX_PAYLOAD)
    content = struct.pack(HEAD, len(payload), type_, seq, at_ms & 0xFFFFFFFF) + payload
    content += chain.mac(pads, last, content)
    return content + _crc(content)


def unpack(page, at):
    """((seq, at_ms, type, payload), where the next one starts) or None where no whole record stands."""
    if at + OVERHEAD > len(page) or page[at] > MAX_PAYLOAD:
        return None
    end = at + OVERHEAD + page[at]
    if end > len(page) or not _is_whole(page[at:end]):
        return None
    _, type_, seq, at_ms = struct.unpack(HEAD, bytes(page[at : at + HEAD_BYTES]))
    return (seq, at_ms, type_, bytes(page[at + HEAD_BYTES : end - TAIL_BYTES])), end


def mac_before(page, end):
    """The mac of the record that ends here."""
    return bytes(page[end - TAIL_BYTES : end - 4])


def find(page, at, pads=None):
    """As unpack; past a spoilt record, whose length may be what is spoilt, the next whole one is sought.

    With the segment's `pads` it must stand where the spoilt one ends, or be linked to what stands before
    it: a player's name may hold bytes that look like a record.
    """
    found = unpack(page, at)
    if found is None and at < len(page) and bytes(page[at:]) != b"\xff" * (len(page) - at):
        for later in range(at + 1, len(page) - OVERHEAD + 1):
            found = unpack(page, later)
            ends = at + OVERHEAD + page[at]
            if found is not None and (
                pads is None or later == ends or _is_linked(page, later, found[1], pads)
            ):
                break
            found = None
    return found


def _is_linked(page, at, end, pads):
    last = mac_before(page, at)
    return mac_before(page, end) == chain.mac(pads, last, bytes(page[at : end - TAIL_BYTES]))


def pack_header(segment, first_seq, boot, round_, pending, last, key):
    """The header and, behind it, the segment's key."""
    content = struct.pack(HEADER, MAGIC, segment, first_seq, boot, round_, pending, last)
    content += chain.mac(chain.pads(key), last, content)
    return content + _crc(content) + key + _crc(key)


def unpack_header(page):
    """(segment, first seq, boot, round, pending, the mac before it, its own mac) or None."""
    if bytes(page[:4]) != MAGIC or not _is_whole(page[:HEADER_BYTES]):
        return None
    fields = struct.unpack(HEADER, bytes(page[:HEADER_CONTENT_BYTES]))[1:]
    return fields + (bytes(page[HEADER_CONTENT_BYTES : HEADER_CONTENT_BYTES + chain.MAC_BYTES]),)


def is_newer(page):
    """A whole header of a version that we cannot read: every version keeps the place of magic and crc.

    One that is not whole is spoilt or half erased, and nobody's.
    """
    newer = bytes(page[:3]) == MAGIC[:3] and page[3] > MAGIC[3]
    return newer and _is_whole(page[:HEADER_BYTES])


def key_in(page):
    """The segment's key; None where it is wiped or was never wholly written."""
    stored = page[HEADER_BYTES:FIRST_RECORD]
    return bytes(stored[:-4]) if _is_whole(stored) and bytes(stored) != WIPED else None


def is_wiped(page):
    return bytes(page[HEADER_BYTES:FIRST_RECORD]) == WIPED
