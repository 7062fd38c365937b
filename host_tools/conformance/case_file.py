"""Reads case files: a head (case, edition, clause, title), a line of two dashes, one step a line.

Knows what a case looks like and nothing of what its steps do. Blank lines and lines that
begin with # are for the reader. Whatever is wrong is CannotRun with file and line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from host_tools.errors import CannotRun

HOME = Path(__file__).parent / "cases"
HEAD = ("case", "edition", "clause", "title")
END_OF_HEAD = "--"


@dataclass(frozen=True)
class Line:
    number: int
    text: str


@dataclass(frozen=True)
class Case:
    path: Path
    id: str
    editions: tuple[str, ...]
    clauses: tuple[str, ...]
    title: str
    steps: tuple[Line, ...]

    @property
    def clause(self) -> str:
        return ", ".join(self.clauses)


def load(folder: Path) -> list[Case]:
    """Every case of a folder, in the order of the file names."""
    cases = [read(path) for path in sorted(folder.rglob("*.case"))]
    if not cases:
        raise CannotRun(f"there are no case files in {folder}.")
    first: dict[str, Path] = {}
    for case in cases:
        if case.id in first:
            raise CannotRun(f"{case.path}: the case {case.id} is in {first[case.id]} already.")
        first[case.id] = case.path
    return cases


def select(cases: Sequence[Case], patterns: Sequence[str]) -> list[Case]:
    """Those whose id any of the patterns names; all of them where there is no pattern."""
    found = [case for case in cases if not patterns or any(fnmatchcase(case.id, p) for p in patterns)]
    if not found:
        raise CannotRun(f"no case matches {', '.join(patterns)}; pitkit conform --list shows them.")
    return found


def read(path: Path) -> Case:
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise CannotRun(f"cannot read {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CannotRun(f"{path} is not UTF-8 text.") from error
    return parse(text, path)


def parse(text: str, path: Path) -> Case:
    lines = [Line(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    told = [line for line in lines if line.text and not line.text.startswith("#")]
    ends = [index for index, line in enumerate(told) if line.text == END_OF_HEAD]
    if len(ends) != 1:
        raise CannotRun(f"{path}: one line of {END_OF_HEAD} stands between a case's head and its steps.")
    head = _head(told[: ends[0]], path)
    steps = tuple(told[ends[0] + 1 :])
    if not steps:
        raise CannotRun(f"{path}: the case has no step.")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", head["case"]):
        raise CannotRun(f"{path}: a case's id is small letters, digits and dashes, not {head['case']!r}.")
    return Case(path, head["case"], _list(head["edition"]), _list(head["clause"]), head["title"], steps)


def _head(lines: Sequence[Line], path: Path) -> dict[str, str]:
    head: dict[str, str] = {}
    for line in lines:
        key, colon, value = (part.strip() for part in line.text.partition(":"))
        if not colon or key not in HEAD:
            raise CannotRun(f"{path}, line {line.number}: a head has only {', '.join(HEAD)}.")
        if key in head or not value:
            raise CannotRun(f"{path}, line {line.number}: {key} is said once, and says something.")
        head[key] = value
    for key in HEAD:
        if key not in head:
            raise CannotRun(f"{path}: the case does not say its {key}.")
    return head


def _list(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())
