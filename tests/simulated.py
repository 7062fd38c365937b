"""A simulated board that runs a test's own MicroPython script in place of the firmware."""

from __future__ import annotations

import json
import os
import select
import textwrap
import time
from pathlib import Path
from typing import Any

from host_tools.fixture import Fixture
from host_tools.simulator import Simulator

BOARD = Path(__file__).parents[1] / "boards" / "unix" / "board.json"

# What every script begins with; `say` writes a line to the host, `stand` waits for ever.
PRELUDE = """
import machine, micropython, select, sys, time
from machine import Pin
poll = select.poll()
poll.register(sys.stdin, select.POLLIN)
def say(*words):
    sys.stdout.buffer.write((" ".join(str(w) for w in words) + "\\n").encode())
def stand():
    while True:
        for _ in poll.ipoll(1000):
            sys.stdin.buffer.read(1)
"""


def wiring() -> dict[str, Any]:
    """The board's own, and one analog input."""
    board = json.loads(BOARD.read_text())
    board["pins"]["analog"] = {"gpio": 26, "direction": "in", "active": 1}
    return {"board": board, "lamps": ["small", "big", "triple:1"]}


class Port:
    """The host's end, opened as it is: pyserial would throw away what the board has said already."""

    def __init__(self, path: str) -> None:
        self._fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._unread = b""

    def write(self, data: bytes) -> None:
        os.write(self._fd, data)

    def readline(self, limit_s: float = 10) -> bytes:
        """One line with its end, or nothing."""
        deadline = time.monotonic() + limit_s
        while b"\n" not in self._unread:
            ready, _, _ = select.select([self._fd], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                return b""
            self._unread += os.read(self._fd, 65536)
        line, _, self._unread = self._unread.partition(b"\n")
        return line + b"\n"

    def close(self) -> None:
        os.close(self._fd)


class Bench:
    """One board with its fixture and the host's end of its port."""

    def __init__(self, folder: Path, *pieces: str, **options: Any) -> None:
        path = folder / "script.py"
        path.write_text("\n".join(textwrap.dedent(piece) for piece in (PRELUDE, *pieces)))
        self.simulator = Simulator(wiring(), script=path, **{"frozen": True, **options})
        self.fixture = Fixture(self.simulator.fixture_address)
        self._closed = False
        self.port = Port(self.simulator.port)

    def line(self) -> str:
        """The next line the board says; what it said in vain shows in the failure."""
        line = self.port.readline().decode().rstrip("\n")
        assert line, self.simulator.crashed or "the board says nothing"
        return line

    def numbers(self) -> list[int]:
        return [int(word) for word in self.line().split()]

    def log(self) -> str:
        return self.simulator.log.read_text()

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self.port.close()
            self.fixture.close()
            self.simulator.stop()
