"""One sic-bo round at random on worn contacts: its plan, the hands that play it, and its judge.

Played from the pins, its wagers over the line. The judge compares the board's record, display, lamps and
payouts with the round as it was played and with `rules_min`'s settlement on this side. soak.py calls it.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from rules_min import sic_bo
from rules_min.settlement import settle_line

from .conformance.bench import MS
from .conformance.drum import Drum
from .conformance.physics import Wear, press, together, type_keys
from .conformance.stage import Stage

STAKES = (100, 500, 1000, 2500, 10000)


@dataclass(frozen=True)
class Plan:
    """What goes wrong in a round, when (after which phase), and what the board is to make of it."""

    name: str
    weight: int
    phase: str = ""
    cause: str = ""  # of the void; none: the round stands
    act: str = ""  # the method of Round that does it
    events: tuple[str, ...] = ("voided",)


PLANS = (
    Plan("played", 52),
    Plan("wrong numbers put right", 10),
    Plan("two keys at once, put right", 8),
    Plan("result corrected", 6, "result", "", "correct", ("cleared", "result", "settled")),
    Plan("a lamp fails", 4, "called", "", "break_a_lamp", ()),  # qld s78(7), act sicbo 8.5: the result stands
    Plan("dip after the result", 2, "result", "", "dip", ("boot",)),
    Plan("dip before the spin", 1, "opened", "power_lost", "dip", ("boot", "voided")),
    Plan("dip in the spin", 1, "running", "power_lost", "dip", ("boot", "voided")),
    Plan("dip after the call", 1, "called", "power_lost", "dip", ("boot", "voided")),
    Plan("exposed in the spin", 3, "running", "exposed", "uncover"),
    Plan("exposed before the call", 3, "rested", "exposed", "uncover"),
    Plan("not flat", 4, "entered", "not_flat", "press_no_spin"),
    Plan("stopped by the dealer", 3, "running", "malfunction", "press_no_spin"),
    Plan("broken die", 1, "entered", "broken_die", "say_no_spin"),
    Plan("called off", 1, "opened", "invalidated", "say_no_spin"),
    Plan("stalled", 3, "rested", "malfunction", "clear", ("fault", "voided", "fault_cleared")),
    Plan("never still", 1, "rested", "malfunction", "clear", ("fault", "voided", "fault_cleared")),
)
# judged apart; what every segment of the record begins with; told where the lamps' current is watched
BESIDE = ("wager", "meters", "voids", "lamp_failed", "lamp_works")
# phase: the events it is to leave on record
PHASES = {
    "opened": ("opened",),
    "running": ("activated",),
    "rested": ("rested",),
    "called": ("called",),
    "uncovered": ("uncovered",),
    "entered": (),
    "result": ("result", "settled"),
}
COVERED = tuple(PHASES)
UNCOVERED = ("opened", "called", "running", "rested", "entered", "result")  # qld s72(1): the call comes first


class Wrong(Exception):
    """The board did not do what the round was."""


@dataclass
class Round:
    """One round, from OPEN to its end, as its plan has it."""

    stage: Stage
    dice: random.Random
    plan: Plan
    edition: str
    wear: Wear
    covered: bool = True
    wagers: list[tuple[int, str, int]] = field(default_factory=list)  # ref, code, stake
    expected: list[str] = field(default_factory=list)
    thrown: list[int] = field(default_factory=list)
    failed: str = ""  # the area whose lamp is dead

    def play(self) -> None:
        self.drum = Drum(self.dice, self.wear, self._jam(), self.plan.name == "never still")
        self.thrown = self._throw()
        for phase in COVERED if self.covered else UNCOVERED:
            getattr(self, phase)()
            self.expected += PHASES[phase]
            if self.plan.phase == phase:
                getattr(self, self.plan.act)()
                self.expected += self.plan.events
                if self.plan.cause:
                    break
        self.drum.rattles_on = False
        self._turn()  # it coasts on, which is none of the board's business

    def _jam(self) -> float | None:
        return self.dice.uniform(0.2, 2.4) if self.plan.name == "stalled" else None

    def _throw(self) -> list[int]:
        return [self.dice.randint(1, 6) for _ in range(3)]

    # -- the phases

    def opened(self) -> None:
        self.stage.move("turn", self.drum.in_mark)  # where somebody left it
        self.stage.move("cover", True)
        self.key("key_open")
        self._bet(self.dice.randint(0, 5))

    def running(self) -> None:
        self.key("key_spin")
        looks = self.dice.randint(1, 4) if self.plan.phase == "running" else sys.maxsize
        while looks and self._turn():
            looks -= 1
            if self.covered and self.dice.random() < 0.1 and self.stage.is_driven():
                self._bet(1)

    def _turn(self) -> bool:
        """On until the motor is looked at again; False when all is still, or never will be."""
        driven = self.stage.is_driven()
        if driven or not self.drum.is_still:
            self.stage.play(*self.drum.run(driven))
        return driven

    def rested(self) -> None:
        self.stage.run_ms(self.stage.timing_ms("rest_ms") + 50)
        self._same("turns counted", self.drum.turns, self.stage.told("rested").get("turns"))

    def called(self) -> None:
        self.key("key_no_more_bets")

    def uncovered(self) -> None:
        self.stage.move("cover", False)

    def result(self) -> None:
        self.key("key_entry")

    # -- hands

    def key(self, pin: str) -> None:
        held_us = self.dice.randint(45, 250) * MS
        self.stage.play(press(self.dice, self.wear, 0, pin, held_us), held_us + 60 * MS)

    def _bet(self, count: int) -> None:
        for _ in range(count):
            ref, code = len(self.wagers) + 1, self.dice.choice(sic_bo.AREAS)
            stake = self.dice.choice(STAKES)
            self.stage.link.command("wager", ref=ref, code=code, stake=stake, player="")
            self.wagers.append((ref, code, stake))

    def entered(self) -> None:
        if self.plan.name == "two keys at once, put right":
            pair = [f"key{number}" for number in self.dice.sample(range(1, 7), 2)]
            self.stage.play(together(self.dice, self.wear, pair), 300 * MS)
            shown = self.stage.display()
            self._same("keys shown", sorted(pair), sorted(f"key{digit}" for digit in shown))
        if self.plan.name == "wrong numbers put right":
            self._type([self.dice.randint(1, 6) for _ in range(self.dice.randint(1, 4))])
        self._type(self.thrown)

    def _type(self, numbers: list[int]) -> None:
        before = [int(digit) for digit in self.stage.display()]
        edges = type_keys(self.dice, self.wear, [f"key{number}" for number in numbers])
        self.stage.play(edges, edges[-1][0] + 60 * MS)
        expected = "".join(str(number) for number in (before + numbers)[-3:])
        self._same("the display", expected, self.stage.display())

    # -- what goes wrong

    def uncover(self) -> None:
        self.stage.move("cover", False)

    def press_no_spin(self) -> None:
        self.key("key_no_spin")

    def say_no_spin(self) -> None:
        self.stage.link.command("no_spin", cause=self.plan.cause)

    def dip(self) -> None:
        """The supply is gone for a moment; the drum coasts on."""
        self.stage.dip()

    def break_a_lamp(self) -> None:
        """One of those that are to be lit."""
        self.failed = self.dice.choice(sorted(sic_bo.winners(sorted(self.thrown))))
        self.stage.break_lamp(self.failed)

    def clear(self) -> None:
        self.stage.link.command("clear_fault")

    def correct(self) -> None:
        """ENTRY a second time takes the result back (qld s78(5)); numbers and ENTRY again."""
        self.key("key_entry")
        self.thrown = self._throw()
        self._type(self.thrown)
        self.key("key_entry")

    # -- the judge

    def judge(self) -> Counter[str]:
        """Raises Wrong; else what the meters are to have counted."""
        events = self.stage.events()
        names = [event["event"] for event in events if event["event"] not in BESIDE]
        self._same("the record", self.expected, names)
        placed = [(e["ref"], e["code"], e["stake"]) for e in events if e["event"] == "wager"]
        self._same("the wagers", self.wagers, placed)
        line: dict[str, Any] = {"game": "sic_bo", "edition": self.edition, "result": self.thrown}
        if self.plan.cause:
            line |= {"result": "no_spin", "cause": self.plan.cause}
        line["wagers"] = [{"code": code, "stake": stake} for _, code, stake in self.wagers]
        return self._judge_money(settle_line(line)["settlements"])

    def _judge_money(self, settled: list[dict[str, Any]]) -> Counter[str]:
        for (ref, _, _), expected in zip(self.wagers, settled, strict=True):
            paid = self.stage.link.command("payout", ref=ref)
            paid["odds"] = paid["odds"] or None
            self._same("a payout", {key: expected[key] for key in paid}, paid)
        staked = sum(stake for _, _, stake in self.wagers)
        back = sum(row["returned"] for row in settled)
        if self.plan.cause:
            told = self.stage.told("voided")
            self._same("the void", (self.plan.cause, staked), (told["cause"], told["returned"]))
            self._same("the lamps", [], self.stage.lamps())
            return Counter(voided=1, refunded=staked)
        told = self.stage.told("settled")
        self._same("the settlement", (staked, back), (told["staked"], told["returned"]))
        self._same("the dice", sorted(self.thrown), self.stage.told("result")["dice"])
        lit = set(sic_bo.winners(sorted(self.thrown))) - {self.failed}
        self._same("the lamps", sorted(lit), sorted(self.stage.lamps()))
        return Counter(games=1, turnover=staked, paid=back)

    def _same(self, what: str, expected: Any, seen: Any) -> None:
        if expected != seen:
            raise Wrong(f"{what}: expected {expected}, the board has {seen}")
