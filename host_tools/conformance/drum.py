"""The tumbler as a thing with weight: it speeds up, slows, jams, rocks; its dice rattle and settle late.

A model in steps of a millisecond that gives the edges of the turn sensor and the vibration switch.
It is told whether the motor drives it, counts its own turns, and never looks at what the board says.
The mark passes the sensor at half past every turn.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

from host_tools.conformance.bench import MS, Edge
from host_tools.conformance.physics import Wear, bounce

STEP_S = 0.001
MARK_AT = 0.5
COAST_MS = 20_000  # longer than any board waits for rest
LOOK_MS = 300  # while it is driven, the motor is looked at so often at least,
AFTER_MARK_MS = 12  # and when the mark's contact has stopped bouncing: then the board may switch it off
STILL = 0.02  # turns a second: less is none
RATTLE_GAP_MS = (15, 250)  # between two shakes of dice that are not at rest; rest_ms is far more
ROCKING_S = 0.3


@dataclass
class Drum:
    dice: random.Random
    wear: Wear
    jam_after: float | None = None  # turns until it sticks
    rattles_on: bool = False  # the dice never come to rest
    angle: float = 0.0
    speed: float = 0.0  # turns a second
    now_us: int = 0
    edges: list[Edge] = field(default_factory=list)

    def __post_init__(self) -> None:
        dice = self.dice
        self.top = dice.uniform(1.2, 3.6)
        self.rise_s = dice.uniform(0.08, 0.5)
        self.drag = dice.uniform(2.0, 8.0)  # turns a second, each second
        self.mark = dice.uniform(0.05, 0.1)  # of a turn: 14 ms at the least, which outlasts a bounce
        self.heavy_at = dice.uniform(0.5, 4.0)  # where the dice lie badly, and it slows
        self.start = self.angle = self.most = dice.choice((0.0, dice.random()))
        self.late_ms = dice.choice((0, dice.randint(0, 1500)))  # the dice settle so long after the drum
        self.in_mark = self._at_mark()
        self.jam = self._jam_angle()
        self.jammed_us: int | None = None
        self.still_us: int | None = 0
        self.rattle_us = self.last_us = 0

    def _jam_angle(self) -> float | None:
        """Anywhere, or with the mark just at the sensor's edge, where rocking shows it again and again."""
        if self.jam_after is None:
            return None
        angle = self.start + self.jam_after
        return math.floor(angle) + MARK_AT if self.dice.random() < 0.5 and self.jam_after > 1 else angle

    @property
    def turns(self) -> int:
        """How often the mark came to the sensor, going forward."""
        return math.floor(self.most - MARK_AT) - math.floor(self.start - MARK_AT)

    @property
    def is_still(self) -> bool:
        return self.still_us is not None and self.now_us >= self.still_us and not self.rattles_on

    def run(self, driven: bool) -> tuple[list[Edge], int]:
        """The edges until the motor is to be looked at again, counted from now; and how long that is (µs).

        Not driven, that is until all is still, in one go: a pause between two parts would look like rest.
        """
        start_us, self.edges = self.now_us, []
        end_us = start_us + (LOOK_MS if driven else COAST_MS) * MS
        while self.now_us < end_us or self.now_us <= self.last_us:
            came = self._step(driven)
            if driven and came:
                end_us = self.now_us + AFTER_MARK_MS * MS
            elif not driven and self.is_still:
                end_us = self.now_us
        self.edges.sort(key=lambda edge: edge[0])
        return [(at - start_us, pin, closed) for at, pin, closed in self.edges], self.now_us - start_us

    def _step(self, driven: bool) -> bool:
        """One millisecond on; whether the mark has come."""
        self.now_us += MS
        if self.jam is not None and self.angle >= self.jam and self.jammed_us is None:
            self.jammed_us, self.speed = self.now_us, 0.0
        if self.jammed_us is None:
            self.speed = self._next_speed(driven)
            self.angle += self.speed * STEP_S
        else:
            self.angle = self._rocking()
        self.most = max(self.most, self.angle)
        self._rattle()
        return self._watch_mark()

    def _next_speed(self, driven: bool) -> float:
        if not driven:
            return max(0.0, self.speed - self.drag * STEP_S)
        heavy = 0.4 if self.heavy_at < self.angle - self.start < self.heavy_at + 0.3 else 1.0
        return self.speed + (self.top * heavy - self.speed) * STEP_S / self.rise_s

    def _rocking(self) -> float:
        """Stuck, it springs forth and back some times, ever less."""
        assert self.jam is not None and self.jammed_us is not None
        for_s = (self.now_us - self.jammed_us) / 1e6
        if for_s > ROCKING_S:
            return self.jam
        swing = math.sin(2 * math.pi * for_s / 0.06) * math.exp(-for_s / 0.1)
        return self.jam + self.mark / 2 * swing

    def _at_mark(self) -> bool:
        return MARK_AT <= self.angle % 1 < MARK_AT + self.mark

    def _watch_mark(self) -> bool:
        at_mark = self._at_mark()
        if at_mark == self.in_mark:
            return False
        self.in_mark = at_mark
        self.edges = [edge for edge in self.edges if edge[1] != "turn" or edge[0] < self.now_us]
        self._add(bounce(self.dice, self.wear, self.now_us, "turn", at_mark))
        return at_mark

    def _add(self, edges: list[Edge]) -> None:
        self.edges += edges
        self.last_us = max(self.last_us, edges[-1][0])

    def _rattle(self) -> None:
        """The vibration switch closes now and then while the drum moves, and until the dice have settled."""
        moving = self.speed > STILL
        if moving:
            self.still_us = None
        elif self.still_us is None:
            self.still_us = self.now_us + self.late_ms * MS
        if (moving or self.rattles_on or not self.is_still) and self.now_us >= self.rattle_us:
            shake_us = self.dice.randint(300, 6000)
            self._add([(self.now_us, "rest", True), (self.now_us + shake_us, "rest", False)])
            self.rattle_us = self.now_us + shake_us + self.dice.randint(*RATTLE_GAP_MS) * MS
