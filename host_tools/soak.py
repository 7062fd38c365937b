"""Randomised sic-bo rounds on worn contacts, each judged against what a dealer would say of it.

    python -m host_tools.soak --rounds 100 --seed 1 --port 'sim:sic_bo@act1999?clock=frozen'

Every round is played from the pins (its wagers over the line) by a plan drawn from its own seed; the
judge compares the board's record, display, lamps and payouts with the round as it was played and with
`rules_min`'s settlement on this side. `make bench` and a test call `run`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rules_min import sic_bo
from rules_min.settlement import settle_line

from . import trace
from .conformance.bench import MS
from .conformance.drum import Drum
from .conformance.physics import Wear, press, together, type_keys
from .conformance.stage import Stage
from .errors import PitkitError
from .ports import open_port

PORT = "sim:sic_bo@act1999?clock=frozen"
STAKES = (100, 500, 1000, 2500, 10000)
PULL_EVERY = 40  # rounds: an unpulled journal fills up, and says so


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
    Plan("dip after the result", 2, "result", "", "dip", ("boot",)),
    Plan("dip before the spin", 1, "opened", "power_lost", "dip", ("boot", "voided")),
    Plan("dip in the spin", 1, "running", "power_lost", "dip", ("boot", "voided")),
    Plan("dip after the call", 1, "called", "power_lost", "dip", ("boot", "voided")),
    Plan("exposed in the spin", 3, "running", "exposed", "uncover"),
    Plan("exposed before the call", 3, "rested", "exposed", "uncover"),
    Plan("not flat", 4, "uncovered", "not_flat", "press_no_spin"),
    Plan("stopped by the dealer", 3, "running", "malfunction", "press_no_spin"),
    Plan("broken die", 1, "uncovered", "broken_die", "say_no_spin"),
    Plan("called off", 1, "opened", "invalidated", "say_no_spin"),
    Plan("stalled", 3, "rested", "malfunction", "clear", ("fault", "voided", "fault_cleared")),
    Plan("never still", 1, "rested", "malfunction", "clear", ("fault", "voided", "fault_cleared")),
)
BESIDE = ("wager", "meters", "voids")  # judged apart; what every segment of the record begins with
# phase: the events it is to leave on record
PHASES = {
    "opened": ("opened",),
    "running": ("activated",),
    "rested": ("rested",),
    "called": ("called",),
    "uncovered": ("uncovered",),
    "result": ("result", "settled"),
}


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
    wagers: list[tuple[int, str, int]] = field(default_factory=list)  # ref, code, stake
    expected: list[str] = field(default_factory=list)
    thrown: list[int] = field(default_factory=list)

    def play(self) -> None:
        self.drum = Drum(self.dice, self.wear, self._jam(), self.plan.name == "never still")
        self.thrown = self._throw()
        for phase in PHASES:
            getattr(self, phase)()
            self.expected += PHASES[phase]
            if self.plan.phase == phase:
                getattr(self, self.plan.act)()
                self.expected += self.plan.events
                if self.plan.cause:
                    break
        self._let_it_stop()

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
            if self.dice.random() < 0.1 and self.stage.is_driven():
                self._bet(1)

    def _turn(self) -> bool:
        """On until the motor is looked at again; False when all is still."""
        driven = self.stage.is_driven()
        if not driven and self.drum.is_still:
            return False
        self.stage.play(*self.drum.run(driven))
        return driven or not self.drum.rattles_on or not self.stage.told("voided")

    def rested(self) -> None:
        self.stage.run_ms(self.stage.timing_ms("rest_ms") + 50)
        self._same("turns counted", self.drum.turns, self.stage.told("rested").get("turns"))

    def called(self) -> None:
        self.key("key_no_more_bets")

    def uncovered(self) -> None:
        self.stage.move("cover", False)
        self._enter_numbers()

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

    def _enter_numbers(self) -> None:
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

    def _let_it_stop(self) -> None:
        self.drum.rattles_on = False
        while self._turn():
            pass

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
        self._same("the lamps", sorted(sic_bo.winners(sorted(self.thrown))), sorted(self.stage.lamps()))
        return Counter(games=1, turnover=staked, paid=back)

    def _same(self, what: str, expected: Any, seen: Any) -> None:
        if expected != seen:
            raise Wrong(f"{what}: expected {expected}, the board has {seen}")


@dataclass
class Outcome:
    rounds: int = 0
    wrong: list[str] = field(default_factory=list)
    plans: Counter[str] = field(default_factory=Counter)
    edges: int = 0


def run(
    rounds: int,
    seed: int = 1,
    port: str = PORT,
    first: int = 0,
    wear: Wear | None = None,
    save: Path | None = None,
) -> Outcome:
    """So many rounds; a wrong one is told with what replays it, and saved as a trace in the folder `save`."""
    outcome, meters = Outcome(), Counter[str]()
    with open_port(port, role="supervisor") as session:
        stage = Stage(session, random.Random(f"{seed}"), wear or Wear())
        for number in range(first, first + rounds):
            meters += _one(stage, seed, number, outcome, save)
            if number % PULL_EVERY == PULL_EVERY - 1:
                stage.pull()
        told = session.link.command("meters")
        if not outcome.wrong and {key: told[key] for key in meters} != dict(meters):
            outcome.wrong.append(f"the meters: expected {dict(meters)}, the board has {told}")
        outcome.edges = stage.edges_played
    return outcome


def _one(stage: Stage, seed: int, number: int, outcome: Outcome, save: Path | None) -> Counter[str]:
    dice = random.Random(f"{seed}/{number}")
    edition = stage.link.identity["edition"]
    known = [plan for plan in PLANS if not plan.cause or plan.cause in sic_bo.NO_SPIN[edition]]
    plan = dice.choices(known, [plan.weight for plan in known])[0]
    outcome.rounds += 1
    outcome.plans[plan.name] += 1
    stage.begin(dice)
    round_ = Round(stage, dice, plan, edition, stage.wear)
    try:
        round_.play()
        return round_.judge()
    except (Wrong, PitkitError) as error:
        outcome.wrong.append(f"--seed {seed} --first {number} ({plan.name}): {error}")
        if save:
            save.mkdir(parents=True, exist_ok=True)
            trace.write(save / f"round-{seed}-{number}.trace", stage.trace())
        stage.recover()
        return Counter()


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--rounds", type=int, default=100)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--first", type=int, default=0, help="number of the first round: a wrong one again")
    ask.add_argument("--port", default=PORT)
    ask.add_argument("--save", type=Path, help="a folder for the traces of wrong rounds")
    asked = ask.parse_args()
    outcome = run(asked.rounds, asked.seed, asked.port, asked.first, save=asked.save)
    for sentence in outcome.wrong:
        print(sentence)
    print(f"{outcome.rounds} rounds, {len(outcome.wrong)} wrong, {outcome.edges} edges; seed {asked.seed}")
    print(", ".join(f"{name} {count}" for name, count in outcome.plans.most_common()))
    return 1 if outcome.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
