"""`pitkit link stats`: how healthy the line to a board is, as the board has counted it."""

from __future__ import annotations

from typing import Any

import click

from host_tools.commands.options import board_options, emit, json_option, note, opened
from host_tools.errors import CannotRun

WORDS = {
    "frames": "frames came whole",
    "bad": "frames came spoilt (crc) or cut short",
    "commands": "commands were applied",
    "repeated": "came again and were answered again, not applied",
    "held": "came before the one before them, and waited",
    "events": "events were sent",
    "events_again": "of them again",
    "dropped": "answers had no room on the way out, and were asked for again",
    "patience_ms": "ms until an event is sent again",
}


@click.group()
def link() -> None:
    """The line between this machine and a board.

    \b
    Example:
      pitkit link stats --port /dev/ttyACM0
    """


@link.command()
@board_options("observe")
@json_option
def stats(port: str, role: str, as_json: bool) -> None:
    """What the board has counted on its line since it started.

    \b
    Example:
      pitkit link stats --port /dev/ttyACM0 --json
    """
    with opened(port, role) as session:
        identity = session.link.identity
        if identity["minor"] < 1:
            raise CannotRun(f"the board on {port} speaks protocol 1.0, which counts nothing.")
        told = session.link.command("line_stats")
        told |= {"sent_again": session.link.retries, "boot": identity["boot"]}
    if as_json:
        emit({"port": port, **told})
    else:
        _print(told)


def _print(told: dict[str, Any]) -> None:
    for name, words in WORDS.items():
        click.echo(f"{told[name]:>9}  {words}")
    seconds = (told["now_ms"] - told["since_ms"]) / 1000
    note(f"counted since start {told['boot']} of the board, {seconds:,.1f} s ago.")
