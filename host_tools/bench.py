"""`make bench`: the figures INTERFACES names, measured in one run into build/bench.json.

Never a test: a missed goal is reported, not failed. Times on the emulated RP2040 are chip
time, which repeats to the microsecond; they are not a Pico's.
"""

from __future__ import annotations

import json
import platform
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from firmware import config
from rules_min.sic_bo import AREAS

from . import bench_cuts, bench_draws, bench_link, bench_rules, image, soak
from .conformance import tumbler
from .conformance.bench import Bench
from .ports import open_port
from .rng.assessment import ALPHA

EMU = "emu:sic_bo@act1999?flash=worst"  # latencies are those of the slowest flash the datasheet allows
OTHER_PARTS = f"{EMU}&parts=matrix,ws2812,ht16k33,h_bridge,shunt,uart"
REPORT = Path("build/bench.json")


@dataclass
class Figure:
    name: str
    value: float
    unit: str
    goal: str = ""
    met: bool = True
    peer: str | None = None
    peer_value: float | None = None
    ratio: float | None = None


def at_most(name: str, value: float, unit: str, most: float) -> Figure:
    return Figure(name, value, unit, f"at most {most:g} {unit}", value <= most)


def at_least(name: str, value: float, unit: str, least: float) -> Figure:
    return Figure(name, value, unit, f"at least {least:g} {unit}", value >= least)


def emulated_chip() -> Iterator[Figure]:
    """One round on the emulated RP2040, in chip time."""
    with open_port(EMU) as session:
        assert session.fixture
        session.fixture.cut()
        session.fixture.power()
        session.reconnect()
        ready_us = session.fixture.op("stats")["first_output_us"]
        yield at_most("boot_ms_emu", ready_us / 1000, "ms", 1000)
        bench = Bench(session, session.fixture)
        bench.reset()
        yield from _round(bench)


WAGERS = 100
PIXELS_SHOW_US = 280  # a WS2812 shows what it was sent after so long a low
WORN_US = range(0, 9000, 1000)  # a contact that closes after 8 ms of bouncing, never at rest for 2 ms


def _round(bench: Bench) -> Iterator[Figure]:
    bench.link.command("open")
    for ref in range(WAGERS):
        bench.link.command("wager", ref=ref, code=AREAS[ref % len(AREAS)], stake=500, player="")
    bench.run_ms(1000)
    yield at_least("heap_free_emu", bench.link.command("status")["heap_free"], "bytes", 130_000)
    _play_to_entry(bench)
    yield at_most("key_to_lamp_ms_emu", key_to_lamp_us(bench) / 1000, "ms", 20)
    yield at_most("settle_100_ms_emu", settle_ms(bench), "ms", 30)
    for key in ("key_entry", "key3", "key3", "key5"):  # taken back, and entered anew by a worn key
        bench.press(key)
    yield at_most("key_to_lamp_worn_ms_emu", key_to_lamp_us(bench, WORN_US) / 1000, "ms", 20)
    status = bench.link.command("status")
    yield at_most("gc_pause_ms_emu", status["collect_us"] / 1000, "ms", 10)
    # the slowest of over a hundred records, one of which began a segment: header, wiped key, meters
    yield at_most("journal_write_ms_emu", status["write_us"] / 1000, "ms", 50)


def other_parts() -> Iterator[Figure]:
    """The same with every part that can stand in another's place; the last bit to the lamps is the wire's."""
    with open_port(OTHER_PARTS) as session:
        assert session.fixture
        bench = Bench(session, session.fixture)
        bench.reset()
        bench.link.command("open")
        _play_to_entry(bench)
        shown_us = key_to_lamp_us(bench, wire="lamp_data") + PIXELS_SHOW_US
        yield at_most("key_to_lamp_other_parts_ms_emu", shown_us / 1000, "ms", 20)


def _play_to_entry(bench: Bench) -> None:
    bench.link.command("activate")
    tumbler.turn_until_the_motor_stops(bench)
    bench.wait_for(("rested",), 0)
    bench.link.command("no_more_bets")
    bench.move("cover", False)
    for key in ("key3", "key3", "key4"):
        bench.press(key)


