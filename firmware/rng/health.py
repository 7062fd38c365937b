"""Health tests on raw noise (NIST SP 800-90B 4.4), and one of our own. PURE. Knows no source's hardware.

A sample is one bit. Repetition count and adaptive proportion run over every sample that is taken, for
ever; they find a source that is stuck or has lost much. Ours counts ones, and bits that equal the bit
1 to 16 before them (or differ from it): by the stated entropy H no such guess comes true more often
than 2^-H of the time. It is judged every 4,080 samples, at start-up first. All at alpha 2^-20.
"""

from array import array

try:
    from . import loops_viper as loops
except (ImportError, NameError, SyntaxError):  # CPython, or a port without that emitter
    from . import loops_plain as loops  # type: ignore[no-redef]

WINDOW = 1024  # of the adaptive proportion test on bits: 4.4.2
LAGS, LAGS_LATER = 16, 2
SPAN = 4080  # samples after which ours is judged: 512 bytes less the two that only look back
# stated entropy in thousandths of a bit: cutoffs of repetition count (1 + 20/H), adaptive proportion
# (1 + critical binomial of 1,024) and ours (of 4,080); tests/host_tools/test_rng_cutoffs.py works them out
CUTOFFS = {
    1000: (21, 589, 2193),
    950: (23, 607, 2265),
    900: (24, 625, 2339),
    800: (26, 664, 2494),
    700: (30, 705, 2660),
    600: (35, 748, 2836),
    500: (41, 793, 3023),
    400: (51, 840, 3221),
    300: (68, 890, 3431),
}
LAST, RUN, FIRST, SEEN, SAME, MOST_RUN, MOST_SAME = range(7)  # of the state that the loops keep
STUCK, UNEVEN = 1, 2  # what `scan` answers


class Health:
    """Of one source: what it has been fed, judged."""

    def __init__(self, entropy_milli):
        most_run, most_same, self.most_guessed = CUTOFFS[entropy_milli]
        self.state = array("i", [2, 0, 0, 0, 0, most_run, most_same])  # 2: no bit came before the first
        self.lags = LAGS
        self.last = b""
        self.begin_span()

    def begin_span(self):
        self.counts = array("i", [0] * (LAGS + 1))  # ones; bits unlike the one so many before them
        self.samples = 0

    def problem(self, data):
        """Why these samples (packed, first bit highest) are not from a healthy source, or None."""
        if data == self.last:
            return "the same %d samples again" % (len(data) * 8)
        self.last = data
        found = loops.scan(data, self.state)
        if found & STUCK:
            return "%d alike in a row" % self.state[MOST_RUN]
        if found & UNEVEN:
            return "%d alike of %d" % (self.state[MOST_SAME], WINDOW)
        loops.count(data, self.counts, self.lags)
        self.samples += (len(data) - 2) * 8
        return self._judge() if self.samples >= SPAN else None

    def _judge(self):
        counts, samples, lags = self.counts, self.samples, self.lags
        self.begin_span()
        self.lags = LAGS_LATER
        for lag in range(lags + 1):
            guessed = max(counts[lag], samples - counts[lag])
            if guessed >= self.most_guessed:
                return "%d of %d guessed by %s" % (guessed, samples, "lag %d" % lag if lag else "one value")
        return None
