"""A stock MicroPython image on the emulated chip, moved by the fixture and driven through its raw REPL."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mpremote.transport_serial import SerialTransport

from host_tools import image
from host_tools.emulator import Emulator
from host_tools.fixture import Fixture

BOARD = Path(__file__).parents[2] / "boards" / "rpi_pico" / "board.json"


class Bench:
    """One emulated board with its fixture; `python` runs lines on it and answers what they printed."""

    def __init__(self, wiring: dict[str, Any], uf2: Path, **options: Any) -> None:
        self.emulator = Emulator(wiring, uf2, **options)
        self.fixture = Fixture(self.emulator.fixture_address)
        self._transport: SerialTransport | None = None

    def python(self, code: str) -> str:
        if self._transport is None:
            self._transport = SerialTransport(self.emulator.port, 115200)
            self._transport.enter_raw_repl(soft_reset=False)
        return self._transport.exec(code).decode().strip()

    def start_python(self, code: str) -> None:
        """Starts lines that do not end by themselves, or end the chip."""
        self.python("")
        assert self._transport
        self._transport.exec_raw_no_follow(code)

    def hang_up(self) -> None:
        """Closes the port; the next lines open it anew."""
        if self._transport:
            self._transport.close()
            self._transport = None

    def close(self) -> None:
        self.hang_up()
        self.fixture.close()
        self.emulator.stop()


@pytest.fixture(scope="session")
def stock_image() -> Path:
    """MicroPython with its plain REPL, without our firmware."""
    return image.build_stock().uf2


@pytest.fixture(scope="session")
def wiring() -> dict[str, Any]:
    board = json.loads(BOARD.read_text())
    board["pins"]["analog"] = {"gpio": 26, "direction": "in", "active": 1}
    return {"board": board, "lamps": ["small", "big", "triple:1"]}


@pytest.fixture(scope="module")
def bench(stock_image: Path, wiring: dict[str, Any]) -> Iterator[Bench]:
    """One board for a whole module: its tests leave no state behind that matters to the next."""
    started = Bench(wiring, stock_image)
    yield started
    started.close()
