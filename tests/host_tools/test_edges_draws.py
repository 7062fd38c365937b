"""Edges of keno and tri-chro: exact, against published chances, and against draws settled by the rules."""

import random
from collections import Counter
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from host_tools.edges import draws
from rules_min import keno, keno_prizes, tri_chro
from rules_min.one_shot import settle

ROWS = list(draws.rows())
EDGES = {(row["game"], row["variant"], row["code"]): Fraction(*row["edge"]) for row in ROWS}


def test_chances_that_are_published_everywhere() -> None:
    # one in so many, as tables of keno odds have them
    published = {
        (1, 1): "4",
        (6, 6): "7752.84",
        (8, 8): "230114.61",
        (10, 10): "8911711.18",
        (20, 0): "843.38",
        (20, 1): "86.45",
        (20, 20): "3535316142212174320",
    }
    for (spots, catch), one_in in published.items():
        assert abs(1 / draws.chance(spots, catch) - Fraction(one_in)) < Fraction(1, 100)
    for spots in range(1, 16):
        assert sum(draws.chance(spots, catch) for catch in range(spots + 1)) == 1


def test_edges_that_are_known() -> None:
    assert EDGES["keno", None, "spots:1"] == Fraction(1, 4)  # 3 for 1: the 25 per cent of every keno book
    assert EDGES["keno", None, "spots:2"] == Fraction(69, 316)
    assert EDGES["tri_chro", "54", "any_star"] == Fraction(-199, 1908)  # it pays more than it takes
    for code in ("star_pair:red", "odd_stars:gold-red", "any:green", "any_star"):
        assert EDGES["tri_chro", "63", code] == Fraction(2, 93)


def test_every_schedule_keeps_about_what_the_others_keep() -> None:
    """A misprinted prize would show: all printed rows keep 21.8 to 25 per cent of a dollar.

    The starred ones (act keno 8.1) keep 25 more: that is what goes to the pools (act keno 5.3).
    """
    for (game, _, code), edge in EDGES.items():
        if game == "keno":
            kept = edge - Fraction(1, 4) if code in ("spots:6", "spots:8") else edge
            assert Fraction(218, 1000) < kept <= Fraction(1, 4), code
    assert sum(game == "keno" for game, _, _ in EDGES) == 21


def test_tri_chro_over_every_two_balls() -> None:
    """Counted by hand: n balls, n/3 of a colour, 7 stars of each (qld s461, s462)."""
    for size in (54, 63):
        of_colour, all_pairs = size // 3, size * (size - 1) // 2
        others = size - of_colour
        wins = {
            "star_pair:red": 7 * 6 // 2,
            "odd_stars:red-green": 7 * 7,
            "pair:red": of_colour * (of_colour - 1) // 2,
            "odd_pair:red-green": of_colour**2,
            "no:red": others * (others - 1) // 2,
            "any:red": all_pairs - others * (others - 1) // 2,
            "any_star": all_pairs - (size - 21) * (size - 22) // 2,
        }
        for code, count in wins.items():
            column = 0 if size == 54 else 1
            to, one = tri_chro.KINDS[tri_chro.kind_of(code)][column]
            edge = 1 - Fraction(count, all_pairs) * (1 + Fraction(to, one))
            assert EDGES["tri_chro", str(size), code] == edge, code
    assert sum(game == "tri_chro" for game, _, _ in EDGES) == 38


def test_a_given_schedule_of_qld_has_its_edge_too() -> None:
    assert draws.keno_edge(1, {"1": 300}) == Fraction(1, 4)
    assert draws.keno_edge(2, {"1": 100}) == 1 - draws.chance(2, 1)


def within(seen: int, chance: Fraction, trials: int) -> bool:
    """Five standard deviations of a count: a seeded run stays inside, a wrong chance does not."""
    expected = float(chance) * trials
    return abs(seen - expected) <= 5 * sqrt(expected * (1 - float(chance))) + 1


def test_keno_agrees_with_draws_that_are_settled() -> None:
    rng, trials = random.Random(1985), 4000
    seen: dict[int, Counter[int]] = {spots: Counter() for spots in range(1, 16)}
    tickets = [{"code": "spots", "numbers": list(range(1, n + 1)), "stake": 100} for n in seen]
    for _ in range(trials):
        line = {"edition": "act1999", "result": rng.sample(range(1, 81), 20), "wagers": tickets}
        for spots, row in enumerate(keno.settle_line(line)["settlements"], 1):
            seen[spots][row["returned"] // 100] += 1
    for spots, prizes in seen.items():
        row = keno_prizes.row("act1999", {}, "standard", spots)
        for prize in set(row) | set(prizes):
            catches = [n for n, dollars in enumerate(row) if dollars == prize]
            chance = sum((draws.chance(spots, n) for n in catches), Fraction(0))
            assert within(prizes[prize], chance, trials), (spots, prize)


@pytest.mark.parametrize("size", [54, 63])
def test_tri_chro_agrees_with_drawings_that_are_settled(size: int) -> None:
    rng, trials = random.Random(size), 4000
    balls = draws.balls("qld1985", str(size))
    assert len(balls) == size
    wagers = [{"code": code, "stake": 100} for code in tri_chro.AREAS]
    won: Counter[str] = Counter()
    for _ in range(trials):
        line: dict[str, Any] = {"edition": "qld1985", "balls": size, "wagers": wagers}
        line["result"] = rng.sample(balls, 2)
        for row in settle(tri_chro, line)["settlements"]:
            won[row["code"]] += row["outcome"] == "win"
    for code in tri_chro.AREAS:
        to, one = tri_chro.KINDS[tri_chro.kind_of(code)][0 if size == 54 else 1]
        chance = (1 - EDGES["tri_chro", str(size), code]) / (1 + Fraction(to, one))
        assert within(won[code], chance, trials), code
