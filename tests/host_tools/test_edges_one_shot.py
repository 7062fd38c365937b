"""Exact edges of the one-shot games against published ones and a seeded simulation through settle."""

import random
from fractions import Fraction
from typing import Any

import pytest

from host_tools.edges import one_shot
from rules_min.settlement import settle_line

ROWS = {(r["game"], r["edition"], r["variant"], r["code"]): r for r in one_shot.rows()}


def edge(game: str, edition: str, code: str, variant: str | None = None) -> Fraction:
    return Fraction(*ROWS[game, edition, variant, code]["edge"])


def test_roulette_keeps_one_in_37_whatever_the_wager() -> None:
    for (game, edition, _, code), row in ROWS.items():
        if game == "roulette" and edition != "cgr1993":
            assert row["edge"] == [1, 37], code


def test_two_zeros_keep_two_in_38_and_three_of_the_five_numbers() -> None:
    for (game, edition, _, code), row in ROWS.items():
        if game == "roulette" and edition == "cgr1993":
            assert row["edge"] == ([3, 38] if code == "five" else [1, 19]), code


# published edges of these odds (the usual sic-bo odds differ; these are the texts' own)
PUBLISHED = {
    ("sic_bo", "small", None): Fraction(1, 36),  # 2.78 %
    ("sic_bo", "any_triple", None): Fraction(24, 216),  # 31 to 1: 11.11 %
    ("sic_bo", "triple:6", None): Fraction(35, 216),  # 180 to 1: 16.20 %
    ("sic_bo", "double:6", None): Fraction(24, 216),  # 11 to 1: 11.11 %
    ("sic_bo", "total:4", None): Fraction(27, 216),  # 62 to 1: 12.50 %
    ("sic_bo", "total:9", None): Fraction(16, 216),  # 7 to 1: 7.41 %
    ("sic_bo", "pair:1-6", None): Fraction(6, 216),  # 6 to 1: 2.78 %
    ("sic_bo", "single:1", None): Fraction(8, 216),  # 12 to 1 on three dice: 3.70 %
    ("mini_dice", "field", None): Fraction(8, 216),
    ("wheel", "a", "50"): Fraction(2, 50),
    ("wheel", "h", "50"): Fraction(5, 50),
    ("wheel", "g", "52"): Fraction(4, 52),
}


@pytest.mark.parametrize(("game", "code", "variant"), PUBLISHED)
def test_against_published_edges(game: str, code: str, variant: str | None) -> None:
    assert edge(game, "qld1985", code, variant) == PUBLISHED[game, code, variant]


def test_the_money_wheel_and_the_dice_wheel() -> None:
    published = {
        "$1": (6, 54),
        "$2": (9, 54),
        "$5": (12, 54),
        "$10": (10, 54),
        "$20": (12, 54),
        "joker": (13, 54),
    }
    for code, share in published.items():
        assert edge("wheel", "cgr1993", code, "54") == Fraction(*share)
    assert edge("wheel", "cgr1993", "number:3", "big_six") == Fraction(17, 216)  # chuck-a-luck's 7.87 %
    assert edge("wheel", "act1999", "$23", "52") == Fraction(1, 13)


def test_our_readings_are_marked() -> None:
    assert ROWS["sic_bo", "act1999", None, "double:1"]["reading"] is None
    assert "triple" in ROWS["sic_bo", "qld1985", None, "double:1"]["reading"]
    assert all(row["reading"] for (_, edition, *_), row in ROWS.items() if edition == "qld2004")
    assert "54 sections" in ROWS["wheel", "cgr1993", "54", "joker"]["reading"]


def spun(dice: random.Random, game: str, edition: str) -> dict[str, Any]:
    if game == "roulette":
        pockets: list[Any] = [*range(37), *(["00"] if edition == "cgr1993" else [])]
        return {"result": dice.choice(pockets)}
    return {"result": [dice.randint(1, 6) for _ in range(3)]}


SIMULATED = [
    ("sic_bo", "qld1985", "small"),
    ("sic_bo", "act1999", "single:4"),
    ("sic_bo", "qld2004", "double:2"),
    ("mini_dice", "qld1985", "field"),
    ("roulette", "act1999", "voisins"),
    ("roulette", "act1999", "neighbours:0"),
    ("roulette", "cgr1993", "five"),
    ("roulette", "qld1985", "column:2"),
]


@pytest.mark.parametrize(("game", "edition", "code"), SIMULATED)
def test_a_simulation_through_settle_agrees(game: str, edition: str, code: str) -> None:
    dice, spins, stake = random.Random(7), 40_000, 45
    kept = squares = 0
    memory: dict[Any, Any] = {}
    for _ in range(spins):
        line = {"game": game, "edition": edition, "wagers": [{"code": code, "stake": stake}]}
        row = settle_line(line | spun(dice, game, edition), memory)["settlements"][0]
        lost = stake - row["returned"]
        kept += lost
        squares += lost * lost
    mean = kept / spins
    error = ((squares / spins - mean * mean) / spins) ** 0.5
    assert abs(mean - float(edge(game, edition, code)) * stake) < 4 * error
