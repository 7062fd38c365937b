"""Edges of the games that one spin decides: every wager over every throw, pocket and section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from rules_min import mini_dice, roulette, sic_bo, wheel

Outcomes = list[tuple[Any, int]]  # a result, and how many of the equally likely ones it stands for
THROWS: Outcomes = [(throw, 1) for throw in product(range(1, 7), repeat=3)]


def rows() -> Iterator[dict[str, Any]]:
    for edition in sic_bo.EDITIONS:
        yield from _rows(sic_bo, edition, None, sic_bo.AREAS, THROWS)
    for edition in mini_dice.EDITIONS:
        yield from _rows(mini_dice, edition, None, mini_dice.AREAS, THROWS)
    for edition in roulette.EDITIONS:
        pockets = _pockets(edition)
        yield from _rows(roulette, edition, None, _roulette_codes(edition, pockets), pockets)
    editions: Any = wheel.EDITIONS
    for edition, wheels in editions.items():
        for name, (sections, *_) in wheels.items():
            outcomes = [(row[0], row[1]) for row in sections] or THROWS
            codes = [row[0] for row in sections] or [f"number:{n}" for n in range(1, 7)]
            yield from _rows(wheel, edition, name, codes, outcomes)


def _pockets(edition: str) -> Outcomes:
    numbers: list[Any] = list(range(37)) + (["00"] if roulette.EDITIONS[edition][0] == 2 else [])
    return [(number, 1) for number in numbers]


def _roulette_codes(edition: str, pockets: Outcomes) -> list[str]:
    """Every wager, in the order of its kind; those of the race track last."""
    found = {code for pocket, _ in pockets for code in roulette.winners(pocket, edition)}
    kinds = list(roulette.kinds(edition))
    codes = sorted(found, key=lambda code: (kinds.index(_kind(code)), _numbers(code)))
    if roulette.EDITIONS[edition][1]:
        codes += [*roulette.RACE_TRACK, *(f"neighbours:{n}" for n in range(37))]
    return codes


def _kind(code: str) -> str:
    return code.split(":", 1)[0]


def _numbers(code: str) -> list[tuple[int, str]]:
    rest = code.partition(":")[2]
    return [(int(number), number) for number in rest.split("-")] if rest else []


def _rows(
    rules: Any, edition: str, variant: str | None, codes: Iterable[str], outcomes: Outcomes
) -> Iterator[dict[str, Any]]:
    won = [(result, weight, rules.winners(result, edition, variant)) for result, weight in outcomes]
    for code in codes:
        pieces = (rules.pieces(code) if hasattr(rules, "pieces") else None) or (code,)
        paid = [(n, weight, odds[p]) for n, weight, odds in won for p in pieces if p in odds]
        back = sum(weight * Fraction(to + one, one) for _, weight, (to, one) in paid) / len(pieces)
        edge = 1 - Fraction(back) / sum(weight for _, weight in outcomes)
        whole = len(pieces) > 1
        clause = rules.lose_rule if whole else rules.win_rule  # a composite's own clause makes it up
        yield {
            "game": rules.GAME,
            "edition": edition,
            "variant": variant,
            "code": code,
            "odds": [list(odds) for odds in sorted({odds for _, _, odds in paid})],
            "edge": [edge.numerator, edge.denominator],
            "rule": clause(edition, code, _plain_result(paid), variant),
            "reading": reading(rules, edition, variant, code),
        }


def _plain_result(paid: list[tuple[Any, int, Any]]) -> Any:
    """The result that pays least, zero only where nothing else wins: its clause is the wager's usual one."""
    return min(paid, key=lambda row: (row[0] in (0, "00"), row[2]))[0]


def reading(rules: Any, edition: str, variant: str | None, code: str) -> str | None:
    """What the texts leave open about this wager and we chose, or None."""
    keys = ["qld2004"] if edition == "qld2004" else []
    if rules is sic_bo and _kind(code) == "double" and edition != "act1999":
        keys.append("double")
    elif rules is roulette:
        keys.extend(_roulette_readings(edition, _kind(code)))
    elif edition == "cgr1993":
        keys.append("big_six" if variant == "big_six" else "cgr sections")
    return "; ".join(rules.READINGS[key] for key in keys) or None


def _roulette_readings(edition: str, kind: str) -> list[str]:
    if kind == "voisins":
        return ["voisins"]
    if kind in ("neighbours", "five", "red", "black"):
        return ["order"]
    outside = kind in ("column", "dozen", "low", "high", "even", "odd")
    return ["zero"] if edition == "cgr1993" and outside else []
