"""The assessment: estimators and tests against what NIST publishes, and files that must not pass."""

from __future__ import annotations

import json
from math import isclose
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from host_tools.cli import main
from host_tools.rng import draw_tests, estimators, predictors, statistical_suite
from host_tools.rng.assessment import assess


def quiet(_: str) -> None:
    pass


# -- SP 800-90B: cpp/selftest/refdata/rand8_short.res of NIST's SP800-90B_EntropyAssessment


def close(found: float, wanted: float) -> bool:
    return isclose(found, wanted, rel_tol=1e-9)


def test_bounds_are_those_of_nists_program() -> None:
    assert close(estimators.entropy(estimators.upper(0.5012375, 80000)), 0.98338678465915019)
    assert close(estimators.collision_entropy(2.4923789816296962), 0.83205298221524882)
    moves = [[0.50078555574951988, 0.49921444425048012], [0.5016791979949875, 0.4983208020050125]]
    assert close(estimators.markov_entropy((0.5012375, 0.4987625), moves), 0.99772497672796534)
    assert close(estimators.tuple_entropy(0.527348386291973, 80000), 0.91078644573541423)
    assert close(estimators.tuple_entropy(0.50174837691922314, 80000), 0.98193035773637416)
    found = estimators.compression_entropy(5.212412765159554, 1.0221918650488744, 80000 // 6)
    assert close(found, 0.73261171806065617)


def test_predictors_bounds_are_those_of_nists_program() -> None:
    for correct, run, count, wanted in (
        (39756, 15, 79937, 0.99453711551450596),
        (39922, 14, 79999, 0.98969349388795491),
        (39974, 15, 79998, 0.98781454404229407),
        (39959, 15, 79983, 0.98808180379990307),
    ):
        assert close(predictors.prediction_entropy(correct, run, count), wanted)
    assert isclose(predictors.local(3, 9999), 0.010051528493923144, rel_tol=1e-8)


def test_collision_is_that_of_the_standards_example() -> None:
    """SP 800-90B 6.3.2: min-entropy 0.4483."""
    text = "1000111001010101110011000111001010101110"
    assert round(estimators.collision(np.array(list(map(int, text)), dtype=np.uint8)), 3) == 0.448


def bits_of(chance: float, count: int = 60_000, seed: int = 1) -> estimators.Bits:
    return (np.random.default_rng(seed).random(count) < chance).astype(np.uint8)


def test_estimates_of_a_leaning_source_are_near_its_entropy() -> None:
    bits = bits_of(0.7)
    for estimate in (
        estimators.most_common_value(bits),
        estimators.markov(bits),
        estimators.tuples(bits)[0],
        predictors.most_common_in_window(bits),
        predictors.markov_models(bits),
        predictors.lz78y(bits),
    ):
        assert 0.46 < estimate < 0.53  # -log2(0.7) is 0.515


def test_predictors_see_what_counting_does_not() -> None:
    half = bits_of(0.5, 30_000)
    periodic = np.tile(half[:100], 300)
    assert estimators.most_common_value(periodic) > 0.6
    assert predictors.lag(periodic) < 0.01 and predictors.markov_models(periodic) < 0.05
    sticky = np.cumsum(bits_of(0.1, 30_000)).astype(np.uint8) % 2
    assert estimators.markov(sticky) < 0.2 and predictors.markov_models(sticky) < 0.2
    assert predictors.lz78y(sticky) < 0.2
    assert estimators.compression(sticky) < 0.3 and estimators.collision(sticky) < 0.5


def test_the_trusted_sub_predictor_is_the_one_of_the_plain_loop() -> None:
    """6.3.7 step 3, word for word, against the faster way."""
    rng = np.random.default_rng(4)
    rows, bits = rng.integers(0, 3, (9, 400)).astype(np.uint8), rng.integers(0, 2, 400).astype(np.uint8)
    scores, winner, wanted = [0] * 9, 0, []
    for at, bit in enumerate(bits):
        wanted.append(rows[winner][at] == bit)
        for row in range(9):
            if rows[row][at] == bit:
                scores[row] += 1
                if scores[row] >= scores[winner]:
                    winner = row
    assert predictors.trusted(rows, bits).tolist() == wanted


# -- SP 800-22: the published p-values of the first million bits of e (appendix B)


@pytest.fixture(scope="module")
def e_bits() -> estimators.Bits:
    def split(low: int, high: int) -> tuple[int, int]:
        if high - low == 1:
            return 1, high
        middle = (low + high) // 2
        (p, q), (r, s) = split(low, middle), split(middle, high)
        return p * s + r, q * s

    above, below = split(0, 90_000)
    scale = 1_000_064
    text = bin(((above << scale) // below) + (1 << scale))[2:1_000_002]
    return np.frombuffer(text.encode(), dtype=np.uint8) - 48


PUBLISHED = {
    "frequency": 0.953749,
    "block frequency": 0.211072,
    "runs": 0.561917,
    "longest run of ones": 0.718945,
    "matrix rank": 0.306156,
    "spectral": 0.847187,
    "template 000000001": 0.078790,
    "overlapping templates": 0.110434,
    "universal": 0.282568,
    "approximate entropy": 0.700073,
    "linear complexity": 0.826335,
}


def test_sp_800_22_gives_what_nist_publishes_of_e(e_bits: estimators.Bits) -> None:
    found = dict(statistical_suite.p_values(e_bits))
    for name, wanted in PUBLISHED.items():
        assert round(found[name], 6) == pytest.approx(wanted, abs=2e-6), name
    assert found["cumulative sums"] == pytest.approx(min(1, 2 * 0.669887), abs=2e-6)
    assert found["serial"] == pytest.approx(2 * 0.462921, abs=4e-6)
    assert found["random excursions"] == pytest.approx(8 * 0.007779, abs=2e-5)


# -- draws


def draws(count: int = 20_000, seed: int = 2, size: int = 20, of: int = 80) -> draw_tests.Draws:
    rng = np.random.default_rng(seed)
    return rng.random((count, of)).argsort(axis=1)[:, :size] + 1


def p(found: draw_tests.Draws, of: int = 80) -> dict[str, float]:
    return dict(draw_tests.p_values(found, of, np.random.default_rng(1)))


def test_good_draws_pass_and_their_p_values_are_even() -> None:
    """The smallest of 9 over 30 files is not out of line; nor do they crowd about 1."""
    all_p = np.array([list(p(draws(4000, seed)).values()) for seed in range(30)]).ravel()
    assert all_p.min() > 1e-5
    assert 0.4 < all_p.mean() < 0.6 and 0.18 < (all_p < 0.25).mean() < 0.33


BAD = {
    "how often each number came": lambda d: d[~(d == 7).any(axis=1)],
    "the first number drawn": lambda d: np.sort(d, axis=1),
    "order of the first numbers": lambda d: np.sort(d, axis=1),
    "numbers shared with the draw before": lambda d: np.repeat(d[::2], 2, axis=0),
    "correlation of a draw with the next": lambda d: np.repeat(d[::2], 2, axis=0),
    "runs of high and low draws": lambda d: d[d.sum(axis=1).argsort(kind="stable")],
}


@pytest.mark.parametrize("test", BAD)
def test_bad_draws_are_found(test: str) -> None:
    assert p(BAD[test](draws()))[test] < 1e-6


def test_gaps_and_coupons_find_a_generator_that_avoids_repeats() -> None:
    no_repeat = draws(8000)
    for at in range(1, 8000, 2):
        no_repeat[at] = np.setdiff1d(np.arange(1, 81), no_repeat[at - 1])[at % 41 : at % 41 + 20]
    found = p(no_repeat)
    assert found[next(name for name in found if name.startswith("gaps"))] < 1e-6
    wheel = np.tile(np.arange(80), 100)[:, None] + 1
    assert draw_tests.coupons(wheel.ravel(), 80) < 1e-6


def write_draws(path: Path, found: draw_tests.Draws) -> Path:
    path.write_text("# 20 of 80, board x\n" + "\n".join(" ".join(map(str, row)) for row in found) + "\n")
    return path


def test_files_are_told_apart_and_judged(tmp_path: Path) -> None:
    good = write_draws(tmp_path / "draws", draws())
    found = assess(good, None, None, None, 5, quiet)
    assert (found.kind, found.passed, found.seed, found.size) == ("draws", True, 5, 20_000)
    twice = draws(2000)
    twice[77, 3] = twice[77, 4]
    assert not assess(write_draws(tmp_path / "twice", twice), None, None, None, 5, quiet).passed
    raw = tmp_path / "raw"
    raw.write_bytes(bits_of(0.5, 20_000).tobytes())
    assert assess(raw, None, 0.5, None, None, quiet).passed
    raw.write_bytes(bits_of(0.6, 20_000).tobytes())
    assert not assess(raw, None, 0.95, None, None, quiet).passed
    packed = tmp_path / "bytes"
    packed.write_bytes(np.random.default_rng(3).bytes(25_000))
    assert assess(packed, None, None, None, None, quiet).passed
    packed.write_bytes(np.packbits(bits_of(0.52, 200_000)).tobytes())
    assert not assess(packed, None, None, None, None, quiet).passed


def test_the_command_its_report_and_its_exit_codes(tmp_path: Path) -> None:
    file = write_draws(tmp_path / "draws", draws(3000))
    words = ["rng", "assess", str(file), "--seed", "9", "--report", str(tmp_path / "r"), "--json"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0 and json.loads(done.stdout)["seed"] == 9
    page = (tmp_path / "r" / "assessment.html").read_text()
    assert page.count("<svg") == 2 and "passed: none of" in page
    assert json.loads((tmp_path / "r" / "assessment.json").read_text())["passed"]
    write_draws(file, np.sort(draws(3000), axis=1))
    done = CliRunner().invoke(main, ["rng", "assess", str(file)])
    assert done.exit_code == 1 and "FAILED" in done.stdout
    file.write_text("1 2 3\n4 5\n")
    assert CliRunner().invoke(main, ["rng", "assess", str(file)]).exit_code == 2
