"""Tests of draws without replacement, order kept: each answers a p-value. Knows no generator.

A draw is `k` numbers of 1 to `n`. The numbers of one draw hang together, so the chi-square of how often
each came is scaled for that; the rest looks at what is independent from draw to draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import factorial, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Draws = NDArray[np.int64]  # one row a draw
LEAST_EXPECTED = 10  # in each cell of a chi-square
COUPON_TAIL = 6  # the last coupon has come by n(ln n + 6), all but once in 400
ORDERED = 4  # numbers whose order is looked at


def p_values(draws: Draws, of: int, rng: np.random.Generator) -> Iterator[tuple[str, float]]:
    """(test, p); a test that there are too few draws for is left out."""
    count, size = draws.shape
    yield "how often each number came", frequency(draws, of)
    yield "the first number drawn", uniform(draws[:, 0], of)
    yield "the last number drawn", uniform(draws[:, -1], of)
    yield "runs of high and low draws", runs(draws, of)
    yield "correlation of a draw with the next", serial_correlation(draws, of)
    if size > 1:
        yield "order of the first numbers", order(draws[:, : min(ORDERED, size)])
    if 1 < size < of:
        yield "numbers shared with the draw before", shared(draws, of)
    number = int(rng.integers(1, of + 1))
    yield f"gaps between draws with {number}", gaps(draws, of, number)
    if count > 40 * of:
        yield "draws until every number was first once", coupons(draws[:, 0], of)


def frequency(draws: Draws, of: int) -> float:
    """Chi-square, its variance that of drawing without replacement."""
    count, size = draws.shape
    seen = np.bincount(draws.ravel(), minlength=of + 1)[1:]
    share = size / of
    if share == 1:
        return 1.0
    value = float(((seen - count * share) ** 2).sum()) / (count * share * (1 - share)) * (of - 1) / of
    return float(stats.chi2.sf(value, of - 1))


def uniform(numbers: NDArray[Any], of: int) -> float:
    return float(stats.chisquare(np.bincount(numbers, minlength=of + 1)[1:]).pvalue)


def _scores(draws: Draws, of: int) -> NDArray[Any]:
    """The sum of each draw, less its mean, by its deviation."""
    size = draws.shape[1]
    deviation = sqrt(size * (of - size) * (of + 1) / 12) or 1.0
    return np.asarray((draws.sum(axis=1) - size * (of + 1) / 2) / deviation)


def runs(draws: Draws, of: int) -> float:
    """Wald and Wolfowitz, about the mean; draws just on it are left out."""
    scores = _scores(draws, of)
    high = scores[scores != 0] > 0
    ups, downs = int(high.sum()), int((~high).sum())
    if not ups or not downs:
        return 0.0
    found = 1 + int((high[1:] != high[:-1]).sum())
    mean = 2 * ups * downs / (ups + downs) + 1
    variance = (mean - 1) * (mean - 2) / (ups + downs - 1)
    return _two_sided((found - mean) / sqrt(variance))


def serial_correlation(draws: Draws, of: int) -> float:
    scores = _scores(draws, of)
    return _two_sided(float((scores[1:] * scores[:-1]).sum()) / sqrt(len(scores) - 1))


def _two_sided(z: float) -> float:
    return float(2 * stats.norm.sf(abs(z)))


def order(first: Draws) -> float:
    """Every order of them as likely."""
    size = first.shape[1]
    ranks = first.argsort(axis=1).argsort(axis=1)
    codes = ranks @ (size ** np.arange(size))
    known = [sum(rank * size**place for place, rank in enumerate(each)) for each in permutations(range(size))]
    counts = np.array([(codes == code).sum() for code in known])
    assert counts.sum() == len(first) and len(known) == factorial(size)
    return float(stats.chisquare(counts).pvalue)


def shared(draws: Draws, of: int) -> float:
    """How many numbers a draw has in common with the one before: hypergeometric."""
    count, size = draws.shape
    marks = np.zeros((count, of + 1), dtype=bool)
    marks[np.arange(count)[:, None], draws] = True
    common = (marks[1:] & marks[:-1]).sum(axis=1)
    chances = stats.hypergeom.pmf(np.arange(size + 1), of, size, size)
    return _fit(np.bincount(common, minlength=size + 1), chances)


def gaps(draws: Draws, of: int, number: int) -> float:
    """Draws from one with this number to the next: geometric."""
    at = np.flatnonzero((draws == number).any(axis=1))
    found = np.diff(at)
    if len(found) == 0:
        return 1.0
    share, most = draws.shape[1] / of, int(found.max()) + 1
    chances = stats.geom.pmf(np.arange(1, most + 1), share)
    chances[-1] += stats.geom.sf(most, share)
    return _fit(np.bincount(found, minlength=most + 1)[1:], chances)


def coupons(numbers: NDArray[Any], of: int) -> float:
    """How many it takes until all have come: by the exact chances."""
    lengths, seen, length = [], set(), 0
    for number in numbers.tolist():
        length += 1
        seen.add(number)
        if len(seen) == of:
            lengths.append(length)
            seen, length = set(), 0
    if not lengths:
        return 0.0
    most = max(max(lengths) + 1, round(of * (log(of) + COUPON_TAIL)))
    chances = np.zeros(most + 1)
    state = np.zeros(of + 1)  # how likely so many different ones have come
    state[0] = 1.0
    fresh = (of - np.arange(of + 1)) / of
    for draw in range(1, most + 1):
        moved = state * fresh
        state = state * (1 - fresh)
        state[1:] += moved[:-1]
        chances[draw] = state[of]
        state[of] = 0.0
    chances[most] += state.sum()
    return _fit(np.bincount(lengths, minlength=most + 1), chances)


def _fit(counts: NDArray[Any], chances: NDArray[Any]) -> float:
    """Chi-square of counts against chances, neighbours put together until enough are expected in each."""
    total = counts.sum()
    cells: list[list[float]] = [[0.0, 0.0]]
    for count, chance in zip(counts, chances, strict=True):
        if cells[-1][1] >= LEAST_EXPECTED:
            cells.append([0.0, 0.0])
        cells[-1][0] += float(count)
        cells[-1][1] += float(chance) * total
    if len(cells) > 1 and cells[-1][1] < LEAST_EXPECTED:
        last = cells.pop()
        cells[-1] = [cells[-1][0] + last[0], cells[-1][1] + last[1]]
    if len(cells) < 2:
        return 1.0
    value = sum((count - expected) ** 2 / expected for count, expected in cells)
    return float(stats.chi2.sf(value, len(cells) - 1))
