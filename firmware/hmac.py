"""HMAC-SHA-256 (RFC 2104) with its pads made once a key. PURE: journal, generator and host share it.

MicroPython has no hmac, and its sha256 objects cannot be copied: pads kept beside the key spare the
chip half of the work. On the board the pads are made by machine code.
"""

import hashlib

from .native_code import native

KEY_BYTES = 32
INNER, OUTER = 0x36, 0x5C
INNER_PAD, OUTER_PAD = bytes([INNER]) * 64, bytes([OUTER]) * 64


def plain_pads(key):
    """The two pads of a key of up to 32 bytes: each an xor of one long number."""
    key += bytes(64 - len(key))
    number = int.from_bytes(key, "big")
    return tuple(
        [(number ^ int.from_bytes(pad, "big")).to_bytes(64, "big") for pad in (INNER_PAD, OUTER_PAD)]
    )


try:
    from .hmac_viper import pads
except (ImportError, NameError, SyntaxError):  # CPython, or a port without that emitter
    pads = plain_pads


@native
def hmac(padded, data):
    """HMAC-SHA-256 with the pads of its key."""
    inner = hashlib.sha256(padded[0])
    inner.update(data)
    outer = hashlib.sha256(padded[1])
    outer.update(inner.digest())
    return outer.digest()
