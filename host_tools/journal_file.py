"""A board's journal as a file: pulled byte for byte, read, checked.

    {"journal":1,"unique_id":…,"board":…,"sector_bytes":4096,"page_bytes":256,"next_event":…}
    {"segment":1,"sector":0,"data":"base64 of the whole sector, its key blinded"}
    {"sha256":"of every byte before this line"}

The checks are the board's own code (firmware/journal): crc of every record, numbers without a
gap, and, where the chain's first key is known, every link of the chain.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.journal import chain, records
from firmware.protocol import messages

from .errors import CannotRun
from .link import Link, read_event

VERSION = 1
Pads = tuple[bytes, bytes]  # of a segment's key


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


@dataclass
class Verdict:
    """What the check found: how much is there, what was proven, the first thing wrong."""

    segments: int = 0
    records: int = 0
    first: int | None = None
    last: int | None = None
    chain: bool = False  # every link was checked with the board's key
    problem: str | None = None


def pull(link: Link, progress: Callable[[int, int], None] = lambda done, total: None) -> JournalFile:
    """The ring as it is on the flash; segments the board drops meanwhile are not missed."""
    identity = link.identify()
    names = ("unique_id", "board", "table", "edition", "firmware", "rules_hash", "config_hash", "next_event")
    header = {"journal": VERSION, **{name: identity[name] for name in names}}
    header |= {"sector_bytes": 4096, "page_bytes": 256}
    segments: list[Segment] = []
    total = link.command("segment", index=0)["segments"]
    for index in range(total):
        found = link.command("segment", index=index)
        data = _sector(link, found["sector"], header["sector_bytes"])
        segments.append(Segment(found["number"], found["sector"], data))
        progress(index + 1, total)
    return JournalFile(header, segments)


def _sector(link: Link, sector: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        data += link.command("journal_read", sector=sector, offset=len(data))["part"]
        if _rest_is_blank(data):
            return bytes(data.ljust(size, b"\xff"))
    return bytes(data)


def _rest_is_blank(data: bytes) -> bool:
    """Two blank pages in a row: nothing is written behind them, a page is filled before the next."""
    return len(data) >= 768 and data[-512:] == b"\xff" * 512


def write(path: Path, journal: JournalFile) -> None:
    """Whole or not at all."""
    lines = [journal.header]
    for segment in journal.segments:
        data = base64.b64encode(segment.data).decode()
        lines.append({"segment": segment.number, "sector": segment.sector, "data": data})
    body = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()
    digest = json.dumps({"sha256": hashlib.sha256(body).hexdigest()}, separators=(",", ":"))
    half = path.with_name(path.name + ".part")
    half.write_bytes(body + digest.encode() + b"\n")
    half.replace(path)


def read(path: Path) -> JournalFile:
    """CannotRun where it is no journal file; a damaged one is for `damage` to name."""
    try:
        lines = path.read_bytes().splitlines()
        header = json.loads(lines[0])
        if header["journal"] != VERSION or not isinstance(header["page_bytes"], int):
            raise ValueError
        rows = [json.loads(line) for line in lines[1:-1]]
        segments = [Segment(r["segment"], r["sector"], base64.b64decode(r["data"])) for r in rows]
        return JournalFile(header, segments)
    except OSError as error:
        raise CannotRun(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, IndexError, binascii.Error) as error:
        raise CannotRun(f"{path} is no journal of version {VERSION}, or is damaged past reading.") from error


def damage(path: Path) -> str | None:
    """What says that the file is not as it was written, or None."""
    whole = path.read_bytes()
    body, _, last = whole.rstrip(b"\n").rpartition(b"\n")
    try:
        stored = json.loads(last)["sha256"]
    except (ValueError, KeyError, TypeError):
        return "its last line is no digest: the file is cut short or changed"
    if hashlib.sha256(body + b"\n").hexdigest() != stored or not whole.endswith(last + b"\n"):
        return "its digest does not fit: the file was changed after it was pulled"
    return None


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
    """Every event, dated where the board's clock was set in that start (`utc_ms`, else None)."""
    start: list[dict[str, Any]] = []
    for event in _undated(journal):
        if event["event"] == "boot":
            # a segment that the start itself began has its meters before the boot record
            own = [start.pop()] if start and start[-1]["event"] == "meters" else []
            yield from _dated(start)
            start = own
        start.append(event)
    yield from _dated(start)


def _undated(journal: JournalFile) -> Iterator[dict[str, Any]]:
    for segment in journal.segments:
        for (seq, at_ms, type_, payload), _, _ in walk(journal, segment):
            at = messages.pack((("at_ms", "u"),), {"at_ms": at_ms})
            yield read_event(seq, type_, at + payload)


def _dated(start: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The events of one start: by the clock record before each, the first ones by the one after them."""
    clocks = [event["utc_ms"] - event["at_ms"] for event in start if event["event"] == "clock"]
    ahead_ms = clocks[0] if clocks else None
    for event in start:
        if event["event"] == "clock":
            ahead_ms = event["utc_ms"] - event["at_ms"]
        yield event | {"utc_ms": None if ahead_ms is None else event["at_ms"] + ahead_ms}


def verify(journal: JournalFile, first_key: bytes | None) -> Verdict:
    """Checks it all; stops at the first thing wrong, which it names."""
    verdict = Verdict(chain=first_key is not None)
    last_mac: bytes | None = None
    for segment in journal.segments:
        key = chain.pads(chain.key_of(first_key, segment.number)) if first_key else None
        last_mac = _check_header(journal, segment, verdict, key, last_mac)
        if verdict.problem is None:
            last_mac = _check_records(journal, segment, verdict, key, last_mac)
        if verdict.problem is not None:
            return verdict
    missing = journal.header["next_event"] - 1 - (verdict.last or 0)
    if missing:
        verdict.problem = f"the last {missing} records the board had when it was pulled are not there"
    return verdict


def _check_header(
    journal: JournalFile, segment: Segment, verdict: Verdict, key: Pads | None, last: bytes | None
) -> bytes:
    header = records.unpack_header(segment.data[: journal.page_bytes])
    where = f"segment {segment.number}"
    verdict.segments += 1
    if header is None or header[0] != segment.number:
        verdict.problem = f"{where}: its header is spoilt"
        return b""
    if verdict.last is not None and header[1] != verdict.last + 1:
        verdict.problem = (
            f"{where} begins with record {header[1]}, but record {verdict.last} was the last before it"
        )
    elif last is not None and header[5] != last:
        verdict.problem = f"{where} does not follow from the one before it"
    elif key is not None and header[6] != _header_mac(segment, key, header[5]):
        verdict.problem = f"{where}: its header was not written by this board"
    return bytes(header[6])


def _header_mac(segment: Segment, key: Pads, last: bytes) -> bytes:
    return bytes(chain.mac(key, last, segment.data[: records.HEADER_CONTENT_BYTES]))


def _check_records(
    journal: JournalFile, segment: Segment, verdict: Verdict, key: Pads | None, last: bytes | None
) -> bytes | None:
    expected = records.unpack_header(segment.data[: journal.page_bytes])[1]
    for (seq, *_), content, mac in walk(journal, segment):
        if seq != expected:
            verdict.problem = f"record {expected} is missing or spoilt (segment {segment.number})"
            return None
        if key is not None and mac != chain.mac(key, last, content):
            verdict.problem = (
                f"record {seq} was not written by this board, or not here (segment {segment.number})"
            )
            return None
        verdict.records += 1
        verdict.first = seq if verdict.first is None else verdict.first
        verdict.last, expected, last = seq, seq + 1, mac
    return last
