"""`pitkit test`: test mode, in which a table plays as ever and no meter moves."""

from __future__ import annotations

import click

from host_tools.commands.options import board_options, emit, json_option, opened


@click.command()
@click.argument("state", type=click.Choice(("on", "off")))
@board_options("supervisor")
@json_option
def test(state: str, port: str, role: str, as_json: bool) -> None:
    """Put the table into test mode, or out of it. It plays and records as ever; no meter moves.

    \b
    Example:
      pitkit test on --port /dev/ttyACM0
    """
    with opened(port, role) as session:
        session.link.command("test_mode", on=int(state == "on"))
    if as_json:
        emit({"test": state == "on"})
    else:
        click.echo(f"test mode is {state}")
