"""A file of raw samples, output bytes or draws, assessed: every figure, and one plain verdict.

P-values are judged together by Holm's method at ALPHA. What a test chooses by chance hangs on a seed that is
recorded. Reads only; report_page.py writes.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from host_tools.errors import CannotRun

from . import draw_tests, estimators, predictors, statistical_suite

ALPHA = 0.001  # the chance that a good file fails
LEAST_ENTROPY = 0.3  # the least that a board's health tests can be set for
LEAST_SAMPLES = 10_000
LEAST_DRAWS = 1000
Say = Callable[[str], None]

ESTIMATES: tuple[tuple[str, Callable[[estimators.Bits], float]], ...] = (
    ("most common value", estimators.most_common_value),
    ("collision", estimators.collision),
    ("Markov", estimators.markov),
    ("compression", estimators.compression),
    ("multi MCW prediction", predictors.most_common_in_window),
    ("lag prediction", predictors.lag),
    ("multi MMC prediction", predictors.markov_models),
    ("LZ78Y prediction", predictors.lz78y),
)


@dataclass
class Row:
    """One figure: an estimate in bits, or a p-value with what Holm's method makes of it."""

    name: str
    value: float
    unit: str
    passed: bool
    corrected: float | None = None

    def words(self) -> str:
        said = f"{self.name:<44} {self.value:8.5f} {self.unit}"
        return said if self.passed else f"{said}   FAILED"


@dataclass
class Assessment:
    file: str
    kind: str
    size: int
    seed: int
    rows: list[Row] = field(default_factory=list)
    passed: bool = False
    verdict: str = ""
    counts: list[int] = field(default_factory=list)  # of each value, for the plot
    expected: float = 0.0

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "alpha": ALPHA}


def assess(
    file: Path, kind: str | None, entropy: float | None, of: int | None, seed: int | None, say: Say
) -> Assessment:
    data = file.read_bytes()
    kind = kind or _kind(data)
    found = Assessment(str(file), kind, 0, secrets.randbits(32) if seed is None else seed)
    if kind == "draws":
        _assess_draws(found, *read_draws(data, of), say)
    elif kind == "raw":
        _assess_raw(found, _samples(data), entropy, say)
    else:
        _assess_bytes(found, np.unpackbits(np.frombuffer(data, dtype=np.uint8)), say)
    return found


def _kind(data: bytes) -> str:
    if data[:1] in (b"#", b"{") or (data[:1].isdigit() and set(data[:4096]) <= set(b"0123456789 ,;\t\r\n")):
        return "draws"
    return "raw" if set(data[:4096]) <= {0, 1} else "bytes"


def _samples(data: bytes) -> estimators.Bits:
    """One a byte, or eight where some byte is neither 0 nor 1."""
    found = np.frombuffer(data, dtype=np.uint8)
    return found if found.max(initial=0) <= 1 else np.unpackbits(found)


def read_draws(data: bytes, of: int | None) -> tuple[NDArray[np.int64], int]:
    """Rows of numbers, from lines of numbers or of JSON (pitkit draw); and of how many they are."""
    rows: list[list[int]] = []
    try:
        for text in data.decode().split("\n"):
            if text.startswith("#"):
                of = of or int(text.split(" of ")[1].split(",")[0])
            elif text.startswith("{"):
                line = json.loads(text)
                of = of or line["record"]["of"]
                rows.append(line["numbers"])
            elif text.strip():
                rows.append([int(word) for word in text.replace(",", " ").split()])
        draws = np.array(rows, dtype=np.int64)
    except (ValueError, KeyError, IndexError, UnicodeDecodeError) as error:
        raise CannotRun(f"that is no file of draws: {error}.") from error
    if draws.ndim != 2 or len(draws) < LEAST_DRAWS:
        raise CannotRun(f"an assessment needs at least {LEAST_DRAWS} draws, all of as many numbers.")
    of = of or int(draws.max())
    if draws.min() < 1 or draws.max() > of or draws.shape[1] > of:
        raise CannotRun(f"its numbers are not from 1 to {of}.")
    return draws, of


