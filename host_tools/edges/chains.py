"""Exact edges of the games that are lists: two-up, triple penny two-up and craps, solved as chains.

A wager on its spot and the table's own state are a state of the chain; each result leads to
another or to a decision, as rules_min decides it. The value of the first state is solved for in
fractions. A wager that a bar voids counts as one made: craps line wagers are of the original stake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from rules_min import craps_facts, craps_money, craps_rolls, triple_two_up, two_up

State = Any
Step = tuple[Fraction, State | None, Fraction]  # chance, the next state or None, what it comes to
THROWS = list(product(range(1, 7), repeat=2))
COINS = (
    (two_up, {"heads": 1, "tails": 1, "odds": 2}),
    (triple_two_up, {"heads": 3, "tails": 3, "triple_heads": 1, "triple_tails": 1}),
)


def rows() -> Iterator[dict[str, Any]]:
    for game, spins in COINS:
        for edition, code in product(game.EDITIONS, game.CODES):
            yield _row(game.GAME, edition, code, *_coin_wager(game, spins, edition, code))
    for edition in craps_facts.EDITIONS:
        for code in craps_facts.codes(edition):
            yield _row("craps", edition, code, *_craps_wager(edition, code))


def _row(
    game: str,
    edition: str,
    code: str,
    edge: Fraction,
    odds: set[tuple[int, int]],
    rule: str,
    reading: str | None,
) -> dict[str, Any]:
    return {
        "game": game,
        "edition": edition,
        "variant": None,
        "code": code,
        "odds": [list(pair) for pair in sorted(odds)],
        "edge": [edge.numerator, edge.denominator],
        "rule": rule,
        "reading": reading,
    }


# -- the chain


def value(start: State, steps: Callable[[State], list[Step]]) -> Fraction:
    """What a wager in this state comes to, in stakes: v = sum of chance times (decided, or the next v)."""
    order, equations = [start], {}
    for state in order:
        equations[state] = list(steps(state))
        order.extend(after for _, after, _ in equations[state] if after is not None and after not in order)
    matrix = [_equation(order, state, equations[state]) for state in order]
    return _first_unknown(matrix)


def _equation(order: list[State], state: State, steps: list[Step]) -> list[Fraction]:
    """v(state) minus its chances of each v, and what is decided on the right."""
    row = [Fraction(int(other == state)) for other in order] + [Fraction(0)]
    for chance, after, decided in steps:
        if after is None:
            row[-1] += chance * decided
        else:
            row[order.index(after)] -= chance
    return row


def _first_unknown(matrix: list[list[Fraction]]) -> Fraction:
    """Gauss and Jordan, in fractions."""
    for column in range(len(matrix)):
        pivot = next(r for r in range(column, len(matrix)) if matrix[r][column])
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        head = matrix[column][column]
        matrix[column] = [cell / head for cell in matrix[column]]
        for r, row in enumerate(matrix):
            if r != column and row[column]:
                factor = row[column]
                matrix[r] = [cell - factor * own for cell, own in zip(row, matrix[column], strict=True)]
    return matrix[0][-1]


def _worth(outcome: str, odds: tuple[int, int] | None) -> Fraction:
    return {"win": Fraction(*(odds or (0, 1))), "lose": Fraction(-1), "void": Fraction(0)}[outcome]


# -- coins


def _coin_wager(
    game: Any, spins: dict[str, int], edition: str, code: str
) -> tuple[Fraction, set[tuple[int, int]], str, str | None]:
    paid: set[tuple[int, int]] = set()
    rules: set[str] = set()

    def steps(state: State) -> list[Step]:
        spot, odds_in_a_row = state
        found: list[Step] = []
        for spin, weight in spins.items():
            chance = Fraction(weight, sum(spins.values()))
            run = odds_in_a_row + 1 if spin == "odds" else 0
            step = game.decide(edition, spot, two_up.FIVE if run == 5 else spin)
            if isinstance(step, tuple):
                if step[1]:
                    paid.add(step[1])
                    rules.add(step[2])
                found.append((chance, None, _worth(step[0], step[1])))
            else:
                found.append((chance, (step or spot, run), Fraction(0)))
        return found

    edge = -value((code, 0), steps)
    (rule,) = rules
    return edge, paid, rule, game.READINGS["no_spin"]


# -- dice


def _craps_wager(edition: str, code: str) -> tuple[Fraction, set[tuple[int, int]], str, str | None]:
    kind, _, name = code.partition(":")
    paid: set[tuple[int, int]] = set()

    def steps(state: State) -> list[Step]:
        spot, point = state
        found: list[Step] = []
        for a, b in THROWS:
            chance = Fraction(1, len(THROWS))
            step = craps_rolls.decide(edition, spot, craps_rolls.roll_item(a, b, point))
            if isinstance(step, tuple):
                if step[1]:
                    paid.add(step[1])
                found.append((chance, None, _craps_worth(edition, code, a + b, step)))
            else:
                found.append((chance, (step or spot, craps_facts.advance(point, a + b)), Fraction(0)))
        return found

    point = 4 if kind in craps_facts.AFTER_COME_OUT else 0
    edge = -value((code, point), steps)
    if kind in ("buy", "lay"):
        edge += _commission(edition, kind, int(name))
    return edge, paid, craps_facts.pays(edition, kind), _craps_reading(edition, kind, code)


def _craps_worth(edition: str, code: str, total: int, step: Any) -> Fraction:
    pieces = craps_money.pieces_of(code)
    if not pieces:
        return _worth(step[0], step[1])
    listed = craps_money.settle_pieces(edition, pieces, 2, total, 1)  # two cents: 15 to 2 comes out whole
    return Fraction(sum(piece["returned"] for piece in listed), 2 * len(pieces)) - 1


def _commission(edition: str, kind: str, number: int) -> Fraction:
    """The edition's own percentage, as a share of the stake."""
    stake = 12000
    cents = craps_money.commission(kind, number, stake, craps_facts.EDITIONS[edition]["commission"])
    return Fraction(cents, stake)


def _craps_reading(edition: str, kind: str, code: str) -> str | None:
    readings = craps_facts.READINGS
    if edition == "cgr1993" and code == "lay:9":
        return f"{readings['lay 9']}; {readings['cgr commission']}"
    if edition == "cgr1993" and kind in ("buy", "lay"):
        return readings["cgr commission"]
    if kind in craps_facts.AFTER_COME_OUT:
        return readings["come"]
    if edition == "qld1985" and kind in ("place", "buy", "hard"):
        return readings["off"]
    return None
