"""Min-entropy of raw bits by SP 800-90B 6.3.7 to 6.3.10: four predictors, and how often each is right.

A predictor keeps several sub-predictors and trusts the one that was right most often. Plain loops over
the samples: a million take about a minute.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from .estimators import Bits, entropy, upper

WINDOWS = (63, 255, 1023, 4095)
LAGS = 128
DEPTH = 16
DICTIONARY = 65536


def result(right: NDArray[Any]) -> float:
    """The estimate from which predictions came true."""
    count, correct = len(right), int(right.sum())
    return prediction_entropy(correct, _longest_run(right) + 1, count)


def _longest_run(right: NDArray[Any]) -> int:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], right.astype(np.int8), [0]))))
    return int((edges[1::2] - edges[::2]).max()) if len(edges) else 0


def prediction_entropy(correct: int, run: int, count: int) -> float:
    """`run` is one more than the longest run of right predictions."""
    share = correct / count
    whole = 1 - 0.01 ** (1 / count) if correct == 0 else upper(share, count)
    return min(1.0, entropy(max(whole, local(run, count), 0.5)))


def local(run: int, count: int) -> float:
    """P_local: with that chance the longest run is shorter than this one 99 times of 100 (6.3.7 step 6)."""

    def surplus(p: float) -> float:
        q = 1 - p
        x = 1.0
        for _ in range(65):
            x = 1 + q * p**run * x ** (run + 1)
        return log(1 - p * x) - log((run + 1 - run * x) * q) - (count + 1) * log(x) - log(0.99)

    low, high = 1e-9, run / (run + 1) - 1e-9
    if surplus(low) * surplus(high) > 0:
        return 1.0 if surplus(high) > 0 else 0.0
    return float(brentq(surplus, low, high, xtol=1e-14))


def trusted(predictions: NDArray[Any], bits: Bits) -> NDArray[Any]:
    """Which came true of the predictions of the sub-predictor that is trusted at each moment.

    `predictions`: one row a sub-predictor, 2 where it has none. The trusted one changes to any that
    was right and now has at least its score; of several the last.
    """
    right = predictions == bits
    scores = np.zeros(len(predictions), dtype=np.int64)
    came_true = np.zeros(len(bits), dtype=bool)
    winner = 0
    for at in range(len(bits)):
        column = right[:, at]
        came_true[at] = column[winner]
        if column.any():
            scores += column
            best = np.flatnonzero(column & (scores == scores[column].max()))[-1]
            if scores[best] >= scores[winner]:
                winner = int(best)
    return came_true


def most_common_in_window(bits: Bits, windows: tuple[int, ...] = WINDOWS) -> float:
    """6.3.7: the commoner value of the last so many; of two as common the one seen last."""
    sums = np.concatenate(([0], np.cumsum(bits, dtype=np.int64)))
    count = len(bits)
    rows = np.full((len(windows), count), 2, dtype=np.uint8)
    for row, window in enumerate(windows):
        at = np.arange(window, count)
        twice = 2 * (sums[at] - sums[at - window]) - window
        rows[row, at] = np.where(twice > 0, 1, np.where(twice < 0, 0, bits[at - 1]))
    begin = windows[0]
    return result(trusted(rows[:, begin:], bits[begin:]))


def lag(bits: Bits, lags: int = LAGS) -> float:
    """6.3.8: as so many samples before."""
    rows = np.full((lags, len(bits)), 2, dtype=np.uint8)
    for back in range(1, lags + 1):
        rows[back - 1, back:] = bits[:-back]
    return result(trusted(rows[:, 1:], bits[1:]))


def markov_models(bits: Bits, depth: int = DEPTH) -> float:
    """6.3.9: the commoner follower, so far, of the last 1 to 16 samples."""
    rows = np.full((depth, len(bits)), 2, dtype=np.uint8)
    for size in range(1, depth + 1):
        rows[size - 1] = _followers(bits, size)
    return result(trusted(rows[:, 2:], bits[2:]))


def _followers(bits: Bits, size: int) -> NDArray[np.uint8]:
    """For each sample the commoner follower of its `size` predecessors among all before it; 2: none yet."""
    count = len(bits)
    codes = np.zeros(count - size, dtype=np.int64)
    for back in range(size):
        codes = codes << 1 | bits[back : count - size + back]
    order = np.argsort(codes, kind="stable")
    followers = bits[size:][order].astype(np.int64)
    starts = np.concatenate(([True], codes[order][1:] != codes[order][:-1]))
    ones = np.concatenate(([0], np.cumsum(followers)))[:-1]
    index = np.arange(len(order))
    first = np.maximum.accumulate(np.where(starts, index, 0))
    seen, of_ones = index - first, ones - ones[first]
    guess = np.where(seen == 0, 2, (2 * of_ones >= seen).astype(int)).astype(np.uint8)
    out = np.full(count, 2, dtype=np.uint8)
    out[size:][order] = guess
    return out


def lz78y(bits: Bits, depth: int = DEPTH) -> float:
    """6.3.10: a dictionary of what followed what, of up to 65,536 contexts."""
    text = bits.tolist()
    known: dict[int, list[int]] = {}
    right = np.zeros(max(len(text) - depth - 1, 0), dtype=bool)
    masks = [(1 << size, (1 << size) - 1) for size in range(depth, 0, -1)]
    past = 0
    for bit in text[:depth]:
        past = past << 1 | bit
    for at in range(depth + 1, len(text)):
        bit = text[at - 1]
        for mark, mask in masks:  # a context is its bits behind a mark that tells its length
            counts = known.get(mark | past & mask)
            if counts is not None:
                counts[bit] += 1
            elif len(known) < DICTIONARY:
                known[mark | past & mask] = [1 - bit, bit]
        past = (past << 1 | bit) & 0xFFFF
        most, guess = 0, -1
        for mark, mask in masks:
            counts = known.get(mark | past & mask)
            if counts is not None:
                likelier = 1 if counts[1] >= counts[0] else 0
                if counts[likelier] > most:
                    most, guess = counts[likelier], likelier
        right[at - depth - 1] = guess == text[at]
    return result(right)
