"""`pitkit journal`: the board's record, pulled, checked, shown, recalled; its meters; its key."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from firmware import faults
from host_tools import journal_board, journal_check, journal_file, keys
from host_tools.commands.monitor import clock, words
from host_tools.commands.options import board_options, emit, json_option, note, opened, plain
from host_tools.errors import CannotRun, PitkitError

file_argument = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))


@click.group()
def journal() -> None:
    """The board's own record: pull it, check its chain, show it; recall games; the table's meters.

    The chain convinces whoever has the board's first key (pitkit journal key, in its first days):
    nobody without it can have changed a record. Without the key only accidents are found.

    \b
    Example:
      pitkit journal pull table.journal --port /dev/ttyACM0 && pitkit journal verify table.journal
    """


@journal.command()
@file_argument
@click.option("--copy", is_flag=True, help="Only copy: the board keeps all of it until it is pulled.")
@board_options("supervisor")
@json_option
def pull(file: Path, copy: bool, port: str, role: str, as_json: bool) -> None:
    """Copy the journal from the board's flash into FILE, check it, and tell the board that you have it.

    The board may then drop the oldest when it needs room; FILE keeps them. Pulling into the same
    FILE again fetches only what is new, also after a pull that broke off.

    \b
    Example:
      pitkit journal pull table.journal --port /dev/ttyACM0
    """
    with opened(port, role) as session:
        pulled = journal_board.pull(session.link, file, _progress)
        if not copy:  # a record that the board cannot read any more is no better kept on the board
            journal_board.mark_pulled(session.link, pulled)
    _tell(file, as_json)


def _progress(done: int, total: int) -> None:
    if done % 10 == 0 or done == total:
        note(f"segment {done} of {total}")


@journal.command()
@file_argument
@json_option
def verify(file: Path, as_json: bool) -> None:
    """Check FILE: its digest, every record, and the chain where PITKIT_KEYS has the board's key.

    \b
    Example:
      PITKIT_KEYS=keys.json pitkit journal verify table.journal
    """
    _tell(file, as_json)


def _tell(file: Path, as_json: bool) -> None:
    changed = journal_file.damage(file)
    verdict = _verdict(file, changed)
    if as_json:
        emit({"file": str(file), **asdict(verdict)})
    else:
        span = f"records {verdict.first} to {verdict.last}" if verdict.records else "no records"
        click.echo(plain(f"{file}: {span} in {verdict.segments} segments"))
        proof = "every link of the chain holds" if verdict.chain else "the chain was not checked: no key"
        click.echo(proof if verdict.problem is None else "NOT GOOD")
    if verdict.problem:
        raise PitkitError(f"{file}: {verdict.problem}.")


def _verdict(file: Path, changed: str | None) -> journal_check.Verdict:
    """Both views of what is wrong: which line of the file, and which record."""
    try:
        found = journal_file.read(file)
    except CannotRun:
        if changed is None:
            raise
        return journal_check.Verdict(problem=changed)
    verdict = journal_check.verify(found, keys.journal_key(str(found.header["unique_id"])))
    verdict.problem = "; ".join(part for part in (changed, verdict.problem) if part) or None
    return verdict


@journal.command()
@file_argument
@click.option("--games", type=click.IntRange(min=1), help="Only the newest so many games.")
@json_option
def show(file: Path, games: int | None, as_json: bool) -> None:
    """Show what FILE holds, one event a line.

    \b
    Example:
      pitkit journal show table.journal --games 100
    """
    found = list(journal_file.events(journal_file.read(file)))
    if games:
        rounds = sorted({event["round"] for event in found if event.get("round")})[-games:]
        found = [event for event in found if event.get("round") in set(rounds)]
    for event in found:
        emit(_printable(event)) if as_json else click.echo(plain(_line(event)))
    changed = journal_file.damage(file)
    if changed:
        raise PitkitError(f"{file}: {changed}; what is shown is what can still be read.")


def _printable(event: dict[str, Any]) -> dict[str, Any]:
    return {key: value.hex() if isinstance(value, bytes) else value for key, value in event.items()}


def _line(event: dict[str, Any]) -> str:
    told = {key: value for key, value in event.items() if key != "utc_ms"} | _only_clock(event)
    return f"{event['seq']:>6}  {_when(event)}  {words(told)}"


def _only_clock(event: dict[str, Any]) -> dict[str, Any]:
    return {"utc_ms": event["utc_ms"]} if event["event"] == "clock" else {}


def _when(event: dict[str, Any]) -> str:
    """UTC where it was known, else the time since that start of the board."""
    if event["utc_ms"] is None:
        return f"{'+' + clock(event['at_ms']):>24}"
    return datetime.fromtimestamp(event["utc_ms"] / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3] + "Z"


@journal.command()
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, help="So many.")
@board_options("observe")
@json_option
def recall(games: int, port: str, role: str, as_json: bool) -> None:
    """The newest games from the board's own memory, newest first: wagers, evidence, result, settlement.

    \b
    Example:
      pitkit journal recall --games 5 --port /dev/ttyACM0
    """
    with opened(port, role) as session:
        for count, events in enumerate(journal_board.recall(session.link, games), 1):
            if as_json:
                emit({"round": events[0]["round"], "events": [_printable(event) for event in events]})
            else:
                for event in events:
                    click.echo(plain(f"{event['seq']:>6}  {'+' + clock(event['at_ms'])}  {words(event)}"))
                click.echo()
            if count % 25 == 0:
                note(f"{count} games")


@journal.command()
@board_options("observe")
@json_option
def meters(port: str, role: str, as_json: bool) -> None:
    """The table's meters: games, turnover, paid, voids by cause, faults by code. Test mode moves none.

    \b
    Example:
      pitkit journal meters --port /dev/ttyACM0
    """
    with opened(port, role) as session:
        told = session.link.command("meters")
        causes = session.link.command("voids")["causes"]
    voids = {cause: int(n) for cause, _, n in (pair.partition(":") for pair in causes.split())}
    failed = {int(code): int(n) for code, _, n in (pair.partition(":") for pair in told["faults"].split())}
    named = {faults.name(code): count for code, count in failed.items()}
    sums = {name: told[name] for name in ("games", "turnover", "paid", "voided", "refunded")}
    if as_json:
        emit({**sums, "voids": voids, "faults": named, "pulled": told["pulled"]})
        return
    click.echo(f"games     {sums['games']:>12,}")
    for name in ("turnover", "paid", "refunded"):
        click.echo(f"{name:<9} {'$' + format(sums[name] / 100, ',.2f'):>12}")
    for title, counts in (("voids", voids), ("faults", named)):
        said = ", ".join(f"{name} {count}" for name, count in counts.items())
        click.echo(plain(f"{title:<9} {sum(counts.values()):>12,}  {said}".rstrip()))


@journal.command()
@board_options("inspector")
@json_option
def key(port: str, role: str, as_json: bool) -> None:
    """Keep the chain's first key in the file named by PITKIT_KEYS; the key is never shown.

    The board gives it only before its second segment is begun: do it when the board is new.

    \b
    Example:
      PITKIT_KEYS=keys.json pitkit journal key --port /dev/ttyACM0
    """
    with opened(port, role) as session:
        unique_id = str(session.link.identity["unique_id"])
        path = keys.keep_journal_key(unique_id, session.link.command("journal_key")["key"])
    if as_json:
        emit({"unique_id": unique_id, "kept": str(path)})
    else:
        click.echo(plain(f"the key of board {unique_id} is in {path}"))
