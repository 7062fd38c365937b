"""`pitkit time`: the board's clock, set from this machine's and asked."""

from __future__ import annotations

import time as clock
from datetime import UTC, datetime

import click

from host_tools.commands.options import board_options, emit, json_option, note, opened
from host_tools.errors import CannotRun


@click.group()
def time() -> None:
    """The board's clock: a Pico has none until it is set.

    \b
    Example:
      pitkit time set --port /dev/ttyACM0
    """


def _instant(text: str | None) -> int:
    """Milliseconds since 1970, of this moment or of the one that is named."""
    if text is None:
        return clock.time_ns() // 1_000_000
    try:
        named = datetime.fromisoformat(text)
    except ValueError as error:
        raise CannotRun(f"{text!r} is no time, as 2026-11-18T10:00:00+00:00.") from error
    if named.tzinfo is None:
        raise CannotRun(f"{text!r} does not say in which zone: end it with +00:00 or Z.")
    utc_ms = int(named.timestamp() * 1000)
    if utc_ms < 0:
        raise CannotRun(f"{text!r} is no time of this century that we could be living in.")
    return utc_ms


@time.command("set")
@click.option("--utc", "named", help="This time in place of now, as 2026-11-18T10:00:00Z.")
@board_options("supervisor")
@json_option
def set_(named: str | None, port: str, role: str, as_json: bool) -> None:
    """Set the board's clock, from this machine's or to --utc; it is in the board's record.

    \b
    Example:
      pitkit time set --port /dev/ttyACM0
    """
    with opened(port, role) as session:
        utc_ms = _instant(named)
        back_ms = session.link.command("time_set", utc_ms=utc_ms)["back_ms"]
    if back_ms:
        note(f"the board's clock went back by {back_ms / 1000:.3f} s; its record says so.")
    said = datetime.fromtimestamp(utc_ms / 1000, UTC).isoformat(timespec="milliseconds")
    if as_json:
        emit({"utc": said, "back_ms": back_ms})
    else:
        click.echo(f"the board's clock is set to {said}")


@time.command("get")
@board_options("observe")
@json_option
def get(port: str, role: str, as_json: bool) -> None:
    """What time the board has, and how it knows.

    \b
    Example:
      pitkit time get --port /dev/ttyACM0 --json
    """
    with opened(port, role) as session:
        told = session.link.command("time")
    utc = None
    if told["how"]:
        utc = datetime.fromtimestamp(told["utc_ms"] / 1000, UTC).isoformat(timespec="milliseconds")
    if as_json:
        emit({"utc": utc, "how": told["how"] or None, "at_ms": told["at_ms"]})
    else:
        click.echo(f"{utc}, set by the {told['how']}" if utc else "the board does not know the time.")
