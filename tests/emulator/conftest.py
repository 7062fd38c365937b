"""A stock MicroPython image on the emulated chip, moved by the fixture and driven through its raw REPL."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from emulator_bench import Bench

from host_tools import image

BOARD = Path(__file__).parents[2] / "boards" / "rpi_pico" / "board.json"


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
