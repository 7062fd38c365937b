"""`pitkit rules`: every wager with its odds, exact house edge and clause; or what names each clause."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import click

from host_tools.commands.options import emit, json_option, note
from host_tools.errors import CannotRun, PitkitError


@click.command()
@click.option("--game", help="This game's wagers only, as sic_bo.")
@click.option("--edition", help="This edition's wagers only, as act1999.")
@click.option(
    "--trace", is_flag=True, help="The rulebook's clauses instead, each with the code and tests naming it."
)
@json_option
def rules(game: str | None, edition: str | None, trace: bool, as_json: bool) -> None:
    """Every wager of every game: its odds, its exact house edge, the clause that pays it.

    The edge is what the house expects to keep of a stake, as a fraction and in percent; a minus
    sign means that the wager gives more than it takes. Where the texts are silent and we chose,
    the row is marked * and the choice stands below.

    \b
    Example:
      pitkit rules --game roulette --edition act1999
      pitkit rules --trace --json
    """
    if trace:
        _show_trace(as_json)
        return
    found = [row for row in _rows() if game in (None, row["game"]) and edition in (None, row["edition"])]
    if not found:
        raise CannotRun("no such wagers: no game and edition have these names together.")
    if as_json:
        emit(found)
        return
    _show(found)


def _rows() -> list[dict[str, Any]]:
    from host_tools import edges

    return list(edges.rows())


def odds_text(odds: list[list[int]]) -> str:
    return ", ".join(f"{to}:{one}" for to, one in odds)


def edge_text(edge: list[int]) -> str:
    """As a fraction and in percent: 1/37, 2.7027 %. The percentage is rounded, the fraction is not."""
    exact = Fraction(*edge)
    return f"{exact} = {float(exact * 100):.4f} %"


def _show(found: list[dict[str, Any]]) -> None:
    lines = [("game", "edition", "variant", "wager", "odds", "house edge", "clause")]
    for row in found:
        mark = " *" if row["reading"] else ""
        cells = (row["game"], row["edition"], row["variant"] or "", row["code"], odds_text(row["odds"]))
        lines.append((*cells, edge_text(row["edge"]), row["rule"] + mark))
    _print_columns(lines)
    for sentence in dict.fromkeys(row["reading"] for row in found if row["reading"]):
        click.echo(f"* our reading: {sentence}")


def _print_columns(lines: Sequence[tuple[str, ...]]) -> None:
    """Columns as wide as what stands in them, a line a row: for eyes, grep and cut alike."""
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    for line in lines:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _show_trace(as_json: bool) -> None:
    from host_tools import traceability

    clauses = traceability.table()
    if as_json:
        emit(traceability.as_json(clauses))
        return
    lines = [("clause", "kind", "what it says", "code", "tests")]
    for clause in clauses:
        lines.append((clause.id, clause.kind, clause.words, _places(clause.code), _places(clause.tests)))
    _print_columns(lines)
    gaps = traceability.gaps(clauses)
    note(f"{len(clauses)} clauses, {len(gaps)} rules that nothing names.")
    if gaps:
        raise PitkitError("a clause that states a rule is named by no code or no test")


def _places(places: list[str]) -> str:
    return f"{places[0]} (of {len(places)})" if len(places) > 1 else "".join(places)
