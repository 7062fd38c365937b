"""A table under worn contacts: edges with their glitches put on the pins in one unbroken board time.

Between the physics (physics.py, drum.py) and the bench: it keeps how the wires stand, what was played
at them (so that a round can be saved as a trace) and what the board told since the round began.
"""

from __future__ import annotations

import random
from typing import Any

from firmware.tables.sic_bo import INPUTS
from host_tools import trace
from host_tools.conformance.bench import AFTER_MS, CLOSED_AT_REST, MS, Bench, Edge
from host_tools.conformance.physics import Wear, Wires, bounce
from host_tools.errors import CannotRun, NoBoard, PitkitError
from host_tools.link import Link
from host_tools.ports import Session

AHEAD_US = (1, 20_000, 200_000, 2_000_000)  # before the first edge: under emu: time runs on while we speak


class Stage:
    def __init__(self, session: Session, dice: random.Random, wear: Wear) -> None:
        if session.fixture is None:
            raise CannotRun("worn contacts are played on a simulated or emulated board (sim:, emu:).")
        self.fixture = session.fixture
        self.bench = Bench(session, self.fixture)
        self.wear = wear
        self.edges_played = 0
        self._ahead = 0
        self._broken: list[str] = []
        self.recover()
        self.begin(dice)

    def recover(self) -> None:
        """Where every round begins, after one that went wrong too; in play, for the meters are judged."""
        self.bench.reset()
        self.link.command("test_mode", on=0)
        self.wires = Wires(random.Random(0), self.wear, {name: name in CLOSED_AT_REST for name in INPUTS})

    def begin(self, dice: random.Random) -> None:
        for area in self._broken:
            self.fixture.lamp_works(area)
        self._broken.clear()
        self.wires.dice = dice
        self.played: list[tuple[int, str, int]] = []  # board time, pin, level
        self.bench.collect()
        self.bench.events.clear()

    @property
    def link(self) -> Link:
        return self.bench.link

    def timing_ms(self, key: str) -> int:
        return self.bench.timing_ms(key)

    # -- wires, time, power

    def play(self, edges: list[Edge], lasting_us: int) -> None:
        """These edges and the glitches they cause, then time until all of it is over."""
        found = self.wires.pick_up(edges)
        start_us = self._schedule(found)
        over_us = start_us + max([lasting_us, *(edge[0] + 1 for edge in found)])
        self.fixture.run(max(0, over_us - self.fixture.now()))

    def _schedule(self, edges: list[Edge]) -> int:
        """Right away if that can be, else so far ahead as the machine is busy."""
        while True:
            start_us = self.fixture.now() + AHEAD_US[self._ahead]
            moves = [(start_us + at_us, pin, self.bench.level(pin, closed)) for at_us, pin, closed in edges]
            try:
                self.fixture.schedule(moves)
                break
            except NoBoard:
                raise
            except PitkitError:
                self._ahead += 1
                if self._ahead == len(AHEAD_US):
                    raise
        self.played += moves
        self.edges_played += len(moves)
        return start_us

    def move(self, pin: str, closed: bool) -> None:
        if self.wires.closed[pin] != closed:
            self.play(bounce(self.wires.dice, self.wear, 0, pin, closed), AFTER_MS * MS)

    def run_ms(self, ms: int) -> None:
        self.bench.run_ms(ms)

    def dip(self) -> None:
        """The supply is gone for a moment."""
        self.bench.cut()
        self.bench.power()

    def break_lamp(self, area: str) -> None:
        """Until the next round."""
        self._broken.append(area)
        self.fixture.lamp_fails(area)

    # -- what is to be seen

    def is_driven(self) -> bool:
        """A switch, or an H-bridge that does not brake."""
        return self.fixture.read("motor") != self.fixture.read("motor_back")

    def display(self) -> str:
        return self.fixture.display().strip()

    def lamps(self) -> list[str]:
        return self.fixture.lamps()

    def events(self) -> list[dict[str, Any]]:
        """All that the board has told since the round began."""
        self.bench.collect()
        return self.bench.events

    def told(self, name: str) -> dict[str, Any]:
        """The newest event of this name; empty where there is none."""
        found = [event for event in self.events() if event["event"] == name]
        return found[-1] if found else {}

    def pull(self) -> None:
        """The record is told to be in a file, so that it does not fill up."""
        self.link.command("pulled", upto=self.link.identify()["next_event"] - 1, digest="")

    def trace(self) -> trace.Trace:
        """What was played at the pins since the round began."""
        identity = self.link.identity
        played = sorted(self.played, key=lambda move: move[0])
        start_us = played[0][0] if played else 0
        edges = [(at_us - start_us, pin, level) for at_us, pin, level in played]
        return trace.Trace(identity["table"], identity["edition"], edges)
