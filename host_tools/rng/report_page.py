"""The assessment as a page and as JSON: verdict first, then two plots, then every figure."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

from host_tools import __version__

from .assessment import ALPHA, Assessment

WIDTH, HEIGHT, MARGIN = 760, 180, 24
STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:800px;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse}td,th{padding:.15em .8em;text-align:left;border-bottom:1px solid #ddd}
td.n{text-align:right;font-variant-numeric:tabular-nums}.bad{color:#b00020;font-weight:600}
.good{color:#1b6e2d;font-weight:600}svg{background:#fafafa;border:1px solid #ddd;max-width:100%}"""


def write(folder: Path, found: Assessment) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(found.document(), indent=1) + "\n"
    (folder / "assessment.json").write_text(text, encoding="utf-8")
    (folder / "assessment.html").write_text(page(found), encoding="utf-8")


def page(found: Assessment) -> str:
    state = "good" if found.passed else "bad"
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>assessment</title>
<style>{STYLE}</style>
<h1>Assessment of {escape(found.file)}</h1>
<p class="{state}">{escape(found.verdict)}</p>
<p>{found.size:,} {WHAT[found.kind]}; seed {found.seed}; pitkit {__version__}.</p>
<h2>How often each value came</h2>{bars(found.counts, found.expected)}
<h2>{"Estimates" if found.kind == "raw" else "P-values, smallest first"}</h2>{dots(found)}
<table><tr><th>test<th>value<th>Holm<th></tr>{"".join(_row(row) for row in found.rows)}</table>
</html>
"""


WHAT = {"draws": "draws", "raw": "raw samples", "bytes": "bits"}


def _row(row: object) -> str:
    name, value = escape(getattr(row, "name", "")), getattr(row, "value", 0.0)
    corrected, passed = getattr(row, "corrected", None), getattr(row, "passed", True)
    holm = "" if corrected is None else f"{corrected:.5f}"
    verdict = '<td class="good">holds' if passed else '<td class="bad">fails'
    return f'<tr><td>{name}<td class="n">{value:.5f}<td class="n">{holm}{verdict}</tr>'


def bars(counts: list[int], expected: float) -> str:
    """Each value's count, about what is expected: the scale is the largest deviation."""
    largest = max([abs(count - expected) for count in counts] + [1])
    step, middle = (WIDTH - 2 * MARGIN) / max(len(counts), 1), HEIGHT / 2
    out = [f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{middle}" y2="{middle}" stroke="#888"/>']
    for at, count in enumerate(counts):
        tall = (count - expected) / largest * (middle - MARGIN)
        x, y = MARGIN + at * step, middle - max(tall, 0)
        shape = f'x="{x:.1f}" y="{y:.1f}" width="{step * 0.8:.1f}" height="{abs(tall):.1f}"'
        out.append(f'<rect {shape} fill="#4472a8"><title>{at + 1}: {count:,}</title></rect>')
    words = f"{expected:,.1f} expected; the longest bar is {largest:,.1f} off"
    return _svg(out, words)


def dots(found: Assessment) -> str:
    """The figures in order: p-values of good data lie on the line."""
    values = sorted(row.value for row in found.rows)
    step, tall = (WIDTH - 2 * MARGIN) / max(len(values), 1), HEIGHT - 2 * MARGIN
    out = []
    if found.kind != "raw":
        ends = f'x1="{MARGIN}" y1="{HEIGHT - MARGIN}" x2="{WIDTH - MARGIN}" y2="{MARGIN}"'
        out.append(f'<line {ends} stroke="#bbb"/>')
    for at, value in enumerate(values):
        x, y = MARGIN + (at + 0.5) * step, HEIGHT - MARGIN - min(value, 1) * tall
        out.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="#4472a8"><title>{value:.5f}</title></circle>'
        )
    words = (
        "bits a sample, 0 to 1" if found.kind == "raw" else f"p from 0 to 1; alpha {ALPHA:g} by Holm's method"
    )
    return _svg(out, words)


def _svg(shapes: list[str], words: str) -> str:
    label = f'<text x="{MARGIN}" y="{HEIGHT - 6}" font-size="12" fill="#555">{escape(words)}</text>'
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    return f'<svg role="img" aria-label="{escape(words)}" {size}>{"".join(shapes)}{label}</svg>'
