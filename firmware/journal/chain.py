"""The keyed chain over the journal. PURE: the host checks with these same functions.

Each record carries a short HMAC-SHA-256 over itself and the one before it. The key of a
segment is the hash of the key of the segment before, which is wiped from the flash when a
segment is begun: whoever takes the board finds only the newest key, and can neither make
nor mend an older record. Whom it convinces: those who have the first key (the host keeps it
from the board's first days). Whom it does not: anyone without that key, and nobody of what
the thief of a running board writes from then on.
"""

import hashlib

from ..hmac import KEY_BYTES, hmac, pads

__all__ = ["KEY_BYTES", "hmac", "pads"]  # asked of the chain as its own

MAC_BYTES = 8
START = bytes(MAC_BYTES)  # before the first record there is nothing


def mac(padded, last, content):
    """The link behind `last` for this content."""
    return hmac(padded, last + content)[:MAC_BYTES]


def ratchet(key):
    """The next segment's key. There is no way back."""
    return hashlib.sha256(b"pitkit journal key\0" + key).digest()


def key_of(first_key, segment):
    """The key of a segment, from that of segment 1."""
    key = first_key
    for _ in range(segment - 1):
        key = ratchet(key)
    return key
