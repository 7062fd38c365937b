"""The line's figures for `make bench`: what is lost, how quick it is, how much it carries, beside its peers.

Peers run on the same emulator with MicroPython's stock image: Belay for a round trip, mpremote's
`cp` for files. Times of these are wall time, for the peers know no other.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from . import bulk, image
from .emulator import Emulator
from .errors import PitkitError
from .hostile_line import Outcome, Trial
from .link import Link
from .live import connect
from .paced_line import PacedLine
from .ports import open_port
from .targets import wiring

ROOT = Path(__file__).resolve().parent.parent
EMU, SIM = "emu:sic_bo@act1999", "sim:sic_bo@act1999"
BAUD = 115_200
BULK_BYTES = 50_000
PUT = """
import pathlib, sys, host_tools
with host_tools.connect(sys.argv[1], role="supervisor") as board:
    board.put(sys.argv[3], pathlib.Path(sys.argv[2]).read_bytes())
"""
TURNS = 3  # in turns: a busy machine is as busy for both
WAGERS_EACH = 40


def hostile(count: int, seed: int = 1) -> Outcome:
    return Trial(count, count, seed=seed).run()


@contextmanager
def stock_chip() -> Iterator[str]:
    """The port of an emulated chip with MicroPython's own image and REPL."""
    with Emulator(wiring("rpi_pico", "sic_bo", ()), image.build_stock().uf2) as emulator:
        yield emulator.port


# -- a round trip


def round_trips_ms(count: int = 100) -> tuple[float, float]:
    """(ours with a round open, Belay's), on emulated chips."""
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(TURNS):  # one chip at a time: an idle one takes the machine's time too
        with open_port(EMU) as session:
            session.link.command("open")
            ours += _ours_ms(session.link, count)
        with stock_chip() as port:
            theirs += _belay_ms(port, count)
    return _undisturbed(ours), _undisturbed(theirs)


def _undisturbed(took: list[float]) -> float:
    """A quarter is quicker: the middle of a busy machine says more of the machine than of the line."""
    return statistics.quantiles(took, n=4)[0]


def _ours_ms(link: Link, count: int) -> list[float]:
    took = []
    for _ in range(count):
        start = time.perf_counter()
        link.command("time")
        took.append((time.perf_counter() - start) * 1000)
    return took


def _belay_ms(port: str, count: int) -> list[float]:
    command = [sys.executable, "-m", "host_tools.bench_belay", port, str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        raise PitkitError(f"Belay did not run: {done.stderr.strip().splitlines()[-1]}.")
    return [float(ms) for ms in json.loads(done.stdout)]


# -- files


def own_sources() -> bytes:
    """Our own .py files, as many as make 50 KB."""
    text = b"".join(path.read_bytes() for path in sorted((ROOT / "firmware").rglob("*.py")))
    return text[:BULK_BYTES]


def file_seconds(data: bytes) -> tuple[float, float]:
    """(ours, mpremote's) to put this on an emulated chip, from a program's start to its end: the quicker of
    two each, under a new name each."""
    names = ("a.bin", "b.bin")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data"
        path.write_bytes(data)
        with open_port(EMU, role="supervisor") as session:
            session.link.close()
            ours = min(_seconds([sys.executable, "-c", PUT, session.port, str(path), n]) for n in names)
            session.reconnect()
            if any(bulk.get(session.link, f"file/{name}") != data for name in names):
                raise PitkitError("a file on the board is not what was sent.")
        with stock_chip() as port:
            base = [sys.executable, "-m", "mpremote", "connect", port, "cp", str(path)]
            theirs = min(_seconds([*base, f":{name}"]) for name in names)
    return ours, theirs


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        raise PitkitError(f"{command[2]} did not run: {done.stderr.strip().splitlines()[-1]}.")
    return time.perf_counter() - start


# -- a slow line


def line_use() -> float:
    """The share of 115,200 baud that carries payload: the worse of there and back, random bytes."""
    data = random.Random(1).randbytes(BULK_BYTES)
    with open_port(SIM) as session:
        session.link.close()
        with PacedLine(session.port, BAUD) as line, Link.connect(line.port, "supervisor") as link:
            start = time.perf_counter()
            bulk.put(link, "file/a.bin", data)
            there = time.perf_counter()
            if bulk.get(link, "file/a.bin") != data:
                raise PitkitError("a file on the board is not what was sent.")
            longest = max(there - start, time.perf_counter() - there)
    return BULK_BYTES / longest / (BAUD / 10)


# -- many boards


def many_boards(count: int) -> tuple[int, float]:
    """(events lost or doubled, host CPU seconds a board) with so many simulated boards in one process."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ports = stack.enter_context(_simulated(count))
        start = time.process_time()
        boards = [connect(port, log=folder / f"{n}.jsonl") for n, port in enumerate(ports)]
        orders = [board.submit("open") for board in boards]
        for ref in range(WAGERS_EACH):
            fields = {"ref": ref, "code": "small", "stake": 500, "player": ""}
            orders += [board.submit("wager", **fields) for board in boards]
        for order in orders:
            order.result(60)
        wrong = sum(_wrong(folder / f"{n}.jsonl") for n in range(count))
        cpu_s = time.process_time() - start
        for board in boards:
            board.close()
    return wrong, cpu_s / count


@contextmanager
def _simulated(count: int) -> Iterator[list[str]]:
    """The ports of so many boards in a process of their own: ours is the host, and nothing else."""
    command = [sys.executable, "-m", "host_tools.bench_link", str(count)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield json.loads(process.stdout.readline())


def _stand(count: int) -> None:
    """Starts the boards, says where they are, and stops them when nobody asks for them any more."""
    with ThreadPoolExecutor(4) as pool:
        sessions = list(pool.map(lambda _: open_port(SIM), range(count)))
    for session in sessions:
        session.link.close()
    print(json.dumps([session.port for session in sessions]), flush=True)
    sys.stdin.read()
    for session in sessions:
        session.close()


def _wrong(log: Path) -> int:
    """Events that are not on the log once and in order."""
    deadline = time.monotonic() + 30
    while True:
        rows = [json.loads(line) for line in log.read_text().splitlines()]
        refs = [row["ref"] for row in rows if row.get("event") == "wager"]
        if len(refs) >= WAGERS_EACH or time.monotonic() > deadline:
            break
        time.sleep(0.02)
    seqs = [row["seq"] for row in rows if "seq" in row]
    missing = len(set(range(WAGERS_EACH)) - set(refs))
    return missing + len(refs) - len(set(refs)) + (seqs != list(range(1, len(seqs) + 1)))


if __name__ == "__main__":
    _stand(int(sys.argv[1]))