def settle_ms(bench: Bench) -> int:
    """From the result's record to the settlement's, the lamps lit in between: the board's own times."""
    bench.collect()
    at = {event["event"]: int(event["at_ms"]) for event in bench.events}
    return at["settled"] - at["result"]


def key_to_lamp_us(bench: Bench, edges_us: Sequence[int] = (0,), wire: str = "lamp_latch") -> int:
    """From ENTRY's contact first closing to the lamps' wire at rest, with the journal written in between."""
    now_us = bench.fixture.now()
    pressed_us = now_us + 500_000
    bench.fixture.schedule([(pressed_us + at_us, "key_entry", n % 2) for n, at_us in enumerate(edges_us)])
    bench.fixture.run(700_000)
    lamp_us = bench.fixture.op("when", pin=wire)["us"]
    bench.fixture.set("key_entry", 1)
    return int(lamp_us - pressed_us)


def image_size() -> Iterator[Figure]:
    sizes: dict[str, Any] = image.build("rpi_pico").sizes
    yield at_most("image_bytes", sizes["flash_bytes"], "bytes", 655_360)


def power_cuts(rounds: int = 24, on_chip: int = 20) -> Iterator[Figure]:
    """Every flash operation of a script of rounds on the unix port, and some at random on the chip."""
    found = bench_cuts.on_unix(rounds) + bench_cuts.on_a_board("emu:sic_bo@act1999", on_chip)
    yield at_least("cuts_tried", found["tried"], "cuts", 1000)
    yield at_most("cuts_lost", found["lost"] + found["dead"], "rounds", 0)
    yield at_most("cuts_doubled", found["doubled"], "rounds", 0)


def many_power_cuts() -> Iterator[Figure]:
    """The exhaustive run: ten times the rounds, 200 cuts on the chip."""
    return power_cuts(90, 200)


