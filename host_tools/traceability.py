"""Clause -> code -> tests: the table of what the rulebook says and where we say it.

The clauses of each game stand in conformance/clauses/*.toml, in our own words. Code and tests
name a clause by citing it. A clause of kind "rule" that no code or no test names is a gap, and
a gap fails the build (tests/host_tools/test_traceability.py).
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host_tools.citations import cited, names
from host_tools.errors import CannotRun

ROOT = Path(__file__).resolve().parent.parent
CLAUSES = Path(__file__).parent / "conformance" / "clauses"
KINDS = {
    "rule": "code in rules_min and a test must name it",
    "device": "for the table's firmware",
    "person": "what people do; nothing for electronics",
    "document": "definitions, signs, paper",
}
CODE = ("rules_min/*.py", "firmware/**/*.py")
TESTS = ("tests/**/*.py", "host_tools/conformance/cases/**/*.case")


@dataclass
class Clause:
    id: str
    words: str
    kind: str
    file: str
    code: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)

    @property
    def gap(self) -> str | None:
        """What a rule lacks."""
        if self.kind != "rule":
            return None
        lacking = [f"no {what}" for what, found in (("code", self.code), ("test", self.tests)) if not found]
        return " and ".join(lacking) or None


def load(folder: Path = CLAUSES) -> list[Clause]:
    """Every clause of every file, in their order; a file that is not one is refused by name."""
    found: list[Clause] = []
    for path in sorted(folder.glob("*.toml")):
        found.extend(_clauses_of(path))
    seen: dict[str, str] = {}
    for clause in found:
        if clause.id in seen:
            raise CannotRun(f"{clause.file}: {clause.id} stands already in {seen[clause.id]}.")
        seen[clause.id] = clause.file
    return found


def _clauses_of(path: Path) -> Iterator[Clause]:
    try:
        rows: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8")).get("clause", [])
    except tomllib.TOMLDecodeError as error:
        raise CannotRun(f"{path.name}: {error}.") from error
    for row in rows:
        if set(row) != {"id", "words", "kind"} or row["kind"] not in KINDS:
            raise CannotRun(f"{path.name}: a clause has id, words and kind ({', '.join(KINDS)}): {row}.")
        yield Clause(row["id"], row["words"], row["kind"], path.name)


def table(root: Path = ROOT) -> list[Clause]:
    """Every clause with the places that name it."""
    clauses = load()
    code, tests = _citations(root, CODE), _citations(root, TESTS)
    for clause in clauses:
        clause.code = _naming(clause.id, code)
        clause.tests = _naming(clause.id, tests)
    return clauses


def of_table(game: str, editions: Iterable[str]) -> list[Clause]:
    """The clauses that a table of this game and these editions stands under."""
    files = set()
    for edition in editions:
        base = "qld1985" if edition == "qld2004" else edition
        files |= {f"{base}_{game}.toml", f"{base}_general.toml", f"{edition}_amendments.toml"}
    return [clause for clause in table() if clause.file in files]


def _citations(root: Path, patterns: tuple[str, ...]) -> dict[str, list[str]]:
    """citation: the places (file:line) it stands in."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(path for pattern in patterns for path in root.glob(pattern)):
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for citation in cited(line):
                found[citation].append(f"{name}:{number}")
    return found


def _naming(clause: str, citations: dict[str, list[str]]) -> list[str]:
    places = {place for citation, found in citations.items() if names(citation, clause) for place in found}
    return sorted(places, key=lambda place: (place.split(":")[0], int(place.split(":")[1])))


def gaps(clauses: list[Clause]) -> list[str]:
    """A line for each rule that nothing names."""
    return [f"{clause.id} ({clause.words}): {clause.gap}" for clause in clauses if clause.gap]


def unlisted(root: Path = ROOT) -> list[str]:
    """Citations in rules_min of clauses that no file lists: a misprint, or a clause forgotten."""
    clauses = [clause.id for clause in load()]
    code = _citations(root, CODE[:1])
    return sorted(
        f"{citation} at {places[0]}"
        for citation, places in code.items()
        if not any(names(citation, clause) or clause.startswith(citation) for clause in clauses)
    )


def as_json(clauses: list[Clause]) -> list[dict[str, Any]]:
    return [
        {"clause": c.id, "words": c.words, "kind": c.kind, "code": c.code, "tests": c.tests, "gap": c.gap}
        for c in clauses
    ]
