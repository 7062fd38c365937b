"""`pitkit io watch` and `io name`: the pins of a board, live, and which one a key is on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from host_tools.commands.options import board_options, emit, for_option, json_option, note, opened

if TYPE_CHECKING:
    from rich.table import Table

    from host_tools.board_io import BoardIo, Edge


@contextmanager
def tried(port: str, role: str) -> Iterator[BoardIo]:
    """The board with its parts in our hands."""
    from host_tools.board_io import BoardIo

    with opened(port, role) as session, BoardIo(session.link) as board:
        yield board


@click.command()
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
        gpio = "matrix" if pin.gpio is None else str(pin.gpio)
        words = [pin.name or "(no name)", gpio, str(pin.level(closed))]
        table.add_row(*words, "closed" if closed else "open", str(edges), style=style)
    return table


def _lines(board: BoardIo, seconds: float | None) -> None:
    for edges in board.edges(seconds):
        for edge in edges:
            state = "closed" if edge.closed else "open"
            click.echo(f"{edge.at_us / 1e6:12.6f} s  {edge.pin.label:<18} {state}  (edge {edge.edges})")


@click.command()
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
    if edge.pin.gpio is None:
        return f"{edge.pin.name} is a key of the matrix ({moved})"
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
