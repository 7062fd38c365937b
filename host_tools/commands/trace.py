"""`pitkit trace`: what happens at a board's pins, recorded; and played at a simulated or emulated board."""

from __future__ import annotations

from pathlib import Path

import click

from host_tools.commands.options import board_options, emit, for_option, json_option, note, opened


@click.group()
def trace() -> None:
    """Sensor traces: edges in time, as JSON lines.

    \b
    Example:
      pitkit trace record round.trace --port /dev/ttyACM0
      pitkit trace play round.trace --port sim:sic_bo@act1999 --json
    """


@trace.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@for_option
@board_options("supervisor")
@json_option
def record(file: Path, seconds: float | None, port: str, role: str, as_json: bool) -> None:
    """Record what happens at the board's pins into FILE, until Ctrl-C or --for. The table plays on.

    \b
    Example:
      pitkit trace record round.trace --port /dev/ttyACM0 --for 60
    """
    from host_tools.trace_record import record as record_edges

    with opened(port, role) as session, file.open("w", encoding="utf-8") as out:
        note(f"recording into {file}; Ctrl-C ends it.")
        count = record_edges(session.link, out, seconds)
    if as_json:
        emit({"file": str(file), "edges": count})
    else:
        click.echo(f"{count} edges in {file}")


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
