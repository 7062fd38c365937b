"""Contacts as they are: they bounce, wires pick up glitches, fingers come down together. Seeded.

Everything here is edges for the fixture, (µs from a start, pin, is it closed), made from a Random of
the caller's, so that the same seed is the same table. It never looks at the board.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from host_tools.conformance.bench import MS, Edge

CROSSTALK_US = 3000  # a glitch comes so soon after the edge that caused it
TRIES = 8  # to find a place for one where the wire does not move by itself


@dataclass(frozen=True)
class Wear:
    """How bad the contacts and wires are."""

    bounce_us: int = 8000
    pairs: int = 6  # a bouncing contact opens and closes at most so often
    glitch_share: float = 0.01  # of the edges
    glitch_us: int = 19


NEW = Wear(bounce_us=0, glitch_share=0.0)


def bounce(dice: random.Random, wear: Wear, at_us: int, pin: str, closed: bool) -> list[Edge]:
    """A contact goes over to `closed`, back and forth for a while."""
    edges: list[Edge] = [(at_us, pin, closed)]
    pairs = dice.randint(0, wear.pairs) if wear.bounce_us > 2 * wear.pairs else 0
    if pairs:
        span_us = dice.randint(2 * wear.pairs + 1, wear.bounce_us)
        times = [*sorted(dice.sample(range(1, span_us), 2 * pairs - 1)), span_us]
        edges += [(at_us + t_us, pin, closed == bool(n % 2)) for n, t_us in enumerate(times)]
    return edges


def press(dice: random.Random, wear: Wear, at_us: int, pin: str, held_us: int) -> list[Edge]:
    """A finger on a key."""
    down = bounce(dice, wear, at_us, pin, True)
    return down + bounce(dice, wear, at_us + held_us, pin, False)


def type_keys(dice: random.Random, wear: Wear, pins: Iterable[str]) -> list[Edge]:
    """Keys one after the other in a dealer's way: the next may come down before the last is let go."""
    edges: list[Edge] = []
    free_us: dict[str, int] = {}  # when a key can come down again
    at_us = 0
    for pin in pins:
        at_us = max(at_us + dice.randint(40, 180) * MS, free_us.get(pin, 0))
        held_us = dice.randint(45, 220) * MS
        free_us[pin] = at_us + held_us + dice.randint(50, 150) * MS
        edges += press(dice, wear, at_us, pin, held_us)
    return edges


def together(dice: random.Random, wear: Wear, pins: Sequence[str]) -> list[Edge]:
    """One finger on several keys."""
    edges: list[Edge] = []
    for pin in pins:
        edges += press(dice, wear, dice.randint(0, 4 * MS), pin, dice.randint(50, 120) * MS)
    return edges


class Wires:
    """All inputs of a table: how they stand, and what they pick up from one another."""

    def __init__(self, dice: random.Random, wear: Wear, closed: dict[str, bool]) -> None:
        self.dice = dice
        self.wear = wear
        self.closed = dict(closed)

    def pick_up(self, edges: Iterable[Edge]) -> list[Edge]:
        """These edges in order, and the glitches they cause; where the wires stand is kept."""
        ordered = sorted(edges, key=lambda edge: edge[0])
        found = list(ordered)
        for at_us, pin, _ in ordered:
            if self.dice.random() < self.wear.glitch_share:
                found += self._glitch(found, at_us, pin)
        found.sort(key=lambda edge: edge[0])
        self.closed.update({pin: closed for _, pin, closed in found})
        return found

    def _glitch(self, edges: list[Edge], after_us: int, pin: str) -> list[Edge]:
        """A pulse shorter than any contact makes, on this wire or another; none where there is no room."""
        for _ in range(TRIES):
            victim = self.dice.choice((pin, *self.closed))
            at_us = after_us + self.dice.randint(1, CROSSTALK_US)
            end_us = at_us + self.dice.randint(1, self.wear.glitch_us)
            own = sorted((t_us, closed) for t_us, name, closed in edges if name == victim)
            times = [t_us for t_us, _ in own]
            before = bisect_right(times, at_us - 1)
            if before == bisect_right(times, end_us + 1):
                level = own[before - 1][1] if before else self.closed[victim]
                return [(at_us, victim, not level), (end_us, victim, level)]
        return []
