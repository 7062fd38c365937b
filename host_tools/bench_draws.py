"""What drawing and verifying cost, for `make bench`: on the unix port, on the emulated chip, on the host.

A draw is all of it: noise tested and conditioned, a seed, its commitment, twenty numbers of eighty.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from firmware.rng import verifiable

from . import draw_file, micropython
from .ports import open_port
from .rng import assessment

ROOT = Path(__file__).resolve().parent.parent
EMU = "emu:keno@act1999"
DRAW = {"count": 20, "of": 80, "games": 9}  # as much as one answer holds
JOURNALED = 25

# run by MicroPython: prints draws a second
SPEED = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from firmware.rng import verifiable
from firmware.rng.generator import Generator
from firmware.rng.sources import Source
generator = Generator([Source("system", os.urandom, 950, 512)], "e661")
generator.start(1)
pool, games = bytes(32), int(sys.argv[2])
best = 0
for _ in range(5):
    start = time.ticks_us()
    for game in range(1, games + 1):
        seed = generator.seed(game)
        verifiable.commitment("e661", game, seed)
        verifiable.numbers(seed, game, pool, pool, 20, 80)
    best = max(best, games * 1000000 / time.ticks_diff(time.ticks_us(), start))
print(best)
"""


def on_unix(games: int = 4000) -> float:
    """Draws a second on MicroPython's unix port: the best of five, for the machine has other work."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
        script.write(SPEED)
        script.flush()
        words = [str(micropython.find()), "-X", "heapsize=4M", script.name, str(ROOT), str(games)]
        return float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def on_chip() -> tuple[float, float]:
    """(draws a second of chip time, the same with a journaled game around each)."""
    with open_port(EMU, "supervisor") as session:
        link = session.link
        took_us = [link.command("rng_final", **DRAW)["us"] for _ in range(20)]
        first = int(link.command("time")["at_ms"])
        for _ in range(JOURNALED):
            link.command("game_open")
            link.command("game_close", pool=os.urandom(32), nonce=os.urandom(32))
            link.command("game_draw")
        last = int(link.command("time")["at_ms"])
    return 20 * DRAW["games"] * 1e6 / sum(took_us), JOURNALED * 1000 / (last - first)


def verified_per_s(games: int = 5000) -> float:
    """Numbers a second of `pitkit draw verify`, its file read and replayed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "draws"
        path.write_bytes(b"".join(json.dumps(line).encode() + b"\n" for line in _made(games)))
        start = time.perf_counter()
        verdict = draw_file.verify(path)
        took_s = time.perf_counter() - start
    assert verdict.problem is None
    return verdict.numbers / took_s


def _made(games: int) -> list[dict[str, Any]]:
    chance, last, lines = random.Random(1), verifiable.FIRST, []
    for game in range(1, games + 1):
        seed, pool, nonce = (chance.randbytes(32) for _ in range(3))
        numbers = verifiable.numbers(seed, game, pool, nonce, 20, 80)
        digest = verifiable.digest("e661", game, 80, seed, pool, nonce, numbers, last)
        drawn = {"round": game, "of": 80, "seed": seed, "pool": pool, "nonce": nonce, "numbers": numbers}
        drawn |= {"last": last, "digest": digest}
        lines.append(draw_file.line("e661", verifiable.commitment("e661", game, seed), drawn))
        last = digest
    return lines


def assessed(draws: int) -> assessment.Assessment:
    """So many keno draws of the simulated board, assessed; the seed of the tests is fixed."""
    from .commands.rng import collect_draws

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "draws"
        with open_port("sim:keno@act1999") as session, path.open("wb") as out:
            collect_draws(session.link, out, draws)
        return assessment.assess(path, None, None, None, 1, lambda _: None)
