"""Two-up, triple penny and craps: exact edges against published ones and against play."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from host_tools.edges import chains
from rules_min import craps_facts
from rules_min.settlement import settle_line

EDGES = {(row["game"], row["edition"], row["code"]): Fraction(*row["edge"]) for row in chains.rows()}
F = Fraction
QLD, CGR = "qld1985", "cgr1993"
PUBLISHED = {
    # the trade's own figures for these odds: pass 1.414%, don't pass 1.364% (barred totals counted)
    ("craps", QLD, "win"): F(7, 495),
    ("craps", CGR, "pass"): F(7, 495),
    ("craps", QLD, "dont_win"): F(3, 220),
    ("craps", CGR, "dont_pass"): F(3, 220),
    ("craps", QLD, "come"): F(7, 495),
    ("craps", CGR, "dont_come"): F(3, 220),
    ("craps", QLD, "place:6"): F(1, 66),
    ("craps", QLD, "place:5"): F(1, 25),
    ("craps", CGR, "place:10"): F(1, 15),
    ("craps", QLD, "big:8"): F(1, 11),
    ("craps", CGR, "hard:4"): F(1, 9),
    ("craps", CGR, "hard:8"): F(1, 11),
    ("craps", QLD, "hard:4"): F(1, 18),
    ("craps", QLD, "hard:8"): F(1, 22),
    ("craps", QLD, "field"): F(1, 18),
    ("craps", QLD, "any7"): F(1, 6),
    ("craps", CGR, "any_craps"): F(1, 9),
    ("craps", CGR, "craps2"): F(5, 36),
    ("craps", CGR, "eleven"): F(1, 9),
    ("craps", CGR, "horn"): F(1, 8),
    ("craps", CGR, "world"): F(2, 15),
    ("craps", CGR, "hop:1-2"): F(1, 9),
    ("craps", CGR, "hop:3-3"): F(5, 36),
    ("craps", QLD, "any_craps"): F(1, 18),
    ("craps", QLD, "horn_high:12"): F(1, 18),
    ("craps", QLD, "buy:4"): F(1, 20),  # true odds: all of it is the commission, of the stake
    ("craps", QLD, "lay:4"): F(1, 40),
    ("craps", QLD, "lay:9"): F(1, 30),
    ("craps", QLD, "lay:6"): F(1, 24),
    ("craps", CGR, "buy:6"): F(0),
    # two-up: 3.125% for players, 3.4% for the spinner
    ("two_up", QLD, "heads"): F(1, 32),
    ("two_up", QLD, "spinner:tails"): 1 - F(31, 64) ** 3 * F(17, 2),
    ("triple_two_up", QLD, "tails"): F(1, 32),
    ("triple_two_up", QLD, "spinner:heads"): F(1, 16),
    ("triple_two_up", QLD, "spinner_bonus:heads"): F(1, 32),
}


@pytest.mark.parametrize("wager", PUBLISHED, ids="-".join)
def test_published_edges(wager: tuple[str, str, str]) -> None:
    assert EDGES[wager] == PUBLISHED[wager]


def test_every_wager_has_a_row_and_only_the_free_ones_no_edge() -> None:
    assert len(EDGES) == 4 + 6 + len(craps_facts.codes(QLD)) + len(craps_facts.codes(CGR))
    free = {code for (_, edition, code), edge in EDGES.items() if not edge}
    assert free == {code for code in craps_facts.codes(CGR) if code[:3] in ("buy", "lay")}
    assert all(edge >= 0 for edge in EDGES.values())
    assert all(row["rule"] and row["odds"] for row in chains.rows())


def played(line: dict[str, Any]) -> dict[str, list[int]]:
    """{code: what each decided wager of 600,000 cents brought its player}, commission counted."""
    gains: dict[str, list[int]] = {}
    for row in settle_line(line)["settlements"]:
        if row["outcome"] != "stays":
            gain = row["returned"] - row["stake"] - row.get("commission", 0)
            gains.setdefault(row["code"], []).append(gain)
    return gains


def check(game: str, edition: str, gains: dict[str, list[int]], stake: int) -> None:
    """Within five standard errors of the exact edge."""
    for code, found in gains.items():
        mean = sum(found) / len(found)
        spread = (sum((gain - mean) ** 2 for gain in found) / len(found)) ** 0.5
        edge = float(EDGES[game, edition, code])
        assert abs(mean / stake + edge) <= 5 * spread / stake / len(found) ** 0.5, (code, mean / stake, edge)


@pytest.mark.parametrize("edition", [QLD, CGR])
def test_craps_played(edition: str) -> None:
    dice = random.Random(f"craps {edition}")
    rolls = [[dice.randint(1, 6), dice.randint(1, 6)] for _ in range(12_000)]
    wagers, point, stake = [], 0, 600_000
    for at, (a, b) in enumerate(rolls[:-200]):
        for code in craps_facts.codes(edition):
            if code in (craps_facts.AFTER_COME_OUT if not point else craps_facts.BEFORE_COME_OUT):
                continue
            if dice.random() < (0.5 if code in craps_facts.RIGHT + craps_facts.WRONG else 0.15):
                wagers.append({"code": code, "stake": stake, "at": at})
        point = craps_facts.advance(point, a + b)
    gains = played({"game": "craps", "edition": edition, "result": rolls, "wagers": wagers})
    assert set(gains) == set(craps_facts.codes(edition))
    check("craps", edition, gains, stake)


@pytest.mark.parametrize(("game", "coins"), [("two_up", 2), ("triple_two_up", 3)])
def test_coins_played(game: str, coins: int) -> None:
    toss = random.Random(game)
    codes = [code for g, _, code in EDGES if g == game]
    gains: dict[str, list[int]] = {code: [] for code in codes}
    for _ in range(6_000):
        result = [name_of(coins, sum(toss.randint(0, 1) for _ in range(coins))) for _ in range(60)]
        wagers = [{"code": code, "stake": 100} for code in codes]
        line = {"game": game, "edition": QLD, "result": result, "wagers": wagers}
        for code, found in played(line).items():
            gains[code] += found
    check(game, QLD, gains, 100)


def name_of(coins: int, heads: int) -> str:
    if coins == 2:
        return ("tails", "odds", "heads")[heads]
    return ("triple_tails", "tails", "heads", "triple_heads")[heads]
