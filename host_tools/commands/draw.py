"""`pitkit draw`: draws from a keno or tri-chro board, each checked as it comes; recorded draws checked."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import msgspec

from firmware import faults
from host_tools import draw_file
from host_tools.commands.options import board_options, emit, json_option, note, opened, plain
from host_tools.errors import BoardFault, CannotRun, PitkitError
from host_tools.link import Link
from rules_min.draws import SIZES

DRAWN_GAMES = tuple(SIZES)


@click.group(invoke_without_command=True)
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, help="So many games.")
@click.option(
    "--tickets",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The tickets of each game: the digest of this file goes into the draw.",
)
@click.option("--void", "void_open", is_flag=True, help="First declare a game void that somebody left open.")
@board_options("dealer")
@json_option
@click.pass_context
def draw(
    ctx: click.Context,
    count: int,
    tickets: Path | None,
    void_open: bool,
    port: str,
    role: str,
    as_json: bool,
) -> None:
    """Draw from a keno or tri-chro board: commitment, tickets and nonce, numbers; each draw is replayed.

    The board commits to its seed before it hears the tickets' digest and this tool's nonce. --json
    writes one line a draw, which `pitkit draw verify` (and anybody) can check later.

    \b
    Example:
      pitkit draw --count 10 --json --port sim:keno@act1999 > today.draws && pitkit draw verify today.draws
    """
    if ctx.invoked_subcommand:
        return
    pool = hashlib.sha256(tickets.read_bytes() if tickets else b"").digest()
    with opened(port, role) as session:
        link = session.link
        _ready(link, void_open)
        chain = draw_file.Chain()
        for _ in range(count):
            told = _one(link, pool)
            problem = chain.add(msgspec.convert(told, draw_file.Draw))
            emit(told) if as_json else click.echo(_words(told))
            if problem:
                raise PitkitError(f"game {told['game_number']} is not what its record gives: {problem}.")


def _ready(link: Link, void_open: bool) -> None:
    identity = link.identity
    if identity["table"] not in DRAWN_GAMES:
        raise CannotRun(
            f"the board plays {identity['table'] or 'nothing yet'}, not {' or '.join(DRAWN_GAMES)}."
        )
    if identity["fault"]:
        detail = link.command("status")["detail"]
        raise BoardFault(f"{faults.words(identity['fault'], detail)}.")
    if void_open and link.command("status")["betting"] != "closed":
        link.command("no_spin", cause="malfunction")
        note("the game that was open is void; its commitment is never opened.")


def _one(link: Link, pool: bytes) -> dict[str, Any]:
    """One game. The nonce is made when the commitment is here, and not before."""
    committed, nonce = link.command("game_open"), secrets.token_bytes(32)
    link.command("game_close", pool=pool, nonce=nonce)
    drawn = link.command("game_draw")
    if (drawn["pool"], drawn["nonce"], drawn["last"]) != (pool, nonce, committed["last"]):
        raise PitkitError("the board did not draw from what it was given: its draw proves nothing.")
    return draw_file.line(str(link.identity["unique_id"]), committed["commitment"], drawn)


def _words(told: dict[str, Any]) -> str:
    numbers = " ".join(f"{number:2}" for number in told["numbers"])
    return f"game {told['game_number']}: {numbers}   (commitment {told['commitment'][:16]}…)"


@draw.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@json_option
def verify(file: Path, as_json: bool) -> None:
    """Replay every draw in FILE (from pitkit draw --json, or a pulled journal): yes, or no and where.

    Commitments that were never opened (void games) are counted.

    \b
    Example:
      pitkit draw verify today.draws
    """
    verdict = draw_file.verify(file)
    if as_json:
        emit({"file": str(file), "good": verdict.problem is None, **asdict(verdict)})
    else:
        span = f"games {verdict.first} to {verdict.last}" if verdict.draws else "no game"
        void = f"; {verdict.unopened} commitments were never opened" if verdict.unopened else ""
        click.echo(plain(f"{file}: {span}, {verdict.draws} draws, {verdict.numbers} numbers{void}"))
        click.echo("yes: every draw is what its record gives" if verdict.problem is None else "NO")
    if verdict.problem:
        raise PitkitError(f"{file}: {verdict.problem}.")
