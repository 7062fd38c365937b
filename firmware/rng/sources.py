"""A noise source: where its raw samples come from, what entropy is stated of them, and its health.

A source is a row of `noise` in board.json and a function of the board (count -> that many bytes of
packed raw samples). At alpha 2^-20 a good source fails a test now and then, once in some thousand draws.
So what fails is thrown away and the source is started anew, with all its tests: SP 800-90B 4.3 has it
so. Three failures running are no chance: it gives nothing more, and the table closes.
"""

from ..faults import NOISE_UNHEALTHY, Fault
from .health import SPAN, Health

TRIES = 3


class Source:
    def __init__(self, name, read, entropy_milli, seed_bytes):
        if (
            SPAN // 8 % (seed_bytes - 2) or seed_bytes % 2
        ):  # our test's cutoffs are for SPAN samples, no more and no less
            raise ValueError("%s: pieces of %d bytes do not make up %d samples" % (name, seed_bytes, SPAN))
        self.name = name
        self.read = read  # function(count) -> packed raw samples, as they come: untested
        self.entropy_milli = entropy_milli  # stated min-entropy of a sample, in thousandths of a bit
        self.seed_bytes = seed_bytes  # of raw samples that go into each seed
        self.why = "it has not been started"
        self.alarms = 0  # failures so far, passing ones too
        self.health = None

    def start_up(self):
        """Start-up samples are tested and thrown away: 4,080, four times what the standard asks for."""
        for _ in range(TRIES):
            self.health = Health(self.entropy_milli)
            self._tested()
            while not self.why and self.health.samples:  # until ours was judged, too
                self._tested()
            if not self.why:
                return
        self._refuse()

    def take(self):
        """Tested raw samples for one seed, or a Fault."""
        if self.why:
            self._refuse()
        for _ in range(TRIES):
            data = self._tested()
            if not self.why:
                return data
            self.start_up()
        self.why = "a failure after every start"
        self._refuse()

    def _tested(self):
        data = self.read(self.seed_bytes)
        self.why = self.health.problem(data) or ""
        if self.why:
            self.alarms += 1
        return data

    def _refuse(self):
        raise Fault(NOISE_UNHEALTHY, "%s: %s" % (self.name, self.why))

    def seed_entropy(self):
        """Stated bits in what one seed takes."""
        return self.seed_bytes * 8 * self.entropy_milli // 1000
