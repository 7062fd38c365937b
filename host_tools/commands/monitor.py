"""`pitkit monitor`: the board's events as they happen, one line each."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from firmware import faults
from host_tools.commands.options import board_options, emit, for_option, json_option, note, opened, plain

if TYPE_CHECKING:
    from host_tools.link import Link

NOT_SAID = ("event", "seq", "at_ms", "boot", "utc_how")
QUIET_S = 2.0  # nothing came for so long: see whether the board is still there
# event: what a person is told of it; fields by name, money in dollars as NAME$
WORDS = {
    "boot": "start number {count} of the board, firmware {firmware}, configured as {config}",
    "configured": "configured as {hash} by {author}: {changed}",
    "noticed": "announced by {author} ({rule}), to count later: {changed}",
    "opened": "round {round} is open: {game} {edition}",
    "wager": "wager {ref}: {stake$} on {code} {player}",
    "activated": "round {round}: the tumbler is running",
    "rested": "round {round}: {turns} turns in {run_ms} ms, at rest after {settle_ms} ms more",
    "called": "round {round}: no more bets ({rule})",
    "uncovered": "round {round}: the cover is off",
    "result": "round {round}: {call} ({rule})",
    "withdrawn": "what was announced ({hash}) is withdrawn by {author}",
    "cleared": "round {round}: result {revision} is taken back, to be entered anew ({rule})",
    "settled": "round {round} is settled: {wagers} wagers, {staked$} staked, {pays$} won, {returned$} back",
    "voided": "round {round} is void, {cause} ({rule}): {wagers} wagers, {returned$} back",
    "fault_cleared": "fault {code} is cleared by {author}",
    "clock": "the clock is set by the {how}, {back_ms} ms back",
    "meters": "meters: {games} games, {turnover$} staked, {paid$} paid, {voided} void, {refunded$} back",
    "voids": "voids: {causes}",
    "pulled": "pulled up to record {upto} by {author}",
    "test_mode": "test mode is {on} (1 is on: no meter moves), by {author}",
    "io_entered": "out of play: {author} tries the table's parts (pitkit io)",
    "io_left": "in play again: the parts are off ({cause}) {author}",
    "committed": "game {round} is open: the seed is committed to",
    "closed": "game {round} is closed: no ticket any more ({rule})",
    "drawn": "game {round} is drawn: {numbers}",
    "retired": "this table is carried to another board, by {author}; it stood at round {round}",
    "adopting": "a table comes from board {board}, its record up to {upto}: {records} records, by {author}",
    "adopted": "the table of board {board} goes on here from round {round}",
    "lamp_failed": "round {round}: the lamp of {name} fails, it is {how} ({rule}); the result stands",
    "lamp_works": "round {round}: the lamp of {name} works again",
    "refused": "refused: {act}, {why} ({rule})",
}
STYLES = {
    "result": "bold green",
    "drawn": "bold green",
    "settled": "green",
    "voided": "yellow",
    "fault": "bold red",
    "lamp_failed": "bold yellow",
    "refused": "yellow",
}


@click.command()
@click.option(
    "--from", "start", type=click.IntRange(min=0), help="Start with this event, if the board still has it."
)
@click.option("--count", type=click.IntRange(min=1), help="Stop after so many events.")
@for_option
@board_options("observe")
@json_option
def monitor(
    start: int | None, count: int | None, seconds: float | None, port: str, role: str, as_json: bool
) -> None:
    """Follow the board's events live, until Ctrl-C, --count or --for.

    \b
    Example:
      pitkit monitor --port /dev/ttyACM0 --from 0 --json
    """
    show = emit if as_json else _printer()
    with opened(port, role) as session:
        session.link.follow(start)
        for event in _events(session.link, count, seconds):
            show(event)


def _events(link: Link, count: int | None, seconds: float | None) -> Iterator[dict[str, Any]]:
    end = float("inf") if seconds is None else time.monotonic() + seconds
    told = 0
    while (left := end - time.monotonic()) > 0:
        for event in link.events(min(QUIET_S, left)):
            yield event
            told += 1
            if told == count:
                return
            if time.monotonic() >= end:
                break
        else:
            if time.monotonic() < end:
                _look_after(link)


def _look_after(link: Link) -> None:
    """Still there? A board that started anew has forgotten that we follow it."""
    before, wanted = link.identity["boot_nonce"], link.next_event
    if link.identify()["boot_nonce"] != before:
        note("the board restarted; its record goes on where it was.")
        link.follow(wanted)


def _printer() -> Any:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)

    def show(event: dict[str, Any]) -> None:
        line = Text(f"{event['seq']:>6}  {clock(event['at_ms'])}  ", style="dim")
        line.append(plain(words(event)), style=STYLES.get(event["event"], "default not dim"))
        console.print(line)

    return show


def clock(at_ms: int) -> str:
    """Board time since its start."""
    seconds, ms = divmod(at_ms, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{ms:03}"


def words(event: dict[str, Any]) -> str:
    """One event in words; one we have no words for, as its fields."""
    name = event["event"]
    if name == "fault":
        return f"FAULT {faults.name(event['code'])}: {faults.words(event['code'], event['detail'])}"
    fields = {key: value for key, value in event.items() if key not in NOT_SAID}
    if name == "lamp_failed" and not event["name"]:
        fields["name"] = "an area not known yet"
    if name not in WORDS:
        return " ".join([name, *(f"{key}={value}" for key, value in fields.items())])
    money = {f"{key}$": f"${value / 100:,.2f}" for key, value in fields.items() if isinstance(value, int)}
    said = WORDS[name].format_map({**fields, **money})
    return said.replace(" ()", "").rstrip(" :")
