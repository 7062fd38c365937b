"""A noise source: where its raw samples come from, what entropy is stated of them, and its health.

A source is a row of `noise` in board.json and a function of the board (count -> that many bytes of
packed raw samples). What fails a test gives nothing more until it has passed its start-up tests anew.
"""

from ..faults import NOISE_UNHEALTHY, Fault
from .health import SPAN, Health


class Source:
    def __init__(self, name, read, entropy_milli, seed_bytes):
        if SPAN // 8 % (seed_bytes - 2):  # our test's cutoffs are for SPAN samples, no more and no less
            raise ValueError("%s: pieces of %d bytes do not make up %d samples" % (name, seed_bytes, SPAN))
        self.name = name
        self.read = read  # function(count) -> packed raw samples, as they come: untested
        self.entropy_milli = entropy_milli  # stated min-entropy of a sample, in thousandths of a bit
        self.seed_bytes = seed_bytes  # of raw samples that go into each seed
        self.why = "it has not been started"
        self.health = None

    def start_up(self):
        """SP 800-90B 4.3: start-up samples are tested and thrown away; 4,080 of them, four times what it asks."""
        self.health = Health(self.entropy_milli)
        self.why = ""
        self._tested()
        while self.health.samples:  # until ours was judged, too
            self._tested()

    def take(self):
        """Tested raw samples for one seed, or a Fault."""
        if self.why:
            raise Fault(NOISE_UNHEALTHY, "%s: %s" % (self.name, self.why))
        return self._tested()

    def _tested(self):
        data = self.read(self.seed_bytes)
        self.why = self.health.problem(data) or ""
        if self.why:
            raise Fault(NOISE_UNHEALTHY, "%s: %s" % (self.name, self.why))
        return data

    def seed_entropy(self):
        """Stated bits in what one seed takes."""
        return self.seed_bytes * 8 * self.entropy_milli // 1000
