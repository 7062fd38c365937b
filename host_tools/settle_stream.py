"""Lines of wagers in, lines of settlements out: the machinery of `pitkit settle`.

Reads what is there, answers it, lets go of it: never the whole input, and never waiting for
more before what came is answered. A bad line is answered in its own place. Decides nothing:
every cent and every clause comes from rules_min.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO, Protocol

import msgspec

from rules_min.settlement import settle_line
from rules_min.wagers import rejection

CHUNK_BYTES = 1 << 16
MOST_LINE_BYTES = 16 << 20  # some hundred thousand wagers: more in one line is no line of ours
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class Source(Protocol):
    def read1(self, size: int = ..., /) -> bytes: ...


def settle_stream(source: Source, out: BinaryIO) -> tuple[int, int]:
    """Settles every line of `source` onto `out`: (lines answered, lines that were bad)."""
    lines = bad = 0
    memory: dict[Any, Any] = {}  # what rules_min worked out for results met before
    for batch in _batches(source):
        answers = [_answer(line, memory) for line in batch]
        lines += len(answers)
        bad += sum(is_bad for _, is_bad in answers)
        out.write(b"".join(text + b"\n" for text, _ in answers))
        out.flush()
    return lines, bad


def _batches(source: Source) -> Iterator[list[bytes | None]]:
    """The lines that came with each read, blank ones left out; None stands for one too long to hold."""
    held, too_long, first = b"", False, True
    while chunk := source.read1(CHUNK_BYTES):
        *whole, rest = chunk.split(b"\n")
        lines: list[bytes | None] = []
        for part in whole:
            lines.append(None if too_long else held + part)
            held, too_long = b"", False
        held += b"" if too_long else rest
        if len(held) > MOST_LINE_BYTES:
            held, too_long = b"", True
        if first and lines:
            lines[0], first = _unmarked(lines[0]), False
        yield [line for line in lines if line is None or line.strip()]
    last = None if too_long else (_unmarked(held) if first else held)
    if last is None or last.strip():
        yield [last]


def _unmarked(line: bytes | None) -> bytes | None:
    """Some editors put a byte order mark before the first line."""
    return line.removeprefix(BYTE_ORDER_MARK) if line else line


def _answer(line: bytes | None, memory: dict[Any, Any]) -> tuple[bytes, bool]:
    """(the answer as JSON, was the line bad)."""
    answer = _bad("the line is too long") if line is None else _settle(line, memory)
    try:
        return _encode(answer), "error" in answer
    except RecursionError:
        return _encode(_bad("it is nested too deep")), True


def _settle(line: bytes, memory: dict[Any, Any]) -> dict[str, Any]:
    try:
        found = _decode(line)
        if _says_a_key_twice(line, found):
            return _bad("a key stands twice in one object")
    except UnicodeDecodeError:
        return _bad("it is not UTF-8")
    except RecursionError:
        return _bad("it is nested too deep")
    except (msgspec.DecodeError, ValueError) as error:
        return _bad(str(error))
    answer: dict[str, Any] = settle_line(found, memory)
    return answer


def _bad(why: str) -> dict[str, Any]:
    answer: dict[str, Any] = rejection("bad_json", f"no JSON line: {why}")
    return answer


def _says_a_key_twice(line: bytes, found: Any) -> bool:
    """Two stakes for one wager are no stake. The quick look: written again, a quotation mark is missing."""
    if b"\\" not in line:
        return line.count(b'"') != _encode(found).count(b'"')
    return _looks_twice(line)


def _looks_twice(line: bytes) -> bool:
    twice = False

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal twice
        found = dict(items)
        twice = twice or len(found) != len(items)
        return found

    json.loads(line, object_pairs_hook=pairs)
    return twice
