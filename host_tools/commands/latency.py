"""`pitkit latency`: how long an order takes to the board and back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from host_tools.commands.options import board_options, emit, json_option, opened

if TYPE_CHECKING:
    from host_tools.link import Link

SHARES = (50, 90, 99)


@click.command()
@click.option("--count", type=click.IntRange(min=1), default=200, show_default=True, help="So many orders.")
@board_options("observe")
@json_option
def latency(count: int, port: str, role: str, as_json: bool) -> None:
    """Round trips of an order that changes nothing, one at a time: percentiles in milliseconds.

    \b
    Example:
      pitkit latency --port /dev/ttyACM0 --json
    """
    with opened(port, role) as session:
        session.link.command("time")
        took_ms = sorted(_round_trip_ms(session.link) for _ in range(count))
        retries = session.link.retries
    found = {f"p{share}_ms": round(percentile(took_ms, share), 3) for share in SHARES}
    found |= {"least_ms": round(took_ms[0], 3), "most_ms": round(took_ms[-1], 3)}
    if as_json:
        emit({"port": port, "count": count, **found, "repeated": retries})
        return
    for name, value in found.items():
        click.echo(f"{name.removesuffix('_ms'):>6}  {value:9.3f} ms")
    click.echo(f"{count} orders, {retries} of them sent again")


def _round_trip_ms(link: Link) -> float:
    start = time.perf_counter()
    link.command("time")
    return (time.perf_counter() - start) * 1000


def percentile(ordered: list[float], share: int) -> float:
    """The smallest value that so many of a hundred do not exceed."""
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)]
