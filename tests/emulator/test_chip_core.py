"""Our table of instructions against rp2040js' own core: same registers, flags, memory and cycles."""

import os
from pathlib import Path

from host_tools import toolchain
from host_tools.emulator import library
from host_tools.programs import run

HERE = Path(__file__).parent
ROUNDS = "3"


def test_every_opcode_does_the_same_in_both(monkeypatch):
    monkeypatch.setitem(os.environ, "PITKIT_RP2040JS", str(library.rp2040js()))
    words = [toolchain.node(), HERE / "compare_cores.mjs", library.HERE, ROUNDS]
    assert run(words, "comparing the cores").strip() == "0 differences"
