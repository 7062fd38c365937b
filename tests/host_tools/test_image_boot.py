"""The frozen start of a board, on the emulated chip: only frozen code runs, and nothing opens a REPL."""

import json
import shutil
import time
from pathlib import Path

import pytest
import serial

from host_tools import image
from host_tools.emulator import Emulator

WIRING = {"board": json.loads((image.BOARDS / "rpi_pico" / "board.json").read_text()), "lamps": []}
# Leaves traps on the flash, then crashes: the start after that must not step into one of them.
MAIN = """
import os, sys

TRAPS = ("boot.py", "main.py", "rp2.py", "board_data.py", "firmware.py")

def run():
    start = "second" if "boot.py" in os.listdir("/") else "first"
    print(start, "start", sys.path, os.statvfs("/")[2])
    for name in TRAPS:
        with open("/" + name, "w") as file:
            file.write("print('trapped')")
    raise ValueError("on purpose")
"""


@pytest.fixture
def uf2(tmp_path, monkeypatch) -> Path:
    for package in image.PACKAGES:
        shutil.copytree(image.HOME / package, tmp_path / package)
    (tmp_path / "firmware" / "main.py").write_text(MAIN)
    monkeypatch.setattr(image, "HOME", tmp_path)
    return image.build("rpi_pico").uf2


def hear(port: serial.Serial, word: bytes) -> bytes:
    """What the board says until it says `word`; whoever listens leans on Ctrl-C meanwhile."""
    heard = b""
    until = time.monotonic() + 20
    while word not in heard and time.monotonic() < until:
        port.write(b"\x03\x03\x01print('repl')\r\x04")
        heard += port.read(1000)
    return heard


def test_only_frozen_code_runs_and_a_crash_starts_again(uf2):
    with Emulator(WIRING, uf2) as emulator, serial.serial_for_url(emulator.port, timeout=0.2) as port:
        heard = hear(port, b"second start") + hear(port, b"on purpose")
    blocks = WIRING["board"]["flash"]["files"][1] // 4096
    assert f"second start ['.frozen'] {blocks}".encode() in heard
    assert b"ValueError: on purpose" in heard
    assert b"trapped" not in heard
    assert b">>>" not in heard and b"raw REPL" not in heard and b"repl" not in heard