def random_rounds(rounds: int = 2000, on_chip: int = 10) -> Iterator[Figure]:
    """Contacts that bounce up to 8 ms, glitches at 1 % of the edges; in every edition, some on the chip."""
    editions = sorted(config.EDITIONS_BUILT["sic_bo"])
    share = -(-rounds // len(editions))
    runs = [(f"sim:sic_bo@{edition}?clock=frozen", share, True) for edition in editions]
    runs += [("sim:sic_bo@qld1985?clock=frozen", share // 4, False), ("emu:sic_bo@act1999", on_chip, True)]
    outcomes = [soak.run(count, seed, port, 0, covered) for seed, (port, count, covered) in enumerate(runs)]
    for sentence in [wrong for outcome in outcomes for wrong in outcome.wrong]:
        print(sentence, file=sys.stderr)
    yield at_least("rounds_random", sum(outcome.rounds for outcome in outcomes), "rounds", 2000)
    yield at_most("rounds_wrong", sum(len(outcome.wrong) for outcome in outcomes), "rounds", 0)


def many_random_rounds() -> Iterator[Figure]:
    return random_rounds(20_000, 200)


def rules() -> Iterator[Figure]:
    """How fast wagers are settled on the host, and what a game costs the chip's heap."""
    yield at_least("settle_per_s", bench_rules.settled_per_s(), "settlements/s", 800_000)
    yield at_most("settle_cli_60k_s", bench_rules.cli_seconds(), "s", 1.0)
    yield at_most("rules_heap_bytes_max", max(bench_rules.heap_bytes().values()), "bytes", 6144)
    rolls = bench_rules.craps_dice(20_000)
    ours, theirs = bench_rules.craps_rolls_per_s(rolls), bench_rules.crapssim_rolls_per_s(5000)
    yield Figure(
        "settle_vs_crapssim",
        ours,
        "rolls/s",
        "at least 30 times the peer",
        ours >= 30 * theirs,
        "crapssim",
        theirs,
        ours / theirs,
    )


def beside(name: str, ours: float, peer: str, theirs: float, unit: str, most: float) -> Figure:
    """A time of ours that is to be at most such a share of a peer's."""
    ratio = ours / theirs
    return Figure(name, ours, unit, f"at most {most:g} of the peer's", ratio <= most, peer, theirs, ratio)


def quicker(name: str, ours: float, peer: str, theirs: float, least: float) -> Figure:
    ratio = theirs / ours
    return Figure(name, ours, "s", f"at least {least:g} times the peer", ratio >= least, peer, theirs, ratio)


def line(commands: int = 10_000) -> Iterator[Figure]:
    """The line: nothing lost on a hostile one, and its pace beside Belay's and mpremote's."""
    found = bench_link.hostile(commands)
    yield at_most("link_lost", found.lost + found.out_of_order, "messages", 0)
    yield at_most("link_doubled", found.doubled, "messages", 0)
    ours, theirs = bench_link.round_trips_ms()
    yield beside("rtt_vs_belay_emu", ours, "belay", theirs, "ms", 0.6)
    ours, theirs = bench_link.file_seconds(random.Random(1).randbytes(bench_link.BULK_BYTES))
    yield quicker("bulk_random_vs_mpremote_emu", ours, "mpremote cp", theirs, 3)
    ours, theirs = bench_link.file_seconds(bench_link.own_sources())
    yield quicker("bulk_files_vs_mpremote_emu", ours, "mpremote cp", theirs, 6)
    yield at_least("line_use_115200", bench_link.line_use(), "of the line", 0.85)
    wrong, cpu_s = bench_link.many_boards(64)
    yield at_most("boards_64_lost", wrong, "events", 0)
    few_cpu_s = bench_link.many_boards(16)[1]
    yield at_most("boards_64_cpu_vs_16", cpu_s / few_cpu_s, "times a board's share", 1.5)


def long_line() -> Iterator[Figure]:
    """A hundred thousand commands and as many events."""
    return line(100_000)


def draws() -> Iterator[Figure]:
    """Twenty of eighty, seed, commitment and all; on the chip in chip time, alone and with its journal."""
    yield at_least("draws_per_s_sim", bench_draws.on_unix(), "draws/s", 5000)
    alone, journaled = bench_draws.on_chip()
    yield at_least("draws_per_s_emu", alone, "draws/s", 50)
    yield Figure("draws_journaled_per_s_emu", journaled, "draws/s")
    yield at_least("verify_numbers_per_s", bench_draws.verified_per_s(), "numbers/s", 100_000)


def a_million_draws() -> Iterator[Figure]:
    """Keno draws of the simulated board under every test of draws there is."""
    found = bench_draws.assessed(1_000_000)
    smallest = min(row.corrected or 0.0 for row in found.rows)
    yield at_least("million_draws_smallest_p", smallest, "p, Holm-corrected", ALPHA)


Measure = Callable[[], Iterator[Figure]]
MEASURES: tuple[Measure, ...] = (
    image_size,
    rules,
    draws,
    emulated_chip,
    other_parts,
    line,
    power_cuts,
    random_rounds,
)
LONG: tuple[Measure, ...] = (
    image_size,
    rules,
    draws,
    a_million_draws,
    emulated_chip,
    other_parts,
    long_line,
    many_power_cuts,
    many_random_rounds,
)


def show(figures: list[Figure]) -> Table:
    table = Table("figure", "value", "unit", "goal", "met")
    for figure in figures:
        table.add_row(
            figure.name, f"{figure.value:,.1f}", figure.unit, figure.goal, "yes" if figure.met else "NO"
        )
    return table


def main() -> None:
    console = Console(stderr=True)
    figures: list[Figure] = []
    for measure in LONG if "--long" in sys.argv[1:] else MEASURES:
        console.print(f"measuring: {measure.__name__.replace('_', ' ')}", style="dim")
        figures.extend(measure())
    REPORT.parent.mkdir(exist_ok=True)
    machine = f"{platform.machine()}, {platform.system()}, Python {sys.version.split()[0]}"
    report = {"machine": machine, "figures": [asdict(figure) for figure in figures]}
    REPORT.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    console.print(show(figures))
    console.print(f"written to {REPORT}")


if __name__ == "__main__":
    main()
