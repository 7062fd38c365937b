"""Whether a journal holds: crc of every record, numbers without a gap and, with the key, every link.

Stops at the first thing wrong and names it. Uses the board's own code (firmware/journal).
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware.journal import chain, records

from .journal_file import JournalFile, Segment, walk

Pads = tuple[bytes, bytes]  # of a segment's key


@dataclass
class Verdict:
    """What the check found: how much is there, what was proven, the first thing wrong."""

    segments: int = 0
    records: int = 0
    first: int | None = None
    last: int | None = None
    chain: bool = False  # every link was checked with the board's key
    problem: str | None = None


def verify(journal: JournalFile, first_key: bytes | None) -> Verdict:
    """Checks it all; stops at the first thing wrong, which it names."""
    verdict = Verdict(chain=first_key is not None)
    if not journal.segments and journal.header["next_event"] > 1:
        verdict.problem = "there is no segment in it"
        return verdict
    last_mac: bytes | None = None
    key, number = first_key, 1
    for segment in journal.segments:
        if key is not None:
            for _ in range(segment.number - number):
                key = chain.ratchet(key)
            number = segment.number
        pads = chain.pads(key) if key else None
        last_mac = _check_header(journal, segment, verdict, pads, last_mac)
        if verdict.problem is None:
            last_mac = _check_records(journal, segment, verdict, pads, last_mac)
        if verdict.problem is not None:
            return verdict
    missing = journal.header["next_event"] - 1 - (verdict.last or 0)
    if missing > 0:
        verdict.problem = f"the last {missing} records the board had when it was pulled are not there"
    return verdict


def is_settled(segment: Segment, page_bytes: int = 256) -> bool:
    """Whether its records follow one another without a gap, and nothing but blank stands behind the last."""
    found = list(walk(JournalFile({"page_bytes": page_bytes}, []), segment))
    numbers = [record[0] for record, _, _ in found]
    if not numbers or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return False
    last = segment.data.rfind(found[-1][2])
    return not segment.data[last + records.TAIL_BYTES :].strip(b"\xff")


def _check_header(
    journal: JournalFile, segment: Segment, verdict: Verdict, key: Pads | None, last: bytes | None
) -> bytes:
    page = segment.data[: journal.page_bytes]
    header = records.unpack_header(page)
    where = f"segment {segment.number}"
    verdict.segments += 1
    if header is None and records.is_newer(page):
        verdict.problem = f"{where} was written by a newer firmware than this pitkit knows"
        return b""
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
