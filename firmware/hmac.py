"""HMAC-SHA-256 (RFC 2104) with its pads made once a key. PURE: journal, generator and host share it.

MicroPython has no hmac, and its sha256 objects cannot be copied: pads kept beside the key spare the
chip half of the work.
"""

import hashlib

KEY_BYTES = 32
BLOCK_REST = 64 - KEY_BYTES
INNER, OUTER = 0x36, 0x5C
_INNER_MASK = int.from_bytes(bytes([INNER]) * KEY_BYTES, "big")
_OUTER_MASK = int.from_bytes(bytes([OUTER]) * KEY_BYTES, "big")
_INNER_REST, _OUTER_REST = bytes([INNER]) * BLOCK_REST, bytes([OUTER]) * BLOCK_REST


def pads(key):
    """The two pads of a key of up to 32 bytes. One xor of a long number: 64 of bytes take the chip longer."""
    number = int.from_bytes(key + bytes(KEY_BYTES - len(key)), "big")
    inner = (number ^ _INNER_MASK).to_bytes(KEY_BYTES, "big") + _INNER_REST
    return inner, (number ^ _OUTER_MASK).to_bytes(KEY_BYTES, "big") + _OUTER_REST


def hmac(padded, data):
    """HMAC-SHA-256 with the pads of its key."""
    inner = hashlib.sha256(padded[0])
    inner.update(data)
    outer = hashlib.sha256(padded[1])
    outer.update(inner.digest())
    return outer.digest()
