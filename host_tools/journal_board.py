"""The journal between a board and the host: pulled, marked as pulled, recalled, carried to another board.

What a file has already is not fetched again, so a pull that broke off goes on where it was, and a
file grows older than the board's own memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from firmware import faults
from firmware.access import RECORD
from firmware.journal import records
from firmware.journal.meters import ADOPTING, RETIRED, TEST, TEST_ROUND, Meters
from firmware.protocol import messages
from firmware.swap import CARRIED

from . import bulk, config_file, journal_check, journal_file
from .errors import BoardFault, CannotRun, NoBoard, PitkitError, Refused
from .journal_file import VERSION, JournalFile, Segment
from .link import Link, read_event

IDENTITY = ("unique_id", "board", "table", "edition", "firmware", "rules_hash", "config_hash", "next_event")
NUMBER = messages.numbers(messages.EVENTS)
READS = 5
BLANK = 0xFF
Progress = Callable[[int, int], None]


def pull(link: Link, path: Path, progress: Progress = lambda done, total: None) -> JournalFile:
    """The board's journal into the file, beside what the file has of it already."""
    identity = link.identify()
    header = {"journal": VERSION, **{name: identity[name] for name in IDENTITY}}
    header |= {"sector_bytes": 4096, "page_bytes": 256, "config": link.read_config().decode()}
    if identity["fault"] == faults.JOURNAL_NEWER:
        raise BoardFault(faults.words(faults.JOURNAL_NEWER) + ".")
    kept = _kept(path, identity["unique_id"])
    total = link.command("segment", index=0)["segments"] if identity["next_event"] > 1 else 0
    fetched: list[Segment] = []
    try:
        for index in range(total):
            found = link.command("segment", index=index)
            before = kept.get(found["number"])
            if before is None or found["number"] == max(kept) or index + 1 == total:
                segment = _segment(link, found, header["sector_bytes"])
                if segment is not None:
                    _check_grown(path, before, segment)
                    fetched.append(segment)
            progress(index + 1, total)
    except NoBoard as error:
        _keep_what_came(path, header, kept, fetched)
        raise NoBoard(
            f"the pull broke off with {len(fetched)} of {total} segments ({error}) "
            "What came is kept: pull again into the same file."
        ) from error
    journal = _joined(header, kept, fetched)
    journal_file.write(path, journal)
    return journal


def _kept(path: Path, unique_id: str) -> dict[int, Segment]:
    """The segments of an earlier pull of this board; the newest one may have grown since."""
    if not path.exists():
        return {}
    journal = journal_file.read(path)
    if journal.header["unique_id"] != unique_id:
        raise CannotRun(f"{path} is the journal of board {journal.header['unique_id']}: name another file.")
    if journal_file.damage(path):
        raise CannotRun(f"{path} is damaged (pitkit journal verify says where): pull into another file.")
    return {segment.number: segment for segment in journal.segments}


def _keep_what_came(
    path: Path, header: dict[str, Any], kept: dict[int, Segment], fetched: list[Segment]
) -> None:
    if fetched:
        journal = _joined(header, kept, fetched)
        found = journal_check.verify(journal, None)
        journal.header["next_event"] = (found.last or 0) + 1  # as far as this file goes
        journal_file.write(path, journal)


def _joined(header: dict[str, Any], kept: dict[int, Segment], fetched: list[Segment]) -> JournalFile:
    segments = kept | {segment.number: segment for segment in fetched}
    return JournalFile(header, [segments[number] for number in sorted(segments)])


def _segment(link: Link, found: dict[str, Any], size: int) -> Segment | None:
    """As it is on the flash; None where the board dropped it meanwhile.

    A table that plays may write into it between two reads, so that a page comes half old and half
    new: what is not plainly whole is read again until it reads the same twice.
    """
    before = b""
    for _ in range(READS):
        segment = Segment(found["number"], found["sector"], _sector(link, found["sector"], size))
        if link.command("segment", index=0)["number"] > found["number"]:
            return None
        if journal_check.is_settled(segment) or segment.data == before:
            break
        before = segment.data
    return segment


def _check_grown(path: Path, before: Segment | None, now: Segment) -> None:
    """What an earlier pull has of this segment must stand in it still: flash forgets nothing by itself."""
    if before is None:
        return
    written = max((at for at, byte in enumerate(before.data) if byte != BLANK), default=0) + 1
    if now.data[:written] != before.data[:written]:
        raise PitkitError(
            f"the board's segment {now.number} no longer reads as it did at the last pull. "
            f"{path} is left as it was: pull into another file, and compare."
        )


def _sector(link: Link, sector: int, size: int) -> bytes:
    if link.identity["minor"] >= 1:
        return bulk.get(link, f"journal/{sector}")
    data = b""
    while len(data) < size:
        data += link.command("journal_read", sector=sector, offset=len(data))["part"]
        if _rest_is_blank(data):
            return bytes(data.ljust(size, b"\xff"))
    return bytes(data)


