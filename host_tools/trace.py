"""Sensor traces: JSON lines, a header and then edges in time; read, checked, written, played.

    {"trace":1,"table":"sic_bo","edition":"act1999","geometry":{}}
    {"t_us":0,"pin":"key_open","level":0}

Times count from the trace's start. Playing is the fixture's work: the edges happen at the
pins of a simulated or emulated board at their exact board time, and what the board makes of
them is read from its events.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import CannotRun, NoBoard, PitkitError
from .fixture import Fixture
from .link import Link
from .ports import Session

VERSION = 1
LEAD_US = 100_000  # between scheduling and the first edge: board time runs on while we speak
STEP_US = 1_000_000
AFTER_S = 60  # board time the board has, after the last edge, to come to a decision
DECISIONS = ("result", "voided")
EVIDENCE = ("rested",)  # events that say what the devices saw


@dataclass
class Trace:
    table: str
    edition: str
    edges: list[tuple[int, str, int]]
    geometry: dict[str, Any] = field(default_factory=dict)

    @property
    def last_us(self) -> int:
        return self.edges[-1][0] if self.edges else 0


def read(path: Path) -> Trace:
    """The trace in this file, or CannotRun with the line that is wrong."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CannotRun(f"{path} cannot be read: {error}.") from error
    head = _object(path, 1, lines[0] if lines else "")
    if head.get("trace") != VERSION:
        raise CannotRun(f'{path}: line 1 is no header of a trace ({{"trace":{VERSION},"table":…}}).')
    table, edition, geometry = head.get("table"), head.get("edition", ""), head.get("geometry", {})
    if not isinstance(table, str) or not isinstance(edition, str) or not isinstance(geometry, dict):
        raise CannotRun(f"{path}: line 1 names a table, an edition and a geometry.")
    rows = [(n, line) for n, line in enumerate(lines[1:], 2) if line.strip()]
    trace = Trace(table, edition, [_edge(path, n, line) for n, line in rows], geometry)
    _in_order(path, rows, trace.edges)
    return trace


def _object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise CannotRun(f"{path}: line {number} is no JSON object.")
    return found


def _edge(path: Path, number: int, line: str) -> tuple[int, str, int]:
    row = _object(path, number, line)
    t_us, pin, level = row.get("t_us"), row.get("pin"), row.get("level")
    if type(t_us) is not int or t_us < 0 or not isinstance(pin, str) or type(level) is not int:
        raise CannotRun(f"{path}: line {number} needs t_us (whole, not negative), pin and level.")
    if level not in (0, 1):
        raise CannotRun(f"{path}: line {number}: a level is 0 or 1.")
    return t_us, pin, level


def _in_order(path: Path, rows: list[tuple[int, str]], edges: list[tuple[int, str, int]]) -> None:
    for (number, _), before, after in zip(rows[1:], edges, edges[1:], strict=False):
        if after[0] < before[0]:
            raise CannotRun(f"{path}: line {number} is earlier than the one before it.")


def header(table: str, edition: str, geometry: dict[str, Any]) -> dict[str, Any]:
    return {"trace": VERSION, "table": table, "edition": edition, "geometry": geometry}


def write(path: Path, trace: Trace) -> None:
    head = header(trace.table, trace.edition, trace.geometry)
    rows: Iterable[dict[str, Any]] = (
        {"t_us": t, "pin": pin, "level": level} for t, pin, level in trace.edges
    )
    text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in (head, *rows))
    path.write_text(text, encoding="utf-8")


def play(session: Session, trace: Trace) -> dict[str, Any]:
    """What the board made of it: the shape `pitkit trace play --json` answers."""
    if session.fixture is None:
        raise CannotRun("a trace is played on a simulated or emulated board (sim:, emu:).")
    _fits(session, trace)
    session.link.follow()
    start_us = _schedule(session.fixture, trace)
    end_us = start_us + trace.last_us
    events: list[dict[str, Any]] = []
    while (now_us := session.fixture.now()) < end_us + AFTER_S * STEP_US:
        session.fixture.run(STEP_US)
        events += _told(session.link)
        if now_us > end_us and any(event["event"] in DECISIONS for event in events):
            break
    return _answer(events)


def _schedule(fixture: Fixture, trace: Trace) -> int:
    """When, in board time, the trace starts."""
    start_us = fixture.now() + LEAD_US
    try:
        fixture.schedule([(start_us + t_us, pin, level) for t_us, pin, level in trace.edges])
    except NoBoard:
        raise
    except PitkitError as error:
        raise CannotRun(f"the trace does not fit the board: {error}") from error
    return start_us


def _fits(session: Session, trace: Trace) -> None:
    identity = session.link.identity
    held = identity["table"], identity["edition"]
    if trace.table != held[0] or trace.edition not in ("", held[1]):
        asked = f"{trace.table}@{trace.edition}" if trace.edition else trace.table
        raise CannotRun(f"the trace is of {asked}, the board is set up as {held[0]}@{held[1]}.")


def _told(link: Link) -> list[dict[str, Any]]:
    """Every event the board has written by now."""
    last = link.identify()["next_event"] - 1
    found: list[dict[str, Any]] = []
    while link.next_event is not None and link.next_event <= last:
        found += link.events(0.2)
    return found + list(link.events(0))  # and those that came with other answers


def _answer(events: list[dict[str, Any]]) -> dict[str, Any]:
    decided = [event for event in events if event["event"] in DECISIONS]
    seen = [event for event in events if event["event"] in EVIDENCE]
    last = decided[-1] if decided else {}
    skip = ("event", "seq", "at_ms", "round")
    return {
        "result": last.get("dice"),
        "no_spin": last.get("cause"),
        "rule": last.get("rule"),
        "call": last.get("call"),
        "evidence": {k: v for event in seen for k, v in event.items() if k not in skip},
    }
