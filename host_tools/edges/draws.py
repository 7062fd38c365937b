"""Exact edges of the draw games: keno by the hypergeometric law, tri-chro over every pair of balls.

Prizes and odds are asked of rules_min, never typed in. Keno's edges are those of a $1 ticket
alone in its game: no prize cut (act keno 9), a jackpot at its guaranteed least (act keno 5.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from rules_min import keno_prizes, tri_chro

NUMBERS, DRAWN = 80, 20
EDITION = "act1999"  # qld approves schedules casino by casino: its text has no prizes
READING = "keno's odds are prizes for $1, the whole return; of a ticket alone in its game, no jackpot"


def chance(spots: int, catch: int) -> Fraction:
    """That of `spots` numbers exactly `catch` are among the twenty drawn."""
    hit = comb(spots, catch) * comb(NUMBERS - spots, DRAWN - catch)
    return Fraction(hit, comb(NUMBERS, DRAWN))


def keno_edge(spots: int, prizes: Any) -> Fraction:
    """The house's share of a ticket paid by this row of a schedule (a given one of qld's as well)."""
    catches = range(min(spots, DRAWN) + 1)
    back = sum(chance(spots, n) * keno_prizes.cents_a_dollar(prizes, n) for n in catches)
    return 1 - Fraction(back) / 100


def keno_rows() -> Iterator[dict[str, Any]]:
    for schedule in ("standard", "special1", "special2"):
        for spots in range(1, 16):
            prizes = keno_prizes.row(EDITION, {}, schedule, spots)
            if prizes is not None and not (schedule == "special1" and spots not in (6, 8)):
                yield _keno_row(schedule, spots, prizes)


def _keno_row(schedule: str, spots: int, prizes: tuple[int, ...]) -> dict[str, Any]:
    code = f"spots:{spots}" if schedule == "standard" else f"spots:{spots}:{schedule}"
    paid = sorted({dollars for dollars in prizes if dollars})
    return {
        "game": "keno",
        "edition": EDITION,
        "variant": None,
        "code": code,
        "odds": [[dollars, 1] for dollars in paid],
        "edge": _pair(keno_edge(spots, prizes)),
        "rule": keno_prizes.clause(EDITION, schedule),
        "reading": READING,
    }


def balls(edition: str, variant: str) -> list[str]:
    """Every ball in the device."""
    each = tri_chro.EDITIONS[edition][variant][0][0]
    plain = each - tri_chro.STARS
    return [ball for c in tri_chro.COLOURS for ball in [c + "*"] * tri_chro.STARS + [c] * plain]


def tri_chro_edges(edition: str, variant: str) -> dict[str, Fraction]:
    """Every wager's edge, over every two balls that can be drawn."""
    back: dict[str, Fraction] = dict.fromkeys(tri_chro.AREAS, Fraction(0))
    pairs = list(combinations(balls(edition, variant), 2))
    for pair in pairs:
        for code, (to, one) in tri_chro.winners(pair, edition, variant).items():
            back[code] += 1 + Fraction(to, one)
    return {code: 1 - total / len(pairs) for code, total in back.items()}


def tri_chro_rows() -> Iterator[dict[str, Any]]:
    for edition, sizes in tri_chro.EDITIONS.items():
        for variant, (_, column, clause) in sizes.items():
            for code, edge in tri_chro_edges(edition, variant).items():
                yield {
                    "game": "tri_chro",
                    "edition": edition,
                    "variant": variant,
                    "code": code,
                    "odds": [list(tri_chro.KINDS[tri_chro.kind_of(code)][column])],
                    "edge": _pair(edge),
                    "rule": clause,
                    "reading": None,
                }


def rows() -> Iterator[dict[str, Any]]:
    yield from keno_rows()
    yield from tri_chro_rows()


def _pair(edge: Fraction) -> list[int]:
    return [edge.numerator, edge.denominator]
