"""`pitkit io`: a new table tried part by part: its pins, keys, lamps, digits, motor and tumbler.

While it runs the table is out of play. Whatever was lit or running is off when it ends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from firmware.protocol.messages import IO_DARK
from host_tools.commands.io_pins import name, tried, watch
from host_tools.commands.options import board_options, emit, json_option
from host_tools.errors import CannotRun

if TYPE_CHECKING:
    from host_tools.board_io import BoardIo

PATIENCE_S = 150.0  # the longest run of a tumbler that a configuration allows, and then some
LAMP_S, DIGIT_S = 0.7, 0.5


def each_option(seconds: float) -> Callable[[Any], Any]:
    return click.option(
        "--each",
        "each_s",
        type=click.FloatRange(min=0),
        default=seconds,
        show_default=True,
        help="Seconds for each of them.",
    )


@click.group()
def io() -> None:
    """Try a table's parts one by one, between rounds: the first thing done on a new table.

    The table is out of play meanwhile; when the command ends, everything is off and dark.

    \b
    Example:
      pitkit io watch --port /dev/ttyACM0
      pitkit io lamp all --port /dev/ttyACM0
    """


io.add_command(watch)
io.add_command(name)

# -- lamps and digits


@io.command()
@click.argument("area")
@each_option(LAMP_S)
@board_options("supervisor")
@json_option
def lamp(area: str, each_s: float, port: str, role: str, as_json: bool) -> None:
    """Light the lamp of one AREA (small, triple:3, …), or of all areas in turn.

    \b
    Example:
      pitkit io lamp all --port /dev/ttyACM0
      pitkit io lamp double:3 --each 10
    """
    with tried(port, role) as board:
        areas = _areas(board)
        if area not in ("all", *areas):
            raise CannotRun(f"there is no area {area!r}; the table has {', '.join(areas)}.")
        for index, lit in enumerate(areas):
            if area in ("all", lit):
                board.light([index])
                emit({"lamp": lit, "output": index}) if as_json else click.echo(f"output {index:>2}  {lit}")
                board.stay(each_s)


def _areas(board: BoardIo) -> list[str]:
    from rules_min.settlement import GAMES

    return list(GAMES[board.link.identity["table"]].AREAS)[: board.lamps]


@io.command()
@each_option(DIGIT_S)
@board_options("supervisor")
@json_option
def digit(each_s: float, port: str, role: str, as_json: bool) -> None:
    """Light each place of the display in turn (an 8: every segment), then 0 to 9 in all of them.

    \b
    Example:
      pitkit io digit --port /dev/ttyACM0
    """
    with tried(port, role) as board:
        pictures = [[IO_DARK] * place + [8] for place in range(board.digits)]
        pictures += [[number] * board.digits for number in range(10)]
        for picture in pictures:
            board.show(picture)
            words = "".join("_" if number == IO_DARK else str(number) for number in picture)
            emit({"display": words.replace("_", " ")}) if as_json else click.echo(words)
            board.stay(each_s)


# -- what moves


@io.command()
@click.option("--ms", type=click.IntRange(min=1, max=5000), default=500, show_default=True, help="How long.")
@board_options("supervisor")
@json_option
def motor(ms: int, port: str, role: str, as_json: bool) -> None:
    """Run the motor for a moment. It stops by itself, also when the line breaks.

    \b
    Example:
      pitkit io motor --ms 300 --port /dev/ttyACM0
    """
    with tried(port, role) as board:
        board.motor(ms)
        board.stay(ms / 1000)
        turns = board.link.command("io_tumble", start=0)["turns"]
    emit({"motor_ms": ms, "turns": turns}) if as_json else click.echo(f"{ms} ms, {turns} turns counted")


@io.command()
@board_options("supervisor")
@json_option
def tumble(port: str, role: str, as_json: bool) -> int:
    """Run the tumbler once, as a round would: turns counted, times, dice at rest.

    Exit code 1: it stalled, or its dice did not come to rest.

    \b
    Example:
      pitkit io tumble --port /dev/ttyACM0
    """
    with tried(port, role) as board:
        told = board.tumble(PATIENCE_S)
    if as_json:
        emit(
            {key: told[key] for key in ("turns", "run_ms", "settle_ms")}
            | {"trouble": told["trouble"] or None}
        )
    else:
        rest = told["trouble"] or f"at rest {told['settle_ms']} ms later"
        click.echo(f"{told['turns']} turns in {told['run_ms']} ms; {rest}")
    return 1 if told["trouble"] else 0
