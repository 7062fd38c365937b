"""Min-entropy of raw bits by SP 800-90B 6.3.1 to 6.3.6: what they show of themselves, one by one.

No library of these is kept well (NIST's own is a C++ program), so they are worked out here; the tests
hold them against what NIST's program publishes of its reference files. Predictors are in predictors.py.
"""

from __future__ import annotations

from math import inf, log2, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

Bits = NDArray[np.uint8]
Z = 2.5758293035489008  # of the upper bound at 99 %
LEAST_COUNT = 35  # 6.3.5: tuples that occur at least so often
LONGEST_TUPLE = 300  # a source that repeats more than that is bad enough


def upper(p: float, count: int) -> float:
    """The upper end of the 99 % interval around a share of `count` samples."""
    return min(1.0, p + Z * sqrt(p * (1 - p) / (count - 1)))


def entropy(p: float) -> float:
    return -log2(p) if p > 0 else inf


def most_common_value(bits: Bits) -> float:
    """6.3.1."""
    most = max(int(bits.sum()), len(bits) - int(bits.sum()))
    return entropy(upper(most / len(bits), len(bits)))


def collision(bits: Bits) -> float:
    """6.3.2: how soon two samples are alike. Of bits, after two or after three."""
    times = []
    at, text = 0, bits.tolist()
    while at + 1 < len(text):
        length = 2 if text[at] == text[at + 1] else 3
        if at + length > len(text):
            break
        times.append(length)
        at += length
    found = np.array(times, dtype=float)
    return collision_entropy(float(found.mean()) - Z * float(found.std(ddof=1)) / sqrt(len(found)))


def collision_entropy(mean: float) -> float:
    """From the lower bound of the mean. With bits it is 2 + 2pq, so p solves p(1 - p) = (mean - 2) / 2."""
    inside = 1 - 2 * (mean - 2)
    if inside <= 0:
        return 1.0
    return entropy(min(1.0, (1 + sqrt(inside)) / 2))


def markov(bits: Bits) -> float:
    """6.3.3: the likeliest of all sequences of 128 bits, by the chances of a bit after a bit."""
    before, after = bits[:-1].astype(int), bits[1:].astype(int)
    counts = np.bincount(before * 2 + after, minlength=4).reshape(2, 2).astype(float)
    sums = counts.sum(axis=1, keepdims=True)
    moves = np.divide(counts, sums, out=np.zeros_like(counts), where=sums > 0)
    ones = float(bits.mean())
    return markov_entropy((1 - ones, ones), moves.tolist())


def markov_entropy(first: tuple[float, float], moves: list[list[float]]) -> float:
    """From P_0, P_1 and P_ab: 6.3.3 step 4 names the six sequences that can be likeliest."""
    (p00, p01), (p10, p11) = moves
    likeliest = min(
        _bits_of(first[0], (p00, 127)),
        _bits_of(first[0], (p01, 64), (p10, 63)),
        _bits_of(first[0], (p01, 1), (p11, 126)),
        _bits_of(first[1], (p10, 1), (p00, 126)),
        _bits_of(first[1], (p10, 64), (p01, 63)),
        _bits_of(first[1], (p11, 127)),
    )
    return min(likeliest / 128, 1.0)


def _bits_of(first: float, *powers: tuple[float, int]) -> float:
    return entropy(first) + sum(count * entropy(p) for p, count in powers)


def compression(bits: Bits) -> float:
    """6.3.4: Maurer's statistic on blocks of six bits, a thousand of them to begin with."""
    blocks = len(bits) // 6
    words = (bits[: blocks * 6].reshape(-1, 6) @ (1 << np.arange(5, -1, -1))).astype(int)
    return compression_entropy(*_distances(words), blocks)


def _distances(words: NDArray[Any], begin: int = 1000) -> tuple[float, float]:
    """Mean and deviation of log2 of how long ago each block was last seen."""
    last = np.zeros(64, dtype=int)
    logs = np.empty(len(words) - begin)
    for at, word in enumerate(words.tolist(), 1):
        if at > begin:
            logs[at - begin - 1] = at - last[word] if last[word] else at
        last[word] = at
    logs = np.log2(logs)
    return float(logs.mean()), 0.5907 * sqrt(
        float((logs**2).sum()) / (len(logs) - 1) - float(logs.mean()) ** 2
    )


def compression_entropy(mean: float, deviation: float, blocks: int, begin: int = 1000) -> float:
    """From X-bar and sigma-hat, by solving for the share of the likeliest block."""
    tested = blocks - begin
    return compression_bound(mean - Z * deviation / sqrt(tested), blocks, begin)[1]


def compression_bound(target: float, blocks: int, begin: int = 1000) -> tuple[float, float]:
    """(p, min-entropy a bit) for the lower bound of the mean."""
    logs = np.log2(np.arange(1, blocks + 1))

    def expected(p: float) -> float:
        q = (1 - p) / 63
        return _expected(p, logs, blocks, begin) + 63 * _expected(q, logs, blocks, begin)

    low, high = 1 / 64, 1 - 1e-9
    if target >= expected(low):
        return low, 1.0
    p = float(brentq(lambda p: expected(p) - target, low, high, xtol=1e-14))
    return p, min(1.0, entropy(p) / 6)


def _expected(z: float, logs: NDArray[Any], blocks: int, begin: int) -> float:
    """G(z) of 6.3.4 step 7: over t from begin+1 to blocks and u up to t; summed u by u."""
    u = np.arange(1, blocks + 1)
    with np.errstate(under="ignore"):
        decay = (1 - z) ** (u - 1)
    tested = blocks - begin
    later = np.minimum(tested, blocks - u)  # so many t in begin+1..blocks are larger than u
    inside = float((logs * z * z * decay * later).sum())
    ends = float((logs[begin:] * z * decay[begin:]).sum())
    return (inside + ends) / tested


def tuples(bits: Bits) -> tuple[float, float]:
    """(t-tuple estimate 6.3.5, longest repeated substring estimate 6.3.6)."""
    count = len(bits)
    codes = bits.astype(np.int64)
    t_p, lrs_p, length = 0.0, 0.0, 1
    while length <= LONGEST_TUPLE:
        _, codes, counts = np.unique(codes, return_inverse=True, return_counts=True)
        most, windows = int(counts.max()), count - length + 1
        if most < 2:
            break
        if most >= LEAST_COUNT:
            t_p = max(t_p, (most / windows) ** (1 / length))
        else:
            pairs = float((counts.astype(float) * (counts - 1)).sum())
            lrs_p = max(lrs_p, (pairs / (windows * (windows - 1.0))) ** (1 / length))
        codes = codes[:-1] * 2 + bits[length:]
        length += 1
    return tuple_entropy(t_p or 0.5, count), tuple_entropy(lrs_p or t_p or 0.5, count)


def tuple_entropy(p: float, count: int) -> float:
    return min(1.0, entropy(upper(p, count)))