# -- the three kinds


def _assess_draws(found: Assessment, draws: NDArray[np.int64], of: int, say: Say) -> None:
    found.size = len(draws)
    ordered = np.sort(draws, axis=1)
    twice = int((ordered[:, 1:] == ordered[:, :-1]).any(axis=1).sum())
    found.counts = np.bincount(draws.ravel(), minlength=of + 1)[1:].tolist()
    found.expected = draws.size / of
    say(f"{len(draws):,} draws of {draws.shape[1]} in {of}")
    rng = np.random.default_rng(found.seed)
    found.rows = [Row(name, p, "p", True) for name, p in draw_tests.p_values(draws, of, rng)]
    _judge(found)
    if twice:
        found.passed, found.verdict = False, f"{twice} draws have a number twice: that is no draw."


def _assess_bytes(found: Assessment, bits: estimators.Bits, say: Say) -> None:
    found.size = len(bits)
    if len(bits) < statistical_suite.LEAST_BITS:
        raise CannotRun(f"SP 800-22 wants {statistical_suite.LEAST_BITS:,} bits or more.")
    found.counts = [len(bits) - int(bits.sum()), int(bits.sum())]
    found.expected = len(bits) / 2
    stretch = statistical_suite.MOST_BITS
    stretches = max(1, len(bits) // stretch)
    for at in range(stretches):
        say(f"SP 800-22: stretch {at + 1} of {stretches}")
        part = bits[at * stretch : (at + 1) * stretch]
        named = f", stretch {at + 1}" if stretches > 1 else ""
        found.rows += [Row(name + named, p, "p", True) for name, p in statistical_suite.p_values(part)]
    _judge(found)


def _assess_raw(found: Assessment, bits: estimators.Bits, stated: float | None, say: Say) -> None:
    if len(bits) < LEAST_SAMPLES:
        raise CannotRun(
            f"the estimators want {LEAST_SAMPLES:,} samples at least, and a million to mean much."
        )
    bits = np.ascontiguousarray(bits[:1_000_000])
    found.size = len(bits)
    found.counts, found.expected = [len(bits) - int(bits.sum()), int(bits.sum())], len(bits) / 2
    wanted = LEAST_ENTROPY if stated is None else stated
    for name, estimate in ESTIMATES:
        say(f"SP 800-90B: {name}")
        found.rows.append(_estimated(name, estimate(bits), wanted))
    for name, value in zip(("t-tuple", "longest repeated substring"), estimators.tuples(bits), strict=True):
        found.rows.append(_estimated(name, value, wanted))
    lowest = min(found.rows, key=lambda row: row.value)
    found.passed = lowest.value >= wanted
    held = "at least" if found.passed else "LESS than"
    stated_words = "the least that health tests can be set for" if stated is None else "what is stated"
    found.verdict = (
        f"min-entropy {lowest.value:.3f} bits a sample ({lowest.name}): {held} {wanted:g}, {stated_words}. "
        "A million perfect bits are assessed at about 0.9: these estimators err on the safe side."
    )


def _estimated(name: str, value: float, wanted: float) -> Row:
    return Row(name, value, "bits a sample", value >= wanted)


def _judge(found: Assessment) -> None:
    """Holm's method: the smallest p-value times their number, the next times one less, and so on."""
    ordered = sorted(found.rows, key=lambda row: row.value)
    highest = 0.0
    for index, row in enumerate(ordered):
        highest = max(highest, min(1.0, row.value * (len(ordered) - index)))
        row.corrected, row.passed = highest, highest >= ALPHA
    failed = [row.name for row in ordered if not row.passed]
    found.passed = not failed
    found.verdict = (
        f"FAILED: {', '.join(failed)} (Holm-corrected, alpha {ALPHA:g})."
        if failed
        else f"passed: none of {len(ordered)} tests is out of line (Holm-corrected, alpha {ALPHA:g})."
    )
