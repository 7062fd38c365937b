"""How fast rules_min settles, what it costs the chip's memory, and a peer's craps beside ours.

Measured by bench.py. Speeds are the best of several tries in one process on one core: what the
code can do, not what else the machine was doing.
"""

from __future__ import annotations

import importlib
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from mpremote.transport_serial import SerialTransport  # type: ignore[import-untyped]

from rules_min.settlement import GAMES, settle_line
from rules_min.sic_bo import AREAS

from . import image
from .emulator import Emulator

TRIES = 15
BOARD = Path(__file__).parent.parent / "boards" / "rpi_pico" / "board.json"
EDITIONS = ("qld1985", "qld2004", "act1999")


def sic_bo_lines(lines: int, wagers: int, seed: int = 1) -> list[dict[str, Any]]:
    """Rounds of sic-bo with wagers all over the layout, some with a player's name."""
    dice, areas = random.Random(seed), cycle(AREAS)
    found = []
    for number in range(lines):
        placed: list[dict[str, Any]] = [
            {"code": code, "stake": 100 * dice.randint(1, 50)} for code in islice(areas, wagers)
        ]
        for wager in placed[::5]:
            wager["player"] = f"p{dice.randint(1, 9)}"
        throw = [dice.randint(1, 6) for _ in range(3)]
        head = {"game": "sic_bo", "edition": EDITIONS[number % 3], "result": throw}
        found.append(head | {"wagers": placed})
    return found


def best_seconds(work: Callable[[], object], tries: int = TRIES) -> float:
    best = float("inf")
    for _ in range(tries):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def settled_per_s(lines: int = 300, wagers: int = 50) -> float:
    """Sic-bo settlements a second through settle_line, as `pitkit settle` calls it."""
    asked = sic_bo_lines(lines, wagers)
    memory: dict[Any, Any] = {}

    def work() -> None:
        for line in asked:
            settle_line(line, memory)

    return lines * wagers / best_seconds(work)


def cli_seconds(lines: int = 1200, wagers: int = 50, tries: int = 5) -> float:
    """`pitkit settle` from start to end of the process, 60,000 settlements on 1,200 lines."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "wagers.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in sic_bo_lines(lines, wagers)))
        command = [sys.executable, "-c", "from host_tools.start import main; main()", "settle", str(file)]
        return best_seconds(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True), tries)


# -- the chip's memory

MEASURE = """
import gc
gc.collect(); before = gc.mem_alloc()
import rules_min.{game}
gc.collect(); print(gc.mem_alloc() - before)
"""


def heap_bytes() -> dict[str, int]:
    """What importing each game costs of the heap: frozen, on the emulated chip, after a fresh start."""
    uf2 = image.build_stock(packages=("rules_min",)).uf2
    wiring = {"board": json.loads(BOARD.read_text()), "lamps": []}
    with Emulator(wiring, uf2) as emulator:
        transport = SerialTransport(emulator.port, 115200)
        try:
            return {game: import_cost(transport, game) for game in GAMES}
        finally:
            transport.close()


def import_cost(transport: SerialTransport, game: str) -> int:
    transport.enter_raw_repl(soft_reset=True)
    answer: bytes = transport.exec(MEASURE.format(game=game))
    transport.exit_raw_repl()
    return int(answer)


# -- a peer


def craps_dice(rolls: int, seed: int = 2) -> list[list[int]]:
    dice = random.Random(seed)
    return [[dice.randint(1, 6), dice.randint(1, 6)] for _ in range(rolls)]


def craps_lines(rolls: list[list[int]], each: int = 500) -> list[dict[str, Any]]:
    """Those rolls with a line wager before every come-out roll and its odds behind it."""
    return [_craps_line(rolls[at : at + each]) for at in range(0, len(rolls), each)]


def _craps_line(rolls: list[list[int]]) -> dict[str, Any]:
    wagers, point = [], 0
    for at, (one, two) in enumerate(rolls):
        total = one + two
        if not point:
            wagers.append({"code": "pass", "stake": 1000, "odds_stake": 1000, "at": at})
            point = total if total in (4, 5, 6, 8, 9, 10) else 0
        elif total in (point, 7):
            point = 0
    return {"game": "craps", "edition": "cgr1993", "result": rolls, "wagers": wagers}


def craps_rolls_per_s(rolls: list[list[int]]) -> float:
    lines = craps_lines(rolls)
    memory: dict[Any, Any] = {}

    def work() -> None:
        for line in lines:
            settle_line(line, memory)

    return len(rolls) / best_seconds(work)


def crapssim_rolls_per_s(rolls: int) -> float:
    """crapssim (PyPI), the best known craps simulator, with the same wagers: its run(), its own dice."""
    crapssim, strategy = (importlib.import_module(name) for name in ("crapssim", "crapssim.strategy"))

    def work() -> None:
        table: Any = crapssim.Table(seed=1)
        line_and_odds = strategy.BetPassLine(10) + strategy.PassLineOddsMultiplier(1)
        table.add_player(bankroll=1e9, strategy=line_and_odds)
        table.run(max_rolls=rolls, verbose=False)

    return rolls / best_seconds(work, 3)
