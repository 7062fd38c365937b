"""Recorded draws: as lines of JSON, replayed and checked; the replay is the board's own code.

A line is what `pitkit draw --json` writes. It holds all that went into the draw, so whoever has it can
say whether the numbers are what the commitment, the tickets and the host's nonce give. Nothing is
repaired or overlooked: a line that is not exactly in order is a difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from firmware.rng import verifiable

from . import journal_file
from .errors import CannotRun

HEX_FIELDS = ("seed", "pool", "nonce", "last", "digest")
MOST_NUMBER = 255


class Record(msgspec.Struct, forbid_unknown_fields=True):
    """What the board's record of a draw says, bytes in hexadecimal digits."""

    board: str
    of: int
    seed: str
    pool: str
    nonce: str
    last: str
    digest: str


class Draw(msgspec.Struct, forbid_unknown_fields=True):
    game_number: int
    numbers: list[int]
    commitment: str
    record: Record


@dataclass
class Verdict:
    """`problem` is None where every draw is what its record gives."""

    draws: int = 0
    numbers: int = 0
    first: int | None = None
    last: int | None = None
    unopened: int = 0  # commitments that were never opened
    problem: str | None = None


def line(board: str, commitment: bytes, drawn: dict[str, Any]) -> dict[str, Any]:
    """A draw as it is written: the fields of the board's answer, readable."""
    record = {"board": board, "of": drawn["of"], **{name: drawn[name].hex() for name in HEX_FIELDS}}
    return {
        "game_number": drawn["round"],
        "numbers": list(drawn["numbers"]),
        "commitment": commitment.hex(),
        "record": record,
    }


def difference(draw: Draw) -> str | None:
    """Where this draw is not what its record gives, or None."""
    record = draw.record
    parts = {"commitment": draw.commitment} | {name: getattr(record, name) for name in HEX_FIELDS}
    values: dict[str, bytes] = {}
    for name, text in parts.items():
        try:
            values[name] = bytes.fromhex(text)
        except ValueError:
            return f"{name} is not hexadecimal"
        if values[name].hex() != text or len(text) != 64:
            return f"{name} is not 32 bytes in small hexadecimal digits"
    size = len(draw.numbers)
    if not (0 < size <= record.of <= MOST_NUMBER and 0 < draw.game_number < 1 << 64):
        return "its counts are out of bounds"
    return _replayed(draw, values, size)


def _replayed(draw: Draw, values: dict[str, bytes], size: int) -> str | None:
    game, of, board = draw.game_number, draw.record.of, draw.record.board
    seed, pool, nonce = values["seed"], values["pool"], values["nonce"]
    if len(board.encode()) > MOST_NUMBER or verifiable.commitment(board, game, seed) != values["commitment"]:
        return "the seed is not the one that was committed to"
    numbers = verifiable.numbers(seed, game, pool, nonce, size, of)
    if numbers != draw.numbers:
        at = next(index for index in range(size) if numbers[index] != draw.numbers[index])
        return f"number {at + 1} is {draw.numbers[at]}, the replay gives {numbers[at]}"
    if verifiable.digest(board, game, of, seed, pool, nonce, numbers, values["last"]) != values["digest"]:
        return "its digest is not that of the record"
    return None


class Chain:
    """Draws one after the other: each good in itself, and behind the one before."""

    def __init__(self) -> None:
        self.verdict = Verdict()
        self._digest = ""
        self._board: str | None = None
        self._seen: set[str] = set()

    def add(self, draw: Draw) -> str | None:
        problem = difference(draw) or self._out_of_place(draw)
        if problem is None:
            self._take(draw)
        return problem

    def _out_of_place(self, draw: Draw) -> str | None:
        if self._board is None:
            return None
        if draw.record.board != self._board:
            return f"it is of board {draw.record.board}, those before are of {self._board}"
        if draw.game_number <= (self.verdict.last or 0):
            return f"game {draw.game_number} comes after game {self.verdict.last}"
        if draw.record.last != self._digest:
            return f"it does not follow the record of game {self.verdict.last}"
        if draw.record.seed in self._seen:
            return "the seed was used before"
        return "the commitment was used before" if draw.commitment in self._seen else None

    def _take(self, draw: Draw) -> None:
        verdict = self.verdict
        if verdict.last is None:
            verdict.first = draw.game_number
        else:
            verdict.unopened += draw.game_number - verdict.last - 1
        verdict.last = draw.game_number
        verdict.draws += 1
        verdict.numbers += len(draw.numbers)
        self._digest, self._board = draw.record.digest, draw.record.board
        self._seen |= {draw.commitment, draw.record.seed}


_decoder = msgspec.json.Decoder(Draw)


def verify_lines(lines: Iterable[bytes]) -> Verdict:
    """Line by line, to the first difference."""
    chain = Chain()
    for number, text in enumerate(lines, 1):
        try:
            problem = chain.add(_decoder.decode(text))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            problem = f"it is no record of a draw ({error})"
        if problem:
            chain.verdict.problem = f"line {number}: {problem}"
            break
    return chain.verdict


def verify(path: Path) -> Verdict:
    """A file of `pitkit draw --json`, or a journal that was pulled from a board."""
    data = path.read_bytes()
    if not data.strip():
        raise CannotRun(f"{path} is empty.")
    lines = data.removesuffix(b"\n").split(b"\n")
    if b'"game_number"' not in data and b'"record"' not in data:
        return verify_journal(path)
    return verify_lines(lines)


# -- a journal


def verify_journal(path: Path) -> Verdict:
    """Each draw against the commitment and the close that are on record before it."""
    journal = journal_file.read(path)
    changed = journal_file.damage(path)
    if changed:
        return Verdict(problem=changed)
    chain = Chain()
    board, games = str(journal.header["unique_id"]), list(_games(journal))
    for events in games:
        if "drawn" in events:
            problem = _unlike(events) or chain.add(_of_journal(board, events))
            if problem:
                chain.verdict.problem = f"game {events['drawn']['round']}: {problem}"
                return chain.verdict
    chain.verdict.unopened = sum("drawn" not in events for events in games)
    if not games:
        raise CannotRun(f"{path} holds no draw.")
    return chain.verdict


def _games(journal: journal_file.JournalFile) -> Iterator[dict[str, dict[str, Any]]]:
    """The events of each game that has a commitment."""
    events: dict[str, dict[str, Any]] = {}
    for event in journal_file.events(journal):
        if event["event"] == "committed":
            if events:
                yield events
            events = {}
        if event["event"] in ("committed", "closed", "drawn") and (events or event["event"] == "committed"):
            events[event["event"]] = event
    if events:
        yield events


def _unlike(events: dict[str, dict[str, Any]]) -> str | None:
    """The close must be there, between the two, and say what the draw says."""
    if [*events] != ["committed", "closed", "drawn"] or len({e["round"] for e in events.values()}) != 1:
        return "commitment, close and draw do not follow one another"
    closed, drawn = events["closed"], events["drawn"]
    if any(closed[name] != drawn[name] for name in ("pool", "nonce")):
        return "tickets or nonce are not those of the close"
    return None


def _of_journal(board: str, events: dict[str, dict[str, Any]]) -> Draw:
    return msgspec.convert(line(board, events["committed"]["commitment"], events["drawn"]), Draw)
