"""The noise sources of a board definition: whether each row of `noise` in a board.json holds together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from firmware.rng.health import CUTOFFS, SPAN

TEXTS, NUMBERS = ("name", "module", "function"), ("entropy_milli", "seed_bytes")


def problems(rows: list[Any]) -> Iterator[str]:
    """All that is wrong with them, one sentence each."""
    if not rows:
        yield "noise: a board needs at least one source"
    for index, row in enumerate(rows):
        path = f"noise[{index}]"
        if not isinstance(row, dict):
            yield f"{path}: must be an object"
            continue
        wrong = list(_fields(path, row))
        yield from wrong or _figures(path, row)


def _fields(path: str, row: dict[str, Any]) -> Iterator[str]:
    for key in TEXTS:
        if not isinstance(row.get(key), str) or not row[key]:
            yield f"{path}.{key}: must be text"
    for key in NUMBERS:
        if type(row.get(key)) is not int:
            yield f"{path}.{key}: must be a whole number"
    yield from (f"{path}.{key}: no such field" for key in row if key not in TEXTS + NUMBERS)


def _figures(path: str, row: dict[str, Any]) -> Iterator[str]:
    if row["entropy_milli"] not in CUTOFFS:
        known = ", ".join(str(milli) for milli in CUTOFFS)
        yield f"{path}.entropy_milli: there are health tests for {known} thousandths of a bit a sample"
    size = row["seed_bytes"]
    if size < 4 or size % 2 or SPAN // 8 % (size - 2):
        yield f"{path}.seed_bytes: must be even and, less two, divide {SPAN // 8} (512 or 12, say)"
