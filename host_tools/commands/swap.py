"""`pitkit journal retire` and `adopt`: a table carried from one board to a spare one."""

from __future__ import annotations

from pathlib import Path

import click

from host_tools import journal_board, journal_check, journal_file
from host_tools.commands.journal import file_argument, journal
from host_tools.commands.options import board_options, emit, json_option, opened, plain
from host_tools.errors import CannotRun


@journal.command()
@file_argument
@board_options("inspector")
@json_option
def retire(file: Path, port: str, role: str, as_json: bool) -> None:
    """Take the table off this board: it plays no more, and all that a spare board needs goes into FILE.

    An open round is left as it is; the spare board ends it. The board's record says that it was retired.

    \b
    Example:
      pitkit journal retire table.journal --port /dev/ttyACM0
    """
    with opened(port, role) as session:
        journal_board.pull(
            session.link, file
        )  # what cannot be kept is said before the table is closed for good
        session.link.command("retire")
        found = journal_board.pull(session.link, file)
        journal_board.mark_pulled(session.link, found)
        unique_id = str(session.link.identity["unique_id"])
    if as_json:
        emit({"retired": unique_id, "file": str(file)})
    else:
        click.echo(plain(f"board {unique_id} plays no more; its table is in {file}: pitkit journal adopt"))


@journal.command()
@file_argument
@click.option("--dead", is_flag=True, help="The old board was not retired, and will never play again.")
@click.option("--spoilt", is_flag=True, help="Records of the old board cannot be read: carry what can be.")
@board_options("inspector")
@json_option
def adopt(file: Path, dead: bool, spoilt: bool, port: str, role: str, as_json: bool) -> None:
    """Carry the table in FILE to this new board: configuration, meters, round numbers, the open round.

    A round without a result is void on the new board, one with a result is settled to the same cent.

    \b
    Example:
      pitkit journal adopt table.journal --port /dev/ttyACM1
    """
    found = journal_file.read(file)
    changed, missing = journal_file.damage(file), journal_check.verify(found, None).problem
    if changed:
        raise CannotRun(f"{file}: {changed}.")
    if missing and not spoilt:
        raise CannotRun(f"{file}: {missing}. --spoilt carries what can be read; check the meters by hand.")
    if not dead and not journal_board.is_retired(found):
        raise CannotRun(
            f"{file} is of a board that was not retired, and might settle the same round again: "
            "pitkit journal retire FILE, or --dead if it will never play again."
        )
    with opened(port, role) as session:
        if found.header["unique_id"] == session.link.identity["unique_id"]:
            raise CannotRun("that is the same board.")
        round_ = journal_board.adopt(session.link, found)
        unique_id = str(session.link.identity["unique_id"])
    if as_json:
        emit({"adopted": found.header["unique_id"], "board": unique_id, "round": round_})
    else:
        click.echo(
            plain(f"board {unique_id} goes on with the table of {found.header['unique_id']}: ")
            + f"its last round was {round_}"
        )
