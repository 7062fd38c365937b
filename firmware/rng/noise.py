"""Noise from the board, tested before it is used. Knows no game.

Used now for one thing: a number that tells one start of the board from the next.
"""

from ..faults import NOISE_UNHEALTHY, Fault
from .health import RepetitionCount

SAMPLES = 64
BYTE_ENTROPY_TENTHS = 40  # claimed of a byte of os.urandom: half of what it should have


def fresh(source, count):
    """`count` bytes from source(n), after SAMPLES of it passed the repetition count test."""
    test = RepetitionCount(BYTE_ENTROPY_TENTHS)
    for sample in source(SAMPLES):
        if test.failed(sample):
            raise Fault(NOISE_UNHEALTHY, "stuck at %d" % sample)
    return source(count)
