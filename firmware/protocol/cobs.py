"""Consistent overhead byte stuffing: any bytes in, no zero byte out. PURE.

Zero is then free to mark the ends of frames, so a reader that starts anywhere, or was fed
garbage, is in step again at the next zero. Works by whole blocks, not byte by byte: `split`
and slices run in C on the chip too.
"""


def encode(data):
    out = bytearray()
    for block in bytes(data).split(b"\0"):
        start = 0
        while len(block) - start >= 254:
            out.append(255)
            out += block[start : start + 254]
            start += 254
        out.append(len(block) - start + 1)
        out += block[start:]
    return bytes(out)


def decode(stuffed):
    """The bytes `encode` was given, or None where `stuffed` is nothing it could have made."""
    out = bytearray()
    at, end = 0, len(stuffed)
    while at < end:
        code = stuffed[at]
        stop = at + code
        if code == 0 or stop > end:
            return None
        out += stuffed[at + 1 : stop]
        at = stop
        if code < 255 and at < end:
            out.append(0)
    return bytes(out)
