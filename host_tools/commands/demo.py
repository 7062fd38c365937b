"""`pitkit demo`: one sic-bo round on the simulated board, told step by step.

Everything shown is read back from the board: lamps and display from its pins, the story from
its events. The fingers on the keys and the tumbler are the bench's; the firmware is its own.
"""

from __future__ import annotations

import time
from typing import Any

import click
from rich.console import Console

from host_tools.commands.options import emit, json_option
from host_tools.conformance import tumbler
from host_tools.conformance.bench import Bench
from host_tools.layout import draw_layout
from host_tools.ports import open_port

PORT = "sim:sic_bo@act1999"
WAGERS = (("small", 500, "Ada"), ("double:3", 200, "Ben"), ("total:10", 300, "Ada"), ("triple:6", 100, "Cho"))
DICE = (3, 4, 3)
PAUSE_S = 0.7  # for a person to read; none where nobody watches


def dollars(cents: int) -> str:
    return f"${cents / 100:,.2f}"


class Story:
    def __init__(self, console: Console) -> None:
        self.console = console

    def say(self, words: str, clause: str = "") -> None:
        tail = f" [dim]({clause})[/dim]" if clause else ""
        self.console.print(f"[bold]•[/bold] {words}{tail}", highlight=False, soft_wrap=True)
        if self.console.is_terminal:
            time.sleep(PAUSE_S)

    def event(self, bench: Bench, name: str) -> dict[str, Any]:
        """The newest event of that name, from the board's own record."""
        bench.collect()
        found = [event for event in bench.events if event["event"] == name]
        if not found:
            raise click.ClickException(f"the board did not tell of '{name}'")
        return found[-1]


def play_round(story: Story, bench: Bench) -> None:
    bench.press("key_open")
    number = story.event(bench, "opened")["round"]
    story.say(f"The dealer presses OPEN. Round {number}: betting is open, the layout is dark.")
    for ref, (code, stake, player) in enumerate(WAGERS, 1):
        bench.link.command("wager", ref=ref, code=code, stake=stake, player=player)
        story.say(f"{player} puts {dollars(stake)} on {code}. The board has it on flash.", "act sicbo 4.2")
    bench.press("key_spin")
    story.say("Cover on, the dealer activates the tumbler; the board drives its motor.", "act sicbo 5.1")
    tumbler.turn_until_the_motor_stops(bench)
    bench.wait_for(("rested",), 0)
    rested = story.event(bench, "rested")
    story.say(f"It turned over {rested['turns']} times in {rested['run_ms'] / 1000:.1f} s and lies still.")
    bench.press("key_no_more_bets")
    story.say("NO MORE BETS.", story.event(bench, "called")["rule"])
    bench.move("cover", False)
    for die in DICE:
        bench.press(f"key{die}")
    story.say(
        f"Cover off. The dealer keys in what lies there; the display shows “{bench.fixture.display()}”."
    )
    bench.press("key_entry")
    result = story.event(bench, "result")
    story.say(f"ENTRY. The board calls: [bold]{result['call']}[/bold].", result["rule"])


def show_result(story: Story, bench: Bench) -> list[dict[str, Any]]:
    story.console.print(draw_layout(bench.fixture.lamps()))
    settlements = []
    for ref, (code, stake, player) in enumerate(WAGERS, 1):
        paid = bench.link.command("payout", ref=ref)
        settlements.append({"player": player, **paid})
        odds = f" at {paid['odds'][0]} to {paid['odds'][1]}" if paid["odds"] else ""
        words = f"{player}'s {dollars(stake)} on {code}: [bold]{paid['outcome']}[/bold]{odds}"
        story.say(f"{words}, {dollars(paid['returned'])} back", paid["rule"])
    settled = story.event(bench, "settled")
    staked, returned = dollars(settled["staked"]), dollars(settled["returned"])
    story.say(f"Settled and on record: {staked} staked, {returned} back to the players.")
    return settlements


def tell(console: Console) -> dict[str, Any]:
    """Plays and tells it; the facts again, for programs."""
    console.rule("[bold]pitkit: a sic-bo table (act1999, covered tumbler) on the simulated board")
    with open_port(PORT) as session:
        identity = session.link.identity
        console.print(
            f"firmware {identity['firmware']} on MicroPython behind {session.port}; "
            f"board {identity['board']} {identity['unique_id']}, rules {identity['rules_hash']}",
            style="dim",
            highlight=False,
        )
        assert session.fixture
        bench = Bench(session, session.fixture)
        bench.reset()
        story = Story(console)
        play_round(story, bench)
        settlements = show_result(story, bench)
        result = story.event(bench, "result")
        lamps = bench.fixture.lamps()
    return {"result": result["dice"], "call": result["call"], "lamps": lamps, "settlements": settlements}


@click.command()
@json_option
def demo(as_json: bool) -> None:
    """One sic-bo round on the simulated board, told step by step.

    \b
    Example:
      pitkit demo
    """
    facts = tell(Console(stderr=as_json))
    if as_json:
        emit(facts)
