"""`pitkit boards`: what is attached, what we have definitions for, and whether those hold together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from host_tools import board_files
from host_tools.commands.options import emit, json_option, plain
from host_tools.errors import CannotRun, PitkitError


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def boards(context: click.Context, as_json: bool) -> None:
    """List the boards attached to this machine and the boards we have definitions for.

    \b
    Example:
      pitkit boards --json
    """
    context.obj = as_json
    if context.invoked_subcommand is None:
        found = {"attached": _attached(), "definitions": _definitions()}
        if as_json:
            emit(found)
        else:
            _show(found)


def _attached() -> list[dict[str, Any]]:
    from host_tools.ports import attached

    return [
        {
            "port": port.device,
            "board": board,
            "vid": f"{port.vid:04x}",
            "pid": f"{port.pid:04x}",
            "serial_number": port.serial_number,
        }
        for port, board in attached()
    ]


def _definitions() -> list[dict[str, Any]]:
    return [
        {"name": board.name, "title": board.text("title"), "mcu": board.text("mcu")}
        for board in map(board_files.read, board_files.paths())
    ]


def _show(found: dict[str, Any]) -> None:
    for row in found["attached"]:
        click.echo(
            plain(f"{row['port']}  {row['board']} ({row['vid']}:{row['pid']}, {row['serial_number']})")
        )
    if not found["attached"]:
        click.echo("no board is attached; sim:sic_bo@act1999 needs none")
    click.echo("definitions:")
    for row in found["definitions"]:
        click.echo(plain(f"  {row['name']:<12} {row['title']}"))


@boards.command()
@click.argument("folders", nargs=-1, type=click.Path(path_type=Path))
@json_option
@click.pass_obj
def check(all_json: bool, folders: tuple[Path, ...], as_json: bool) -> None:
    """Check board definitions: ours, or those in FOLDERS (each holding a board.json).

    \b
    Example:
      pitkit boards check boards/rpi_pico
    """
    paths = [folder / "board.json" for folder in folders] or board_files.paths()
    if not paths:
        raise CannotRun("there is no board definition to check.")
    problems = [
        {"board": path.parent.name, "path": str(path), "problem": problem}
        for path in paths
        for problem in board_files.problems(board_files.read(path))
    ]
    if as_json or all_json:
        emit({"checked": len(paths), "problems": problems})
    else:
        for row in problems:
            click.echo(plain(f"{row['path']}: {row['problem']}"))
    if problems:
        wrong = {row["path"] for row in problems}
        raise PitkitError(f"something is wrong in {len(wrong)} of {len(paths)} board definitions.")
    if not (as_json or all_json):
        click.echo(f"{len(paths)} board definitions, nothing wrong with them")
