"""The RP2350's TRNG, against a model of its registers (datasheet 12.12.5)."""

import runpy
import sys
import types
from pathlib import Path

import pytest

DRIVER = Path(__file__).parents[2] / "boards/rp2/frozen/trng.py"
BASE = 0x400F0000
NAMES = {0x108: "icr", 0x12C: "enable", 0x130: "ticks", 0x138: "debug"}


class Registers:
    """Gives 192 bits at a time once it is enabled; reading the last word starts the next."""

    def __init__(self, silent=False):
        self.silent = silent
        self.written = {}
        self.words = 0
        self.waits = 0

    def __setitem__(self, address, value):
        self.written[NAMES[address - BASE]] = value
        self.waits = 3

    def __getitem__(self, address):
        assert self.written["enable"] & 1, "it is off"
        if address == BASE + 0x110:
            self.waits -= 1
            return int(self.waits < 0 and not self.silent)
        word = (address - BASE - 0x114) // 4
        assert 0 <= word < 6 and self.waits < 0
        self.words += 1
        if word == 5:
            self.waits = 3
        return self.words


@pytest.fixture
def driver(monkeypatch):
    def load(registers):
        monkeypatch.setitem(sys.modules, "machine", types.SimpleNamespace(mem32=registers))
        return runpy.run_path(str(DRIVER))

    return load


def test_it_reads_raw_words_in_order_and_switches_off(driver):
    registers = Registers()
    data = driver(registers)["read"](50)
    assert data[:8] == b"\0\0\0\x01\0\0\0\x02" and len(data) == 50
    assert registers.words == 18  # three times six
    assert registers.written["debug"] == 0b1110 and registers.written["ticks"] >= 25
    assert registers.written["enable"] == 0


def test_a_silent_one_reads_as_zeros(driver):
    assert driver(Registers(silent=True))["read"](12) == bytes(12)
