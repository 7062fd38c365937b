"""What a run leaves behind: report.json and junit.xml for programs, report.html for people."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from host_tools import traceability
from host_tools.conformance import report_html
from host_tools.conformance.runner import FAILED, PASSED, SKIPPED, Outcome, Run
from host_tools.errors import CannotRun
from host_tools.targets import TABLES

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(run: Run, folder: Path) -> Path:
    """All three files; answers where the one for people is."""
    page = folder / "report.html"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "report.json", json.dumps(full(run), indent=1, ensure_ascii=False) + "\n")
        (folder / "junit.xml").write_bytes(junit(run))
        _write(page, report_html.page(run, clauses(run)))
    except OSError as error:
        raise CannotRun(
            f"the report cannot be written ({error.filename or folder}: {error.strerror})."
        ) from error
    return page


def _write(path: Path, text: str) -> None:
    """A port's name may hold bytes that are no UTF-8."""
    path.write_bytes(text.encode("utf-8", "backslashreplace"))


def short(run: Run) -> dict[str, Any]:
    """What `pitkit conform --json` prints: the shape scripts read."""
    return {
        "port": run.port,
        "table": run.identity["table"],
        "passed": run.count(PASSED),
        "failed": run.count(FAILED),
        "skipped": run.count(SKIPPED),
        "cases": [_row(outcome) for outcome in run.outcomes],
    }


def _row(outcome: Outcome) -> dict[str, Any]:
    return {
        "id": outcome.case.id,
        "edition": outcome.edition,
        "clause": outcome.case.clause,
        "status": outcome.status,
        "detail": outcome.detail,
    }


def full(run: Run) -> dict[str, Any]:
    """The same, with the board, the times and every step."""
    document = short(run)
    rows = document.pop("cases")
    more = [
        {
            "title": outcome.case.title,
            "line": outcome.line,
            "expected": outcome.expected,
            "seen": outcome.seen,
            "seconds": round(outcome.seconds, 3),
            "steps": [line.text for line in outcome.case.steps],
        }
        for outcome in run.outcomes
    ]
    about = {
        "board": run.identity,
        "tool": run.tool,
        "started": run.started.isoformat(timespec="seconds"),
        "seconds": round(run.seconds, 3),
        "lost": run.lost,
    }
    cases = [{**row, **extra} for row, extra in zip(rows, more, strict=True)]
    return {**document, **about, "cases": cases, "traceability": traceability.as_json(clauses(run))}


def clauses(run: Run) -> list[traceability.Clause]:
    """The rulebook's clauses for the table that was tested, each with the code and tests that name it."""
    table = str(run.identity["table"])
    return traceability.of_table(TABLES.get(table, table), run.editions)


def junit(run: Run) -> bytes:
    counts = {
        "tests": len(run.outcomes),
        "failures": run.count(FAILED),
        "skipped": run.count(SKIPPED),
        "errors": 0,
    }
    suite = ElementTree.Element(
        "testsuite",
        {
            "name": _xml(run.table),
            **{name: str(count) for name, count in counts.items()},
            "time": f"{run.seconds:.3f}",
            "timestamp": run.started.isoformat(timespec="seconds"),
            "hostname": _xml(run.port),
        },
    )
    for outcome in run.outcomes:
        _junit_case(suite, outcome, run.identity["table"])
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    ElementTree.indent(suites)
    found: bytes = ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)
    return found


def _junit_case(suite: ElementTree.Element, outcome: Outcome, table: str) -> None:
    row = ElementTree.SubElement(
        suite,
        "testcase",
        {
            "classname": _xml(f"{table}.{outcome.edition}"),
            "name": outcome.case.id,
            "time": f"{outcome.seconds:.3f}",
        },
    )
    if outcome.status == FAILED:
        failure = ElementTree.SubElement(row, "failure", {"message": _xml(outcome.detail), "type": "case"})
        failure.text = _xml(f"{outcome.case.clause}: {outcome.case.title}\n{outcome.detail}")
    elif outcome.status == SKIPPED:
        ElementTree.SubElement(row, "skipped", {"message": _xml(outcome.detail)})


def _xml(text: str) -> str:
    """What a board sends may hold bytes that no XML file can."""
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
