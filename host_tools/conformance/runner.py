"""Runs cases on a board, one after another, each from the same known state.

A case that goes wrong fails with its line, what was expected and what was seen; the next one
is run all the same. Only a board that is gone ends the run, and what was found out is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from host_tools import __version__
from host_tools.conformance import sic_bo_expectations
from host_tools.conformance.bench import Bench
from host_tools.conformance.case_file import Case
from host_tools.conformance.patterns import Failed, Step, Table
from host_tools.conformance.play import Play
from host_tools.errors import CannotRun, NoBoard, PitkitError
from host_tools.ports import Session

TABLES: dict[str, Table] = {"sic_bo": sic_bo_expectations.TABLE}
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@dataclass(frozen=True)
class Outcome:
    case: Case
    edition: str
    status: str
    detail: str = ""
    line: int = 0  # of the step that failed, in the case's file
    expected: str = ""
    seen: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Run:
    """What was run, on what, and what came of it."""

    port: str
    identity: dict[str, Any]
    outcomes: list[Outcome]
    started: datetime
    seconds: float
    lost: str = ""  # why the run ended early, where it did
    tool: str = __version__
    editions: tuple[str, ...] = ()  # that the board was set up as

    @property
    def table(self) -> str:
        return f"{self.identity['table']}@{'+'.join(self.editions)}"

    def count(self, status: str) -> int:
        return sum(outcome.status == status for outcome in self.outcomes)


Tell = Callable[[Outcome], None]


def run(session: Session, cases: Sequence[Case], tell: Tell, editions: Sequence[str] = ()) -> Run:
    """The cases of these editions, the board set up as each in turn; by default as it is set up."""
    identity = dict(session.link.identity)
    table = TABLES.get(identity["table"])
    if table is None:
        raise CannotRun(f"there are no conformance cases for the table {identity['table'] or 'of no game'}.")
    steps = {case.id: table.steps_of(case) for case in cases}  # a step nobody knows stops it before it starts
    return _Runner(session, identity, tell).run(cases, steps, tuple(editions) or (identity["edition"],))


class _Runner:
    def __init__(self, session: Session, identity: dict[str, Any], tell: Tell) -> None:
        self.session = session
        self.identity = identity
        self.tell = tell
        self.bench = Bench(session, session.fixture) if session.fixture else None
        self.lost = ""

    def run(self, cases: Sequence[Case], steps: dict[str, list[Step]], editions: tuple[str, ...]) -> Run:
        started, clock = datetime.now(UTC), time.monotonic()
        outcomes = []
        for case, edition in _in_turn(cases, editions):
            outcome = self._skip(case, edition, editions) or self._run_case(case, edition, steps[case.id])
            outcomes.append(outcome)
            self.tell(outcome)
        if self.bench and not self.lost:
            self._leave_as_found()
        seconds = time.monotonic() - clock
        return Run(self.session.name, self.identity, outcomes, started, seconds, self.lost, editions=editions)

    def _skip(self, case: Case, edition: str, editions: tuple[str, ...]) -> Outcome | None:
        reason = ""
        if self.lost:
            reason = "the board was lost before it"
        elif not edition:
            reason = f"the board runs {', '.join(editions)}"
        elif self.bench is None:
            reason = "this board has no fixture: nothing can move its pins"
        return Outcome(case, edition or ", ".join(case.editions), SKIPPED, reason) if reason else None

    def _run_case(self, case: Case, edition: str, steps: list[Step]) -> Outcome:
        clock = time.monotonic()
        line, problem = self._play(edition, steps)
        seconds = time.monotonic() - clock
        if problem is None:
            return Outcome(case, edition, PASSED, seconds=seconds)
        text = next((step.line.text for step in steps if step.line.number == line), "before the first step")
        detail = f"line {line}, {text}: {problem}" if line else f"{text}: {problem}"
        expected, seen = (
            (problem.expected, problem.seen) if isinstance(problem, Failed) else ("", str(problem))
        )
        return Outcome(case, edition, FAILED, detail, line, expected, seen, seconds)

    def _play(self, edition: str, steps: list[Step]) -> tuple[int, Failed | PitkitError | None]:
        """(the line it stopped at, what was wrong)."""
        assert self.bench
        line = 0
        try:
            self.bench.reset(edition)
            play = Play(self.bench)
            for step in steps:
                line = step.line.number
                step.act(play, **step.arguments)
            play.end()
        except NoBoard as problem:
            self._look_after(problem)
            return line, problem
        except (Failed, PitkitError) as problem:
            return line, problem
        return line, None

    def _look_after(self, problem: NoBoard) -> None:
        """Whether the next case still has a board: one that restarted has."""
        try:
            self.session.reconnect()
        except PitkitError:
            self.lost = str(problem)

    def _leave_as_found(self) -> None:
        assert self.bench
        try:
            self.bench.leave()
        except PitkitError as problem:
            self.lost = str(problem)


def _in_turn(cases: Sequence[Case], editions: tuple[str, ...]) -> list[tuple[Case, str]]:
    """Edition by edition; a case of none of them stands among those of the first, without one."""
    first = [
        (case, editions[0] if editions[0] in case.editions else "")
        for case in cases
        if editions[0] in case.editions or not set(case.editions) & set(editions)
    ]
    return first + [(case, edition) for edition in editions[1:] for case in cases if edition in case.editions]
