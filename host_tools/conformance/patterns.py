"""Steps as sentences: a table of pattern -> function, and how a line of a case finds its own.

A pattern is plain words with {name:kind} where something varies. A line that fits none is
CannotRun with file and line, before anything is run; so is one that fits two.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from host_tools.conformance.case_file import Case, Line
from host_tools.errors import CannotRun

Act = Callable[..., None]
Kinds = dict[str, tuple[str, Callable[[str], Any]]]
# kind: how it looks in a line, and what it is read as; a game's table adds its own
KINDS: Kinds = {
    "number": (r"\d{1,15}", int),
    "word": (r"[^\s,\"]+", str),
    "words": (r"[^\"]+?", str),
    "quoted": (r"\"[^\"]*\"", lambda text: text.strip('"')),
    "on_off": (r"on|off", lambda text: text == "on"),
}
_PLACE = re.compile(r"\{(\w+):(\w+)\}")


class Failed(Exception):
    """The board did not do what the step says: what was expected, what was seen."""

    def __init__(self, expected: str, seen: str) -> None:
        super().__init__(f"expected {expected}; seen: {seen}")
        self.expected = expected
        self.seen = seen


@dataclass(frozen=True)
class Pattern:
    text: str
    regex: re.Pattern[str]
    readers: dict[str, Callable[[str], Any]]
    act: Act

    def read(self, line: str) -> dict[str, Any] | None:
        found = self.regex.fullmatch(line)
        if found is None:
            return None
        return {name: reader(found[name]) for name, reader in self.readers.items()}


@dataclass(frozen=True)
class Step:
    line: Line
    act: Act
    arguments: dict[str, Any]


class Table:
    """Every step there is for a game."""

    def __init__(self, kinds: Kinds) -> None:
        self.kinds = {**KINDS, **kinds}
        self.patterns: list[Pattern] = []

    def step(self, *texts: str) -> Callable[[Act], Act]:
        """Adds a function under these patterns."""

        def add(act: Act) -> Act:
            self.patterns += [_compile(text, act, self.kinds) for text in texts]
            return act

        return add

    def find(self, case: Case, line: Line) -> Step:
        where = f"{case.path}, line {line.number}"
        fits = [(p, found) for p in self.patterns if (found := p.read(line.text)) is not None]
        if not fits:
            raise CannotRun(f"{where}: there is no such step: {line.text}.")
        if len(fits) > 1:
            raise CannotRun(f"{where}: the step can be read as {' and as '.join(p.text for p, _ in fits)}.")
        return Step(line, fits[0][0].act, fits[0][1])

    def steps_of(self, case: Case) -> list[Step]:
        return [self.find(case, line) for line in case.steps]


def _compile(text: str, act: Act, kinds: Kinds) -> Pattern:
    readers = {name: kinds[kind][1] for name, kind in _PLACE.findall(text)}
    parts = _PLACE.split(text)  # words, name, kind, words, name, kind, …, words
    regex = ""
    for words, name, kind in zip(parts[0::3], parts[1::3], parts[2::3], strict=False):
        regex += re.escape(words) + f"(?P<{name}>{kinds[kind][0]})"
    return Pattern(text, re.compile(regex + re.escape(parts[-1])), readers, act)
