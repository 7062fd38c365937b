"""`pitkit sim` and `pitkit emu`: a board that stays up, for other programs to talk to and to wire."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from host_tools.commands.options import emit, json_option, opened, plain
from host_tools.errors import CannotRun, NoBoard

if TYPE_CHECKING:
    from host_tools.ports import Session

LOOK_S = 0.2  # how often we look whether the board still lives


def _standing(function: Callable[..., None]) -> Callable[..., None]:
    """The argument and options that both share."""
    for add in (
        click.argument("table", metavar="TABLE[@EDITION]"),
        click.option(
            "--state", type=click.Path(file_okay=False, path_type=Path), help="Keep its flash in this folder."
        ),
        click.option(
            "--realtime", is_flag=True, help="Board time passes no faster than the clock on the wall."
        ),
        click.option(
            "--parts", metavar="KIND,…", help="Parts in place of the board's own, as matrix,ws2812."
        ),
        json_option,
    ):
        function = add(function)
    return function


@click.command()
@_standing
def sim(table: str, state: Path | None, realtime: bool, parts: str | None, as_json: bool) -> None:
    """Start a simulated board and keep it up until Ctrl-C (exit code 130) or SIGTERM (0).

    It is the firmware on MicroPython's unix port. Prints the port for --port and the fixture's
    socket; the fixture protocol moves its pins, its power and its time.

    \b
    Example:
      pitkit sim sic_bo@act1999 --state ./flash
    """
    _stand(_port("sim", table, state, parts), realtime, as_json)


@click.command()
@_standing
def emu(table: str, state: Path | None, realtime: bool, parts: str | None, as_json: bool) -> None:
    """Start the real image on the emulated RP2040 and keep it up until Ctrl-C (130) or SIGTERM (0).

    The first start builds the image. Prints the port for --port and the fixture's socket.

    \b
    Example:
      pitkit emu sic_bo@act1999 --json
    """
    _stand(_port("emu", table, state, parts), realtime, as_json)


def _port(kind: str, table: str, state: Path | None, parts: str | None) -> str:
    if "?" in table:
        raise CannotRun(f"{table!r} is no TABLE[@EDITION], as sic_bo@act1999.")
    options = {"state": quote(str(state)) if state else None, "parts": parts}
    query = "&".join(f"{name}={value}" for name, value in options.items() if value)
    return f"{kind}:{table}?{query}" if query else f"{kind}:{table}"


def _stand(port: str, realtime: bool, as_json: bool) -> None:
    stopped = _stop_on_sigterm()
    with opened(port, "supervisor", realtime) as session:
        identity = session.link.identity
        session.link.close()  # the port is for others now
        host, number = session.fixture_address or ("", 0)
        facts = {
            "port": session.port,
            "fixture": f"{host}:{number}",
            "table": identity["table"],
            "edition": identity["edition"],
            "pid": session.backend.pid if session.backend else None,
        }
        with socket.create_connection((host, number)) as watch:
            _announce(facts, as_json)
            while not stopped.is_set():
                _look_after(session, watch)


def _look_after(session: Session, watch: socket.socket) -> None:
    """A board that crashed says so; one whose process is gone hangs up."""
    watch.settimeout(LOOK_S)
    try:
        gone = not watch.recv(1)
    except TimeoutError:
        gone = False
    crashed = getattr(session.backend, "crashed", None) or ("the board's process ended" if gone else None)
    if crashed:
        raise NoBoard(f"{crashed}.")


def _announce(facts: dict[str, Any], as_json: bool) -> None:
    if as_json:
        emit(facts)
        return
    click.echo(plain(f"{facts['table']}@{facts['edition']} is up; Ctrl-C stops it"))
    click.echo(plain(f"  port     {facts['port']}"))
    click.echo(plain(f"  fixture  {facts['fixture']}"))


def _stop_on_sigterm() -> threading.Event:
    """Asked to stop is what ends this command well."""
    stopped = threading.Event()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    return stopped
