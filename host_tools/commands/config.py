"""`pitkit config`: a table's configuration, read from a board, changed, applied, compared, checked."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from host_tools import board_files, config_file
from host_tools.commands.options import board_options, emit, json_option, note, opened, plain
from host_tools.errors import CannotRun, PitkitError

if TYPE_CHECKING:
    from host_tools.ports import Session

file_argument = click.argument("file", type=click.Path(path_type=Path))


@click.group()
def config() -> None:
    """Read, change, apply, compare and check a table's configuration (TOML).

    \b
    Example:
      pitkit config get --port sim:sic_bo@act1999 > table.toml
    """


@config.command()
@board_options("observe")
@json_option
def get(port: str, role: str, as_json: bool) -> None:
    """Print the board's configuration as TOML (or JSON).

    \b
    Example:
      pitkit config get --port /dev/ttyACM0
    """
    with opened(port, role) as session:
        found = _kept(session)
    if not found:
        raise CannotRun("the board has no configuration of its own; pitkit config apply FILE gives it one.")
    emit(found) if as_json else click.echo(config_file.to_toml(found), nl=False)


@config.command("set")
@click.argument("assignments", metavar="SECTION.KEY=VALUE…", nargs=-1, required=True)
@board_options("supervisor")
@json_option
def set_(assignments: tuple[str, ...], port: str, role: str, as_json: bool) -> None:
    """Change single keys of the board's configuration; all of them or none.

    \b
    Example:
      pitkit config set timing.turns=5 'limits.single:3=[500, 20000]' --port /dev/ttyACM0
    """
    with opened(port, role) as session:
        wanted = _kept(session)
        for assignment in assignments:
            wanted = config_file.with_value(wanted, assignment)
        _apply(session, wanted, "the change", as_json)


@config.command()
@file_argument
@board_options("supervisor")
@json_option
def apply(file: Path, port: str, role: str, as_json: bool) -> None:
    """Check FILE, then give it to the board, which takes all of it or nothing.

    \b
    Example:
      pitkit config apply table.toml --port /dev/ttyACM0 --as supervisor
    """
    wanted = config_file.read(file)
    with opened(port, role) as session:
        _apply(session, wanted, str(file), as_json)


@config.command()
@file_argument
@board_options("observe")
@json_option
def diff(file: Path, port: str, role: str, as_json: bool) -> None:
    """Compare FILE with the board's configuration: exit code 0 if they are the same, 1 if not.

    \b
    Example:
      pitkit config diff table.toml --port /dev/ttyACM0
    """
    wanted = config_file.read(file)
    with opened(port, role) as session:
        config_file.check(wanted, _board(session), str(file))
        found = config_file.differences(_kept(session), wanted)
    if as_json:
        emit({"same": not found, "differences": found})
    else:
        for row in found:
            click.echo(
                plain(f"{row['key']}: {_words(row['board'])} on the board, {_words(row['file'])} in the file")
            )
    if found:
        raise PitkitError(f"the board and {file} differ in {len(found)} keys.")


@config.command()
@file_argument
@click.option("--board", default="rpi_pico", show_default=True, help="The board whose pins it is for.")
@json_option
def check(file: Path, board: str, as_json: bool) -> None:
    """Check FILE without a board.

    \b
    Example:
      pitkit config check table.toml --board rpi_pico
    """
    wanted = config_file.read(file)
    config_file.check(wanted, board_files.named(board).data, str(file))
    if as_json:
        emit({"file": str(file), "board": board, "ok": True})
    else:
        click.echo(f"{file} is a good configuration for {board}")


def _kept(session: Session) -> config_file.Config:
    return config_file.from_board(session.link.read_config())


def _board(session: Session) -> dict[str, Any]:
    return board_files.named(session.link.identity["board"]).data


def _apply(session: Session, wanted: config_file.Config, source: str, as_json: bool) -> None:
    config_file.check(wanted, _board(session), source)
    answer = session.link.write_config(config_file.to_board(wanted))
    table, edition = session.link.identity["table"], session.link.identity["edition"]
    waits = bool(answer["rule"])
    if answer["withdrawn"]:
        note("what was announced before, and waited, is withdrawn.")
    if as_json:
        told = {"applied": not waits, "hash": answer["hash"], "table": table, "edition": edition}
        emit(told | ({"rule": answer["rule"], "due": _utc(answer["due_ms"])} if waits else {}))
    elif waits:
        click.echo(plain(f"announced: {_due(answer)} ({answer['rule']}); until then all stays as it is."))
    else:
        click.echo(plain(f"applied: {table}@{edition}, configuration {answer['hash']}"))


def _utc(ms: int) -> str | None:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="seconds") if ms else None


def _due(answer: dict[str, Any]) -> str:
    if answer["due_ms"]:
        return f"a minimum is raised, which counts from {_utc(answer['due_ms'])} on"
    return "a minimum is raised; its notice begins when the board knows the time (pitkit time set)"


@config.command()
@board_options("observe")
@json_option
def waiting(port: str, role: str, as_json: bool) -> None:
    """What was announced and does not count yet: a higher minimum waits for its notice to be over.

    \b
    Example:
      pitkit config waiting --port /dev/ttyACM0
    """
    with opened(port, role) as session:
        answer = session.link.command("config_waiting", offset=0)
        found = config_file.from_board(session.link.read_config("config_waiting"))
        changed = config_file.differences(_kept(session), found) if found else []
    rows = [{"key": row["key"], "now": row["board"], "then": row["file"]} for row in changed]
    if as_json:
        emit({"waiting": bool(found), "due": _utc(answer["due_ms"]), "changes": rows})
    elif not found:
        click.echo("nothing waits.")
    else:
        click.echo(plain(f"{_due(answer)}:"))
        for row in rows:
            click.echo(plain(f"{row['key']}: {_words(row['now'])} now, {_words(row['then'])} then"))


def _words(value: Any) -> str:
    return "nothing" if value is None else str(value)
