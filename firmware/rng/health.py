"""Health tests on raw noise samples (NIST SP 800-90B 4.4). PURE. Knows no source and no game.

False alarm rate 2^-20. The repetition count test fails a source that is stuck, the adaptive
proportion test one that has lost much of its entropy.
"""

ALPHA_BITS = 20


class RepetitionCount:
    """SP 800-90B 4.4.1: so many equal samples in a row never come from a healthy source."""

    def __init__(self, min_entropy_tenths):
        """Cutoff 1 + ceil(20 / H), H in tenths of a bit a sample: no floats on the chip."""
        self.cutoff = 1 + -(-ALPHA_BITS * 10 // min_entropy_tenths)
        self.last = None
        self.count = 0

    def failed(self, sample):
        if sample == self.last:
            self.count += 1
        else:
            self.last, self.count = sample, 1
        return self.count >= self.cutoff
