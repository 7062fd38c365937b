"""The board's generator: tested noise, conditioned, into HMAC_DRBG; a seed of its own for every draw.

Nothing leaves it unless every source has passed its start-up tests and goes on passing. Knows no
game: whoever draws names the number that its seed is for.
"""

import hashlib

from ..faults import NOISE_UNHEALTHY, Fault
from .conditioning import condition
from .drbg import SEED_BYTES, HmacDrbg

TAG = b"pitkit generator 1"


class Generator:
    def __init__(self, sources, unique_id, store=None):
        self.sources = sources
        self.unique_id = unique_id
        self.store = store
        self.drbg = None  # None: not started, or a source has failed

    def start(self, boot, may_go_back=False):
        """Tests the sources and seeds; a Fault where one of them is not healthy, or a counter went back."""
        self.stop()
        for source in self.sources:
            source.start_up()
        kept = self.store.take(boot, may_go_back) if self.store else b""
        count = boot.to_bytes(8, "big")
        self.drbg = HmacDrbg(self._entropy() + kept, count, TAG + self.unique_id.encode() + count)
        if self.store:
            self._keep(boot, self.drbg.generate(SEED_BYTES))  # before anything else leaves

    def _keep(self, boot, seed):
        try:
            self.store.keep(boot, seed)
        except Fault:
            self.stop()  # a start that could not keep its seed gives nothing
            raise

    def stop(self):
        if self.drbg:
            self.drbg.zeroise()
        self.drbg = None

    def _entropy(self):
        """32 fresh bytes, from every source; each is tested as it is taken."""
        try:
            return condition([source.take() for source in self.sources])
        except Fault:
            self.stop()
            raise

    def _running(self):
        if self.drbg is None:
            why = [source.name for source in self.sources if source.why]
            raise Fault(NOISE_UNHEALTHY, ", ".join(why) or "the generator is not started")
        return self.drbg

    def seed(self, number):
        """For one draw: fresh noise first (prediction resistance), then the state moves on behind it."""
        running = self._running()
        return running.generate(SEED_BYTES, number.to_bytes(8, "big"), self._entropy())

    def bytes(self, count):
        """Output as it is, before anything is scaled; with fresh noise, like a seed."""
        return self._running().generate(count, b"", self._entropy())

    def key(self):
        """32 bytes of tested noise, before there is a count of starts: for the journal's chain."""
        for source in self.sources:
            source.start_up()
        return condition([source.take() for source in self.sources])

    def label(self, count, *told):
        """Bytes that tell one start from another. No secret and never a draw: the noise may be bad."""
        digest = hashlib.sha256(TAG + self.unique_id.encode())
        for source in self.sources:
            digest.update(source.read(source.seed_bytes))
        digest.update(repr(told).encode())
        return digest.digest()[:count]
