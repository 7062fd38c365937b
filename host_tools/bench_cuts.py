"""Power cuts for `make bench`: at every flash operation on the unix port, at random on the emulated chip."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
from collections import Counter
from pathlib import Path

from rules_min import sic_bo

from . import link as links
from . import micropython
from .conformance import tumbler
from .conformance.bench import Bench
from .errors import CannotRun, PitkitError
from .fixture import Fixture
from .ports import Session, open_port

ROOT = Path(__file__).resolve().parent.parent
BYTES = (0, 1, 128, 255)
OPERATIONS = 18  # flash operations of one round of this script, corrected
CORRECTED = 0.3  # so many of the rounds have their result taken back and entered anew (qld s78(5))
SPACE = 1_000_000  # refs of the host's wagers, so that none comes twice


def on_unix(rounds: int) -> Counter[str]:
    """tests/cuts.py under MicroPython: tried, lost, doubled, dead."""
    script = ROOT / "tests" / "cuts.py"
    if not script.exists():
        raise CannotRun("the power cuts are in the checkout's tests: run make bench there.")
    command = [str(micropython.find()), "-X", "heapsize=32M", str(script), str(ROOT), "1", str(rounds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PitkitError(f"the cuts did not run: {done.stderr.strip().splitlines()[-1]}.")
    return Counter(json.loads(done.stdout))


class ChipTrial:
    """One emulated board through many cuts; what it told the host before each must be on its record."""

    def __init__(self, session: Session, seed: int) -> None:
        assert session.fixture
        self.session = session
        self.fixture: Fixture = session.fixture
        self.dice = random.Random(seed)
        self.taken: Counter[int] = Counter()  # round: cents the board said it took
        self.decided: dict[tuple[int, int], int] = {}  # (round, revision): cents the board said go back
        self.ref = self.dice.randrange(SPACE)

    def cut_once(self) -> None:
        self.end_what_was_cleared()
        self.fixture.cut_at(
            self.dice.randint(1, OPERATIONS), self.dice.choice(BYTES), self.dice.randrange(SPACE)
        )
        with contextlib.suppress(PitkitError):  # the power goes, and the link with it
            self._round()
        with contextlib.suppress(PitkitError):  # it is gone already
            self.fixture.cut()
        self.fixture.power()
        self.session.reconnect()

    def end_what_was_cleared(self) -> None:
        """A cut between a result taken back and the one entered anew leaves the numbers to be entered."""
        if self.session.link.command("status")["betting"] == "called":
            bench = Bench(self.session, self.fixture)
            for key in ("key5", "key5", "key6", "key_entry"):
                bench.press(key)

    def _round(self) -> None:
        bench = Bench(self.session, self.fixture)
        bench.move("cover", True)
        number = int(bench.link.command("open")["round"])
        for _ in range(2):
            self.ref += 1
            code = self.dice.choice(sic_bo.AREAS)
            bench.link.command("wager", ref=self.ref, code=code, stake=100, player="")
            self.taken[number] += 100
        bench.link.command("activate")
        tumbler.turn_until_the_motor_stops(bench)
        bench.run_ms(1000)
        bench.link.command("no_more_bets")
        bench.move("cover", False)
        for key in ("key3", "key3", "key4", "key_entry"):
            bench.press(key)
        self._decided(bench)
        if self.dice.random() < CORRECTED:
            for key in ("key_entry", "key5", "key5", "key6", "key_entry"):
                bench.press(key)
            self._decided(bench)

    def _decided(self, bench: Bench) -> None:
        """What the board says of the round, if it says a result."""
        status = bench.link.command("status")
        if status["device"] == "result":
            paid = [bench.link.command("payout", ref=self.ref - back)["returned"] for back in (0, 1)]
            self.decided[int(status["round"]), int(status["revision"])] = sum(paid)

    def audit(self) -> Counter[str]:
        ends: dict[tuple[int, int], list[int]] = {}  # (round, revision): cents that go back
        stakes: Counter[int] = Counter()
        link = self.session.link
        link.follow(0)
        for event in link.events(2.0):
            if event["event"] in ("settled", "voided"):
                ends.setdefault((event["round"], event["revision"]), []).append(event["returned"])
            elif event["event"] == "wager":
                stakes[event["round"]] += event["stake"]
        lost = sum(ends.get(end, [None])[-1] != cents for end, cents in self.decided.items())
        lost += sum(stakes[number] < cents for number, cents in self.taken.items())
        over = {number for number, _ in ends}
        lost += sum(number not in over for number in stakes)
        return Counter(lost=lost, doubled=sum(len(end) != 1 for end in ends.values()))


def on_a_board(port: str, cuts: int, seed: int = 1) -> Counter[str]:
    """Random cuts on an emulated or simulated board: tried, lost, doubled."""
    patience = links.ANSWER_S, links.IDENTIFY_S
    links.ANSWER_S, links.IDENTIFY_S = 2.0, 1.0  # a board without power is not waited for
    try:
        return _trial(port, cuts, seed)
    finally:
        links.ANSWER_S, links.IDENTIFY_S = patience


def _trial(port: str, cuts: int, seed: int) -> Counter[str]:
    totals: Counter[str] = Counter()
    with open_port(port, role="inspector") as session:
        trial = ChipTrial(session, seed)
        for _ in range(cuts):
            trial.cut_once()
            totals["tried"] += 1
        trial.end_what_was_cleared()
        return totals + trial.audit()
