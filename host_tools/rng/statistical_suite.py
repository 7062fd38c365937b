"""The SP 800-22 tests, by NIST's own code (the package sp80022suite), and the one that it leaves out.

The tests of this tool ask it for what NIST publishes of the first million bits of e. Where a test has
several p-values the package answers the smallest, which is corrected here for how many there were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import sp80022suite as suite
from scipy.stats import chi2

from .estimators import Bits

LEAST_BITS = 100_000
MOST_BITS = 1_000_000  # of one stretch; more of a file are further stretches
UNIVERSAL_BITS = 387_840
EXCURSIONS_BITS = 1_000_000
TEMPLATE = (0, 0, 0, 0, 0, 0, 0, 0, 1)
Test = tuple[str, int, int, Callable[[bytes], float]]

# name, bits that it needs at least, p-values of which it answers the smallest, the test
TESTS: tuple[Test, ...] = (
    ("frequency", 100, 1, suite.frequency),
    ("block frequency", 12_800, 1, lambda bits: suite.block_frequency(128, bits)),
    ("cumulative sums", 100, 2, suite.cumulative_sums),
    ("runs", 100, 1, suite.runs),
    ("longest run of ones", 750_000, 1, suite.longest_run_of_ones),
    ("matrix rank", 38_912, 1, suite.rank),
    ("spectral", 1000, 1, suite.discrete_fourier_transform),
    ("overlapping templates", 1_000_000, 1, lambda bits: suite.overlapping_template_matchings(9, bits)),
    ("universal", UNIVERSAL_BITS, 1, suite.universal),
    ("approximate entropy", 100_000, 1, lambda bits: suite.approximate_entropy(10, bits)),
    ("linear complexity", 1_000_000, 1, lambda bits: suite.linear_complexity(500, bits)),
    ("serial", 1_000_000, 2, lambda bits: suite.serial(16, bits)),
    ("random excursions", EXCURSIONS_BITS, 8, suite.random_excursions),
    ("random excursions variant", EXCURSIONS_BITS, 18, suite.random_excursions_variant),
)


def p_values(bits: Bits) -> Iterator[tuple[str, float]]:
    """(test, p) of one stretch of bits; tests that it is too short for are left out."""
    text = bits.tobytes()
    cycles = _cycles(bits)
    for name, least, several, test in TESTS:
        if len(bits) >= least and not ("excursions" in name and cycles < 500):  # SP 800-22 2.14.4, step 4
            yield name, min(1.0, several * float(test(text)))
    yield "template 000000001", template(bits)


def _cycles(bits: Bits) -> int:
    """How often the walk of ones and zeros comes back to where it began."""
    walk = np.cumsum(bits.astype(np.int64) * 2 - 1)
    return int((walk == 0).sum()) + int(walk[-1] != 0)


def template(bits: Bits, blocks: int = 8) -> float:
    """2.7, the non-overlapping template 000000001: how often it is in each of eight stretches."""
    size, length = len(bits) // blocks, len(TEMPLATE)
    mean = (size - length + 1) / 2**length
    variance = size * (1 / 2**length - (2 * length - 1) / 2 ** (2 * length))
    wanted = bytes(TEMPLATE)
    counts = [bits[at * size : (at + 1) * size].tobytes().count(wanted) for at in range(blocks)]
    return float(chi2.sf(sum((count - mean) ** 2 / variance for count in counts), blocks))
