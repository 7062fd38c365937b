"""Noise, wanted and unwanted: the ring oscillator under the fixture's thumb, and the ADC's."""

import json
import statistics

import pytest

from host_tools.errors import PitkitError

BITS = """
from machine import mem32
print(sum(mem32[0x4006001c] & 1 for i in range(4000)))
"""
SAMPLES = """
from machine import ADC
pot = ADC(26)
print([pot.read_u16() for i in range(400)])
"""


def ones(bench, mode, **fields):
    bench.fixture.rosc(mode, **fields)
    return int(bench.python(BITS)) / 4000


@pytest.fixture
def healthy_again(bench):
    yield
    bench.fixture.rosc("healthy")


@pytest.mark.usefixtures("healthy_again")
def test_the_ring_oscillator_is_as_the_fixture_says(bench):
    assert abs(ones(bench, "healthy") - 0.5) < 0.05
    assert ones(bench, "stuck") == 1
    assert ones(bench, "stuck", level=0) == 0
    assert abs(ones(bench, "biased") - 0.75) < 0.05
    assert abs(ones(bench, "biased", ones=0.1) - 0.1) < 0.05


@pytest.mark.usefixtures("healthy_again")
def test_a_seed_makes_it_repeat(bench):
    assert ones(bench, "biased", seed=3) == ones(bench, "biased", seed=3) != ones(bench, "biased", seed=4)


@pytest.mark.usefixtures("healthy_again")
def test_it_stays_over_a_cut(bench):
    bench.fixture.rosc("stuck", level=0)
    bench.hang_up()
    bench.fixture.cut()
    bench.fixture.power()
    assert int(bench.python(BITS)) == 0
    assert bench.python("import os; print(set(os.urandom(32)))") == "{0}"


@pytest.mark.parametrize("fields", [{}, {"mode": "tired"}, {"mode": "stuck", "level": 2}])
def test_no_other_oscillator(bench, fields):
    with pytest.raises(PitkitError, match="must be"):
        bench.fixture.op("rosc", **fields)


def samples(bench, *args):
    bench.fixture.adc("analog", *args)
    return json.loads(bench.python(SAMPLES))


def test_adc_noise_has_its_deviation_and_repeats_by_its_seed(bench):
    quiet, noisy = samples(bench, 30000), samples(bench, 30000, 800, 7)
    assert len(set(quiet)) == 1
    assert abs(statistics.mean(noisy) - 30000) < 160
    assert 700 < statistics.stdev(noisy) < 900
    assert samples(bench, 30000, 800, 7) == noisy != samples(bench, 30000, 800, 8)


def test_a_noisy_adc_stays_in_its_range(bench):
    low, high = samples(bench, 0, 3000), samples(bench, 65535, 3000)
    assert min(low) == 0 and max(high) == 65535
