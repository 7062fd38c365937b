"""`pitkit conform`: runs the conformance cases on a board and writes the report."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from host_tools.commands.options import board_options, emit, json_option, note, opened, plain
from host_tools.conformance import case_file
from host_tools.errors import CannotRun, NoBoard, PitkitError
from host_tools.targets import every_edition

if TYPE_CHECKING:
    from host_tools.conformance.runner import Outcome, Run


@click.command()
@click.option(
    "--case", "patterns", multiple=True, metavar="PATTERN", help="Only these ids, as 'power-*'; repeatable."
)
@click.option(
    "--report",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("build/report"),
    show_default=True,
    help="Where report.html, report.json and junit.xml go.",
)
@click.option(
    "--cases",
    "home",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Case files of your own in this folder, instead of ours.",
)
@click.option("--list", "only_list", is_flag=True, help="List the cases and run none; needs no board.")
@board_options("supervisor")
@json_option
def conform(
    patterns: tuple[str, ...],
    folder: Path,
    home: Path | None,
    only_list: bool,
    port: str,
    role: str,
    as_json: bool,
) -> None:
    """Run the conformance cases on a board, each against the clause it cites, and write the report.

    Cases move the board's pins, so it must be simulated, emulated or have a fixture; on a board
    without one they are skipped. A port without an edition (sim:sic_bo) is set up as each in turn.
    Exit code 0 if all that ran passed, 1 if one failed.

    \b
    Examples:
      pitkit conform --port sim:sic_bo
      pitkit conform --port emu:sic_bo@act1999 --case 'power-*' --report ./report --json
    """
    cases = case_file.select(case_file.load(home or case_file.HOME), patterns)
    if only_list:
        _list(cases, as_json)
        return
    _check_folder(folder)
    run = _run(cases, port, role)
    _tell(run, folder, as_json)
    if run.lost:
        raise NoBoard(run.lost)
    if run.count("failed"):
        raise PitkitError(f"{run.count('failed')} of {len(run.outcomes)} cases failed.")
    if not run.count("passed"):
        raise CannotRun(f"none of the cases can run here: {run.outcomes[0].detail}.")


def _check_folder(folder: Path) -> None:
    """A report that cannot be written is said before the run, not after it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotRun(f"no report can be written to {folder}: {error.strerror}.") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CannotRun(f"no report can be written to {folder}: it is not yours to write to.")


def _run(cases: list[case_file.Case], port: str, role: str) -> Run:
    from host_tools.conformance import runner

    width = max(len(case.id) for case in cases)

    def tell(outcome: Outcome) -> None:
        line = f"{outcome.status:<7}  {outcome.edition:<7}  {outcome.case.id:<{width}}  {outcome.case.clause}"
        note(line)
        if outcome.detail:
            note(f"         {outcome.detail}")

    with opened(port, role) as session:
        return runner.run(session, cases, tell, every_edition(port))


def _tell(run: Run, folder: Path, as_json: bool) -> None:
    from host_tools.conformance import report

    page = report.write(run, folder)
    if as_json:
        emit(report.short(run))
        return
    counts = ", ".join(f"{run.count(status)} {status}" for status in ("passed", "failed", "skipped"))
    click.echo(plain(f"{run.table} on {run.port}: {counts}"))
    click.echo(plain(f"report: {page}"))


def _list(cases: list[case_file.Case], as_json: bool) -> None:
    if as_json:
        emit(
            [
                {
                    "id": case.id,
                    "edition": ", ".join(case.editions),
                    "clause": case.clause,
                    "title": case.title,
                }
                for case in cases
            ]
        )
        return
    for case in cases:
        click.echo(plain(f"{case.id}  ({', '.join(case.editions)}; {case.clause})"))
        click.echo(plain(f"    {case.title}"))
