"""`pitkit image`: builds the image that goes onto a board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from host_tools.commands.options import emit, json_option
from host_tools.errors import CannotRun

if TYPE_CHECKING:
    from host_tools.image import Image


@click.group()
def image() -> None:
    """Build images for boards.

    \b
    Example:
      pitkit image build --board rpi_pico
    """


@image.command()
@click.option("--board", required=True, help="The board, as `pitkit boards` names it.")
@click.option("--table", help="TABLE[@EDITION] it is set up as from the first start.")
@click.option("--fresh", is_flag=True, help="Compile all of it anew; the same bytes must come out.")
@json_option
def build(board: str, table: str | None, fresh: bool, as_json: bool) -> None:
    """Build the image of a board, and print where it is, its SHA-256 and its sizes.

    \b
    Example:
      pitkit image build --board rpi_pico --table sic_bo@act1999
    """
    from host_tools import board_files
    from host_tools.image import build as build_image

    board_files.named(board)
    game, edition = _table(table) if table is not None else (None, None)
    made = build_image(board, game, edition, fresh=fresh)
    if as_json:
        emit({"board": board, **_facts(made)})
    else:
        _show(made)


def _facts(made: Image) -> dict[str, Any]:
    files = {"uf2": str(made.uf2), "bin": str(made.bin), "map": str(made.map)}
    hashes = {"sha256": made.sha256, "image_hash": made.image_hash}
    return {**files, **hashes, "sizes": made.sizes, "rooms": made.rooms}


def _show(made: Image) -> None:
    click.echo(f"{made.uf2}\nSHA-256  {made.sha256}\nimage    {made.image_hash}\n")
    click.echo(f"{'room':<20} {'flash':>9} {'static RAM':>11}  bytes")
    for room, share in sorted(made.rooms.items()):
        click.echo(f"{room:<20} {share['flash_bytes']:>9,} {share['ram_bytes']:>11,}")
    click.echo(f"{'all':<20} {made.sizes['flash_bytes']:>9,} {made.sizes['ram_bytes']:>11,}")


def _table(text: str) -> tuple[str, str]:
    """(game, edition) of TABLE[@EDITION], if this version can run it."""
    from host_tools.targets import TABLES, parse_target

    if ":" in text or "?" in text:
        raise CannotRun(f"{text!r} is no TABLE[@EDITION], as sic_bo@act1999.")
    target = parse_target(f"sim:{text}")
    return TABLES[target.table], target.edition