def _rest_is_blank(data: bytes) -> bool:
    """Two blank pages in a row: nothing is written behind them, a page is filled before the next."""
    return len(data) >= 768 and data[-512:] == b"\xff" * 512


def mark_pulled(link: Link, journal: JournalFile) -> None:
    """The board may drop what this file has, once it needs the room."""
    if not journal.segments:
        return
    numbers = [record[0] for record, _, _ in journal_file.walk(journal, journal.segments[-1])]
    if numbers:  # one in between that cannot be read keeps nothing else on the board
        upto = min(numbers[-1], journal.header["next_event"] - 1)
        link.command("pulled", upto=upto, digest=journal.digest[:16])


# -- recall


def recall(link: Link, games: int) -> Iterator[list[dict[str, Any]]]:
    """The newest games, newest first, each as its events, from the board's own memory."""
    newest = int(link.command("status")["round"])
    for round_ in range(newest, max(newest - games, 0), -1):
        try:
            yield list(_round(link, round_))
        except Refused as error:
            if error.code != "no_round":  # one that is gone, or cannot be read, hides no other
                raise


def _round(link: Link, round_: int) -> Iterator[dict[str, Any]]:
    seq = 0
    while True:
        answer = link.command("recall", round=round_, seq=seq)
        data = answer["records"]
        while data:
            record = messages.unpack(RECORD, data)
            data = data[len(messages.pack(RECORD, record)) :]
            at = messages.pack((("at_ms", "u"),), record)
            yield read_event(record["seq"], record["type"], at + record["payload"])
        seq = answer["next"]
        if not seq:
            return


# -- carrying a table to another board


def adopt(link: Link, journal: JournalFile) -> int:
    """Gives the table in this file to a new board; the round that it goes on from."""
    told = link.command("meters")
    if told["flags"] & RETIRED or (link.command("status")["round"] and not told["flags"] & ADOPTING):
        raise Refused("this board has played games of its own", code="not_new")
    text = journal.header["config"]
    if text:
        wanted = config_file.from_board(text.encode())
        link.write_config(config_file.to_board(wanted))
    rows, round_ = _carried(journal)
    macs = [mac for segment in journal.segments for _, _, mac in journal_file.walk(journal, segment)]
    if not macs:
        raise CannotRun("the file has no record that can be read: there is no table in it.")
    for type_, payload in rows:
        link.command("adopt_record", type=type_, payload=payload)
    last = journal_check.verify(journal, None).last or 0
    came = {"board": journal.header["unique_id"], "upto": last, "mac": macs[-1], "round": round_}
    return int(link.command("adopt", records=len(rows), **came)["round"])


def is_retired(journal: JournalFile) -> bool:
    return any(event["event"] == "retired" for event in journal_file.events(journal))


def _carried(journal: JournalFile) -> tuple[list[tuple[int, bytes]], int]:
    """(type, payload) of what goes to the new board: the meters, then the round if it is open."""
    meters, round_ = Meters(), 0
    open_round: list[tuple[int, bytes]] = []
    for segment in journal.segments:
        header = records.unpack_header(segment.data[: journal.page_bytes])
        round_ = max(round_, header[3] if header else 0)  # the newest when the segment began
        for (_, _, type_, payload), _, _ in journal_file.walk(journal, segment):
            name, fields = _event(type_, payload)
            meters.count(name, fields)
            if name in ("opened", "adopted"):
                round_, open_round = fields["round"], []
            if name in ("settled", "voided", "drawn"):
                open_round = [] if name != "settled" else [*open_round, (type_, payload)]
            elif name in CARRIED and name not in ("meters", "voids"):
                open_round.append((type_, payload))
    return [*_meters(meters), *_if_open(open_round)], round_


def _event(type_: int, payload: bytes) -> tuple[str, dict[str, Any]]:
    row = messages.EVENTS.get(type_)
    return ("", {}) if row is None else (row[0], messages.unpack(row[1], payload, older=True))


def _meters(meters: Meters) -> list[tuple[int, bytes]]:
    fields = {**meters.fields(), "flags": meters.flags & (TEST | TEST_ROUND)}
    return [
        (NUMBER["meters"], messages.pack(messages.METERS, fields)),
        (NUMBER["voids"], messages.pack(messages.VOIDS, meters.causes())),
    ]


def _if_open(round_: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """A round that is settled is over; one whose result was taken back after that is open again."""
    words = [type_ for type_, _ in round_ if type_ in (NUMBER["settled"], NUMBER["cleared"])]
    if words and words[-1] == NUMBER["settled"]:
        return []
    return [(type_, payload) for type_, payload in round_ if type_ != NUMBER["settled"]]
