"""A board's journal as a file: its lines, written whole, read back, any change named by its line.

    {"journal":2,"unique_id":…,"board":…,"config":…,"sector_bytes":4096,"page_bytes":256,"next_event":…}
    {"segment":1,"sector":0,"data":"base64 of the whole sector, its key blinded"}
    {"sha256":"of every byte before this line","lines":["the first half of each line's own", …]}

The segments are byte for byte what is on the flash; what they say is read with the board's own
code (firmware/journal). Whether it all holds is for journal_check.py to say.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.journal import records
from firmware.protocol import messages

from .errors import CannotRun
from .link import read_event

VERSION = 2
WRAP_MS = 1 << 32
CHANGED_LAST = "its last line was changed after it was pulled"


@dataclass
class Segment:
    number: int
    sector: int
    data: bytes


@dataclass
class JournalFile:
    header: dict[str, Any]
    segments: list[Segment]

    @property
    def page_bytes(self) -> int:
        return int(self.header["page_bytes"])

    @property
    def digest(self) -> str:
        return hashlib.sha256(b"".join(_lines(self))).hexdigest()


def _lines(journal: JournalFile) -> list[bytes]:
    rows = [journal.header]
    for segment in journal.segments:
        data = base64.b64encode(segment.data).decode()
        rows.append({"segment": segment.number, "sector": segment.sector, "data": data})
    return [json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in rows]


def write(path: Path, journal: JournalFile) -> None:
    """Whole or not at all, and on the disk when this returns: the board may drop what it holds."""
    lines = _lines(journal)
    half = path.with_name(path.name + ".part")
    try:
        with half.open("wb") as file:
            file.write(b"".join(lines) + _last_line(lines))
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
    except OSError as error:
        raise CannotRun(f"{path} cannot be written: {error.strerror}.") from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CannotRun(f"{path} cannot be read: {error.strerror}.") from error


def read(path: Path) -> JournalFile:
    """CannotRun where it is no journal file; a damaged one is for `damage` to name."""
    lines = _bytes(path).splitlines()
    try:
        header = json.loads(lines[0])
        if header["journal"] > VERSION:
            raise CannotRun(f"{path} was written by a newer pitkit (file version {header['journal']}).")
        if header["journal"] != VERSION or not _is_header(header):
            raise ValueError
        rows = [json.loads(line) for line in lines[1:-1]]
        segments = [
            Segment(r["segment"], r["sector"], base64.b64decode(r["data"], validate=True)) for r in rows
        ]
        return JournalFile(header, segments)
    except (ValueError, KeyError, TypeError, IndexError, binascii.Error) as error:
        raise CannotRun(f"{path} is no journal of version {VERSION}, or is damaged past reading.") from error


def _is_header(header: dict[str, Any]) -> bool:
    sizes = header["page_bytes"], header["sector_bytes"], header["next_event"]
    words = header["unique_id"], header["config"]
    whole = all(type(size) is int and size > 0 for size in sizes) and sizes[1] % sizes[0] == 0
    return whole and all(isinstance(word, str) for word in words)


def damage(path: Path) -> str | None:
    """Where the file is not as it was written, or None; CannotRun where it never was a journal."""
    whole = _bytes(path)
    body, _, last = whole.rstrip(b"\n").rpartition(b"\n")
    try:
        stored = json.loads(last)
        total, digests = str(stored["sha256"]), list(stored["lines"])
    except (ValueError, KeyError, TypeError):
        read(path)
        return "its last line is no digest: the file is cut short or changed there"
    body += b"\n"
    lines = body.splitlines(keepends=True)
    if whole == body + _last_line(lines):
        return None
    if hashlib.sha256(body).hexdigest() == total:
        return CHANGED_LAST
    return _changed_line(lines, digests)


def _last_line(lines: list[bytes]) -> bytes:
    digests = [hashlib.sha256(line).hexdigest()[:32] for line in lines]
    last = {"sha256": hashlib.sha256(b"".join(lines)).hexdigest(), "lines": digests}
    return json.dumps(last, separators=(",", ":")).encode() + b"\n"


def _changed_line(lines: list[bytes], digests: list[Any]) -> str:
    for number, (line, digest) in enumerate(zip(lines, digests, strict=False), 1):
        if hashlib.sha256(line).hexdigest()[:32] != digest:
            what = "its header" if number == 1 else f"the {number - 1}. segment in it"
            return f"line {number} ({what}) was changed after it was pulled"
    if len(lines) != len(digests):
        return f"it has {len(lines)} lines where {len(digests)} were pulled"
    return CHANGED_LAST


def walk(
    journal: JournalFile, segment: Segment
) -> Iterator[tuple[tuple[int, int, int, bytes], bytes, bytes]]:
    """(record, the bytes its mac is over, its mac) of every whole record."""
    size = journal.page_bytes
    for start in range(0, len(segment.data), size):
        page = segment.data[start : start + size]
        at = 0 if start else records.FIRST_RECORD
        while found := records.find(page, at):
            begin = found[1] - records.OVERHEAD - len(found[0][3])
            yield found[0], page[begin : found[1] - records.TAIL_BYTES], records.mac_before(page, found[1])
            at = found[1]


def events(journal: JournalFile) -> Iterator[dict[str, Any]]:
    """Every event with its start (`boot`), and UTC and how it was known, where it was (else None)."""
    start: list[dict[str, Any]] = []
    for event in _undated(journal):
        if event["event"] == "boot":
            # a segment that the start itself began has what every segment begins with before the boot record
            own: list[dict[str, Any]] = []
            while start and start[-1]["event"] in ("meters", "voids"):
                own.insert(0, start.pop())
            yield from _dated(start)
            start = own
        start.append(event)
    yield from _dated(start)


def _undated(journal: JournalFile) -> Iterator[dict[str, Any]]:
    for segment in journal.segments:
        for (seq, at_ms, type_, payload), _, _ in walk(journal, segment):
            at = messages.pack((("at_ms", "u"),), {"at_ms": at_ms})
            yield read_event(seq, type_, at + payload)


def _unwrap(start: list[dict[str, Any]]) -> None:
    """A record's milliseconds go back to 0 after 49.7 days; within one start, time goes on."""
    ahead = before = 0
    for event in start:
        at_ms = event["at_ms"]
        if at_ms < before - WRAP_MS // 2:
            ahead += WRAP_MS
        before, event["at_ms"] = at_ms, at_ms + ahead


def _dated(start: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The events of one start: by the clock record before each, the first ones by the one after them."""
    _unwrap(start)
    clocks = [event for event in start if event["event"] == "clock"]
    boot = next((event["count"] for event in start if event["event"] == "boot"), None)
    clock = clocks[0] if clocks else None
    for event in start:
        if event["event"] == "clock":
            clock = event
        utc_ms = None if clock is None else event["at_ms"] + clock["utc_ms"] - clock["at_ms"]
        known = {"utc_ms": utc_ms, "utc_how": clock["how"] if clock else None}
        yield event | {"boot": boot} | known
