"""`pitkit io`: a new table tried part by part: its pins, keys, lamps, digits, motor and tumbler.

While it runs the table is out of play. Whatever was lit or running is off when it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from firmware.protocol.messages import IO_DARK
from host_tools.commands.options import board_options, emit, json_option, note, opened
from host_tools.errors import CannotRun

if TYPE_CHECKING:
    from rich.table import Table

    from host_tools.board_io import BoardIo, Edge

PATIENCE_S = 150.0  # the longest run of a tumbler that a configuration allows, and then some
LAMP_S, DIGIT_S = 0.7, 0.5

for_option = click.option(
    "--for", "seconds", type=click.FloatRange(min=0, min_open=True), help="Stop after so many seconds."
)


def each_option(seconds: float) -> Callable[[Any], Any]:
    return click.option(
        "--each",
        "each_s",
        type=click.FloatRange(min=0),
        default=seconds,
        show_default=True,
        help="Seconds for each of them.",
    )


@contextmanager
def tried(port: str, role: str) -> Iterator[BoardIo]:
    from host_tools.board_io import BoardIo

    with opened(port, role) as session, BoardIo(session.link) as board:
        yield board


@click.group()
def io() -> None:
    """Try a table's parts one by one, between rounds: the first thing done on a new table.

    The table is out of play meanwhile; when the command ends, everything is off and dark.

    \b
    Example:
      pitkit io watch --port /dev/ttyACM0
      pitkit io lamp all --port /dev/ttyACM0
    """


# -- pins


@io.command()
@for_option
@board_options("supervisor")
@json_option
def watch(seconds: float | None, port: str, role: str, as_json: bool) -> None:
    """Watch the pins live: name, GPIO, open or closed, edges counted. Ctrl-C ends it.

    With --json a line for each pin as it stands, then one for every edge.

    \b
    Example:
      pitkit io watch --port /dev/ttyACM0
      pitkit io watch --port sim:sic_bo@act1999 --for 2 --json
    """
    with tried(port, role) as board:
        (_stream if as_json else _screen)(board, seconds)
        if board.lost:
            note(f"{board.lost} edges came faster than they could be kept.")


def _row(edge: Edge) -> dict[str, Any]:
    pin = {"pin": edge.pin.name or None, "gpio": edge.pin.gpio}
    return {**pin, "closed": bool(edge.closed), "level": edge.level, "edges": edge.edges, "t_us": edge.at_us}


def _stream(board: BoardIo, seconds: float | None) -> None:
    for pin, closed in zip(board.pins, board.closed(), strict=True):
        named = {"pin": pin.name or None, "gpio": pin.gpio}
        emit({**named, "closed": bool(closed), "level": pin.level(closed), "edges": 0})
    for edges in board.edges(seconds):
        for edge in edges:
            emit(_row(edge))


def _screen(board: BoardIo, seconds: float | None) -> None:
    """A table drawn anew where the output is a terminal; elsewhere once, and then the edges as lines."""
    from rich.console import Console
    from rich.live import Live

    console = Console()
    rows = [[closed, 0] for closed in board.closed()]
    if not console.is_terminal:
        console.print(_pins(board, rows))
        _lines(board, seconds)
        return
    with Live(_pins(board, rows), console=console, auto_refresh=False) as live:
        for edges in board.edges(seconds):
            for edge in edges:
                rows[board.pins.index(edge.pin)] = [edge.closed, edge.edges]
            if edges:
                live.update(_pins(board, rows), refresh=True)


def _pins(board: BoardIo, rows: list[list[int]]) -> Table:
    from rich.table import Table

    table = Table("pin", "GPIO", "level", "contact", "edges")
    for pin, (closed, edges) in zip(board.pins, rows, strict=True):
        style = "bold green" if closed else ("dim" if not edges else "")
        words = [pin.name or "(no name)", str(pin.gpio), str(pin.level(closed))]
        table.add_row(*words, "closed" if closed else "open", str(edges), style=style)
    return table


def _lines(board: BoardIo, seconds: float | None) -> None:
    for edges in board.edges(seconds):
        for edge in edges:
            state = "closed" if edge.closed else "open"
            click.echo(f"{edge.at_us / 1e6:12.6f} s  {edge.pin.label:<18} {state}  (edge {edge.edges})")


@io.command()
@click.option("--count", type=click.IntRange(min=1), help="Stop after so many pins.")
@for_option
@board_options("supervisor")
@json_option
def name(count: int | None, seconds: float | None, port: str, role: str, as_json: bool) -> None:
    """Press a key, move a switch: says which pin that is, also one that has no name.

    \b
    Example:
      pitkit io name --port /dev/ttyACM0
    """
    with tried(port, role) as board:
        note("press a key or move a switch; Ctrl-C ends it.")
        for told, edge in enumerate(_moved(board, seconds), 1):
            if as_json:
                emit({"pin": edge.pin.name or None, "gpio": edge.pin.gpio, "closed": bool(edge.closed)})
            else:
                click.echo(_named(edge))
            if told == count:
                return


def _named(edge: Edge) -> str:
    moved = "closed" if edge.closed else "opened"
    if edge.pin.name:
        return f"{edge.pin.name} is GP{edge.pin.gpio} ({moved})"
    return f"GP{edge.pin.gpio} has no name: [pins] in the configuration gives it one ({moved})"


def _moved(board: BoardIo, seconds: float | None) -> Iterator[Edge]:
    """Each pin once in a row: a key that bounces, or is let go, is told once."""
    last = None
    for edges in board.edges(seconds):
        for edge in edges:
            if edge.pin != last:
                last = edge.pin
                yield edge


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
