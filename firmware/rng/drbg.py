"""HMAC_DRBG with SHA-256, NIST SP 800-90A rev. 1, 10.1.2. PURE: the host replays draws with it.

Checked against NIST's CAVP vectors (tests/vectors). It gathers no entropy and knows no source: who
calls it brings it. MicroPython's bytes cannot be wiped, only let go: `zeroise` overwrites what this
object holds, and what the heap still has of it goes when its memory is used again.
"""

from ..hmac import hmac, pads
from ..native_code import native

SEED_BYTES = 32  # 256 bits of strength
MOST_BYTES = 1 << 16  # of one request: 10.1, table 2 (2^19 bits)
RESEED_INTERVAL = 1 << 20  # requests; the standard allows 2^48


class ReseedNeeded(Exception):
    """So many requests since the last seed: SP 800-90A 9.3.1, step 7. Also what a wiped one answers."""


class HmacDrbg:
    def __init__(self, entropy, nonce=b"", personalisation=b"", interval=RESEED_INTERVAL):
        self.interval = interval
        self._pads = pads(bytes(SEED_BYTES))
        self._value = bytearray(b"\x01" * SEED_BYTES)
        self._update(entropy + nonce + personalisation)
        self.counter = 1

    def _update(self, data):
        """10.1.2.2: new key and value; with data, twice."""
        self._step(b"\x00", data)
        if data:
            self._step(b"\x01", data)

    @native
    def _step(self, mark, data):
        self._pads = padded = pads(hmac(self._pads, b"".join((self._value, mark, data))))
        self._value[:] = hmac(padded, self._value)

    def reseed(self, entropy, additional=b""):
        """10.1.2.4."""
        if not self.counter:
            raise ReseedNeeded("wiped")
        self._update(entropy + additional)
        self.counter = 1

    @native
    def generate(self, count, additional=b"", fresh=None):
        """`count` bytes. `fresh`: entropy for prediction resistance (9.3.1, step 7), used before anything."""
        if count > MOST_BYTES:
            raise ValueError("at most %d bytes a request" % MOST_BYTES)
        if fresh is not None:
            self.reseed(fresh, additional)
            additional = b""
        if not 0 < self.counter <= self.interval:
            raise ReseedNeeded("after %d requests" % self.interval)
        if additional:
            self._update(additional)
        out = b""
        while len(out) < count:
            self._value[:] = hmac(self._pads, self._value)
            out += bytes(self._value)
        self._update(additional)
        self.counter += 1
        return out[:count]

    def zeroise(self):
        """9.4: nothing comes from it any more."""
        self._pads = pads(bytes(SEED_BYTES))
        for index in range(SEED_BYTES):
            self._value[index] = 0
        self.counter = 0
