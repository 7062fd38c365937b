"""`pitkit trace play`: a recorded sensor trace at the pins of a simulated or emulated board."""

from __future__ import annotations

from pathlib import Path

import click

from host_tools.commands.options import board_options, emit, json_option, opened


@click.group()
def trace() -> None:
    """Sensor traces: edges in time, as JSON lines.

    \b
    Example:
      pitkit trace play round.trace --port sim:sic_bo@act1999 --json
    """


@trace.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@board_options("dealer")
@json_option
def play(file: Path, port: str, role: str, as_json: bool) -> int:
    """Play FILE at the board's pins and say what the board made of it.

    Exit code 0: a result or a no spin; 1: the board came to no decision.

    \b
    Example:
      pitkit trace play round.trace --port emu:sic_bo@act1999 --json
    """
    from host_tools import trace as traces

    recorded = traces.read(file)
    with opened(port, role) as session:
        answer = traces.play(session, recorded)
    if as_json:
        emit(answer)
    elif answer["no_spin"]:
        click.echo(f"no spin: {answer['no_spin']} ({answer['rule']})")
    elif answer["result"]:
        click.echo(f"{answer['call']} ({answer['rule']})")
    else:
        click.echo("no decision: the round is not over.")
    return 0 if answer["result"] or answer["no_spin"] else 1
