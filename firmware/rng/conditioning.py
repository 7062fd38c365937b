"""Raw samples made into seed material: HMAC-SHA-256, a vetted conditioner (SP 800-90B 3.1.5.1.1). PURE.

With 320 bits of stated entropy or more going in, what comes out counts as full (3.1.5.1.2: 64 bits
more than come out). Several sources are mixed by hashing them together: a bad one takes nothing away.
"""

from ..hmac import hmac, pads

LEAST_BITS = 256 + 64
_PADS = pads(b"pitkit noise conditioning 1")


def condition(pieces):
    """32 bytes from the sources' raw samples; each with its length, so that no two ways of cutting agree."""
    data = bytearray()
    for piece in pieces:
        data += len(piece).to_bytes(2, "big")
        data += piece
    return hmac(_PADS, data)
