"""Noise: a stuck source is refused; the cutoffs are SP 800-90B's."""

from firmware.faults import NOISE_UNHEALTHY, Fault
from firmware.rng import noise
from firmware.rng.health import RepetitionCount


def test_cutoffs_are_those_of_the_standard():
    assert RepetitionCount(10).cutoff == 21  # H = 1
    assert RepetitionCount(5).cutoff == 41  # H = 0.5


def test_a_run_of_the_cutoff_fails_and_one_less_does_not():
    test = RepetitionCount(10)
    assert not any(test.failed(1) for _ in range(20))
    assert test.failed(1)
    assert not test.failed(0)


def test_a_stuck_source_is_refused_and_a_live_one_is_used():
    assert noise.fresh(lambda n: bytes(range(n)), 4) == bytes(range(4))
    try:
        noise.fresh(lambda n: bytes(n), 4)
        raise AssertionError("a stuck source was used")
    except Fault as fault:
        assert fault.code == NOISE_UNHEALTHY
