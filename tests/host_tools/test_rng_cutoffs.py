"""The health tests' cutoffs, worked out anew from what they are defined as."""

from decimal import Decimal, getcontext

import pytest

from firmware.rng.health import CUTOFFS, SPAN, WINDOW

getcontext().prec = 60
ALPHA = Decimal(2) ** -20


def critical(count: int, entropy_milli: int) -> int:
    """The smallest c with P(X <= c) of at least 1 - alpha, X binomial with chance 2^-H."""
    chance = Decimal(2) ** (-Decimal(entropy_milli) / 1000)
    term = (1 - chance) ** count
    total, c = term, 0
    while total < 1 - ALPHA:
        c += 1
        term = term * (count - c + 1) / c * chance / (1 - chance)
        total += term
    return c


@pytest.mark.parametrize("milli", CUTOFFS)
def test_every_row_is_what_the_standard_defines(milli: int) -> None:
    repetition = 1 + -(-20_000 // milli)  # SP 800-90B 4.4.1: 1 + ceil(20 / H)
    wanted = (repetition, 1 + critical(WINDOW, milli), 1 + critical(SPAN, milli))  # 4.4.2
    assert CUTOFFS[milli] == wanted
