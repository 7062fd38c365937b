"""report.html: one plain page, no script, nothing fetched, prints on A4. Everything in it is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import chain

from host_tools.conformance.runner import FAILED, PASSED, SKIPPED, Outcome, Run
from host_tools.traceability import Clause

STYLE = """
@page { size: A4; margin: 18mm 16mm }
body { font: 10.5pt/1.45 Georgia, "Times New Roman", serif; color: #111; max-width: 190mm; margin: 2em auto }
h1 { font-size: 17pt; margin: 0 0 .2em } h2 { font-size: 13pt; margin: 1.8em 0 .4em }
h3 { font-size: 11pt; margin: 1.4em 0 .2em; break-after: avoid }
table { border-collapse: collapse; width: 100% } thead { display: table-header-group }
th, td { border-bottom: 1px solid #bbb; padding: .25em .6em .25em 0; text-align: left; vertical-align: top }
tr, section { break-inside: avoid } ol { margin: .2em 0 .2em 1.6em; padding: 0 }
code, td.hash { font: 9pt/1.4 "DejaVu Sans Mono", Consolas, monospace; overflow-wrap: anywhere }
.passed { color: #0a5d1e } .failed { color: #a40000; font-weight: bold } .skipped { color: #6b5900 }
li.failed::after { content: "  < here it failed" } li.after { color: #888 }
"""
WHAT = {
    "board": "board",
    "unique_id": "board id",
    "table": "table",
    "edition": "edition",
    "firmware": "firmware",
    "image_hash": "image hash",
    "rules_hash": "rules hash",
    "config_hash": "configuration hash",
    "boot": "starts so far",
}


def page(run: Run, clauses: Iterable[Clause] = ()) -> str:
    name = f"{run.identity['table']}, edition {', '.join(run.editions)}"
    body = [
        f"<h1>Conformance of {escape(name)}</h1>",
        f"<p>{_verdict(run)}</p>",
        "<h2>What was tested</h2>",
        _facts(run),
        "<h2>Cases</h2>",
        _table(("case", "clause", "what it shows", "status"), map(_summary, run.outcomes)),
        "<h2>Clauses</h2>",
        _table(("clause", "cases"), _coverage(run.outcomes)),
        "<h2>The cases, step by step</h2>",
        *map(_section, run.outcomes),
        "<h2>The rulebook, clause by clause</h2>",
        _table(("clause", "what it says", "kind", "code", "tests"), map(_traced, clauses)),
    ]
    head = f'<meta charset="utf-8"><title>Conformance of {escape(name)}</title><style>{STYLE}</style>'
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n'
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _verdict(run: Run) -> str:
    counts = []
    for status in (PASSED, FAILED, SKIPPED):
        words = f"{run.count(status)} {status}"
        counts.append(f'<span class="{status}">{words}</span>' if run.count(status) else words)
    lost = f' <span class="failed">The run ended early: {escape(run.lost)}</span>' if run.lost else ""
    return ", ".join(counts) + "." + lost


def _facts(run: Run) -> str:
    rows = [
        (words, str(run.identity[key]))
        for key, words in WHAT.items()
        if run.identity.get(key) not in (None, "")
    ]
    rows += [
        ("port", run.port),
        ("tool", f"pitkit {run.tool}"),
        ("started", run.started.isoformat(sep=" ", timespec="seconds")),
        ("took", f"{run.seconds:.1f} s"),
    ]
    cells = "".join(
        f'<tr><th>{escape(what)}</th><td class="hash">{escape(said)}</td></tr>' for what, said in rows
    )
    return f"<table>{cells}</table>"


def _table(heads: tuple[str, ...], rows: Iterable[str]) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n" + "\n".join(rows) + "\n</tbody></table>"


def _summary(outcome: Outcome) -> str:
    cells = (_link(outcome), escape(outcome.case.clause), escape(outcome.case.title), _status(outcome))
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _coverage(outcomes: list[Outcome]) -> Iterable[str]:
    clauses = sorted(set(chain.from_iterable(outcome.case.clauses for outcome in outcomes)), key=_in_order)
    for clause in clauses:
        cases = [outcome for outcome in outcomes if clause in outcome.case.clauses]
        words = ", ".join(f"{_link(outcome)} ({_status(outcome)})" for outcome in cases)
        yield f"<tr><td>{escape(clause)}</td><td>{words}</td></tr>"


def _in_order(clause: str) -> list[tuple[int, str]]:
    """10.4 comes after 8.1."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in clause.replace(".", " ").split()]


def _traced(clause: Clause) -> str:
    """A clause with the places that name it; a rule that nothing names is marked."""
    gap = f'<span class="failed">{escape(clause.gap)}</span>' if clause.gap else ""
    code, tests = (escape(_few(places)) for places in (clause.code, clause.tests))
    cells = (escape(clause.id), escape(clause.words), escape(clause.kind) + gap)
    places = f'<td class="hash">{code}</td><td class="hash">{tests}</td>'
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + places + "</tr>"


def _few(places: list[str]) -> str:
    more = f" and {len(places) - 2} more" if len(places) > 2 else ""
    return ", ".join(places[:2]) + more


def _link(outcome: Outcome) -> str:
    return f'<a href="#{escape(_anchor(outcome))}">{escape(outcome.case.id)}</a> {escape(outcome.edition)}'


def _anchor(outcome: Outcome) -> str:
    """One case runs in several editions."""
    return f"{outcome.case.id}-{outcome.edition}"


def _status(outcome: Outcome) -> str:
    return f'<span class="{outcome.status}">{outcome.status}</span>'


def _section(outcome: Outcome) -> str:
    case = outcome.case
    parts = [
        f'<section id="{escape(_anchor(outcome))}"><h3>{escape(case.title)}</h3>',
        f"<p><code>{escape(case.id)}</code>, {escape(case.clause)}, {escape(outcome.edition)}: ",
        _status(outcome),
        f" ({outcome.seconds:.2f} s)" if outcome.status != SKIPPED else f", {escape(outcome.detail)}",
        "</p>",
        _steps(outcome),
    ]
    if outcome.status == FAILED:
        expected = escape(outcome.expected) or "the case to go on"
        parts.append(f'<p class="failed">Expected: {expected}<br>Seen: {escape(outcome.seen)}</p>')
    return "".join(parts) + "</section>"


def _steps(outcome: Outcome) -> str:
    failed = outcome.status == FAILED
    items = []
    for line in outcome.case.steps:
        mark = ' class="failed"' if failed and line.number == outcome.line else ""
        mark = ' class="after"' if failed and line.number > outcome.line else mark
        items.append(f"<li{mark}>{escape(line.text)}</li>")
    return "<ol>" + "".join(items) + "</ol>"
