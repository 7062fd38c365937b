"""Board definitions: ours hold together, and each thing that can be wrong with one is named by its key."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from host_tools import board_files
from host_tools.cli import main
from host_tools.errors import CannotRun

PICO = board_files.named("rpi_pico")

# (key path, the value put there, what is said about it)
SOURCE = {"name": "a", "module": "os", "function": "urandom", "entropy_milli": 500, "seed_bytes": 12}
KINDS = "74hc595, ws2812, tm1637, ht16k33, single, matrix, switch, h_bridge, shunt, uart, noise_circuit, none"
WRONG: list[tuple[str, Any, str]] = [
    ("name", "pico", "name: says 'pico' in the folder rpi_pico"),
    ("title", 5, "title: must be text"),
    ("poll_ms", 0, "poll_ms: must be at least 1"),
    ("poll_ms", True, "poll_ms: must be a whole number"),
    ("colour", "green", "colour: no such field"),
    ("usb", [{"vid": "2E8A", "pid": "5"}], "usb[0].vid: must be four hexadecimal digits, as 2e8a"),
    ("usb", ["2e8a:0005"], "usb[0].vid: must be four hexadecimal digits, as 2e8a"),
    ("header", [0, 0, *range(1, 29)], "header[1]: GPIO 0 is there already"),
    ("header", [*range(29), 64], "header[29]: must be a GPIO number, 0 to 63"),
    ("header", [*range(2, 22)], "pins.display_dio.gpio: GPIO 22 is not on the board's header"),
    ("pins.key1.gpio", 3, "pins.key2.gpio: pin 3 is key1 already"),
    ("pins.key1.gpio", 64, "pins.key1.gpio: must be a whole number from 0 to 63"),
    ("pins.key1.gpio", True, "pins.key1.gpio: must be a whole number from 0 to 63"),
    ("pins.key1.direction", "up", "pins.key1.direction: must be in or out"),
    ("pins.key1.pull", "left", "pins.key1.pull: must be up, down or none"),
    ("pins.motor.pull", "up", "pins.motor.pull: an output has none"),
    ("pins.motor.active", 2, "pins.motor.active: must be 0 or 1"),
    ("pins.motor.wire", "", "pins.motor.wire: must say what is wired to it"),
    ("pins.motor.volts", 5, "pins.motor.volts: no such field"),
    ("pins.motor", 17, "pins.motor: must be an object"),
    (
        "parts.lamps.kind",
        "neon",
        "parts.lamps.kind: must be one of " + KINDS,
    ),
    (
        "parts.lamps.kind",
        ["neon"],
        "parts.lamps.kind: must be one of " + KINDS,
    ),
    (
        "parts.lamps.data",
        "lamp_dta",
        "parts.lamps.data: names the pin 'lamp_dta', which the board does not have",
    ),
    ("parts.lamps.data", "key1", "parts.lamps.data: the pin key1 is not an output"),
    ("parts.lamps.outputs", 0, "parts.lamps.outputs: must be a whole number, at least 1"),
    ("parts.display.dots", 1, "parts.display.dots: no such field"),
    ("flash.module", None, "flash.module: must be text"),
    ("flash.sector_bytes", 4000, "flash.sector_bytes: must be a whole number of pages"),
    (
        "flash.config",
        [0, 4096],
        "flash.config: must start and end on a sector of 4096 bytes and hold at least 2",
    ),
    (
        "flash.journal",
        [8191, 4096],
        "flash.journal: must start and end on a sector of 4096 bytes and hold at least 1",
    ),
    ("flash.journal", [4096, 516096], "flash.journal: overlaps flash.config"),
    ("noise", [], "noise: a board needs at least one source"),
    ("noise", ["ring"], "noise[0]: must be an object"),
    ("noise", [{**SOURCE, "colour": 1}], "noise[0].colour: no such field"),
    ("noise", [{**SOURCE, "module": 1}], "noise[0].module: must be text"),
    ("noise", [{**SOURCE, "seed_bytes": "12"}], "noise[0].seed_bytes: must be a whole number"),
    (
        "noise",
        [{**SOURCE, "seed_bytes": 64}],
        "noise[0].seed_bytes: must be even and, less two, divide 510 (512 or 12, say)",
    ),
    (
        "noise",
        [{**SOURCE, "entropy_milli": 999}],
        "noise[0].entropy_milli: there are health tests for 1000, 950, 900, 800, 700, 600, 500, 400, 300 "
        "thousandths of a bit a sample",
    ),
    (
        "flash.seed",
        [1433600, 4096],
        "flash.seed: must start and end on a sector of 4096 bytes and hold at least 2",
    ),
    ("flash.files", [0.5, 4096], "flash.files: must be [start, length] in bytes"),
    ("flash.spare", [0, 4096], "flash.spare: no such field"),
]


def changed(path: str, value: Any) -> board_files.Definition:
    data = copy.deepcopy(PICO.data)
    *parents, key = path.split(".")
    place = data
    for parent in parents:
        place = place[parent]
    place[key] = value
    return board_files.Definition(PICO.path, data)


def test_our_own_definitions_hold_together() -> None:
    assert [path.parent.name for path in board_files.paths()] == ["rpi_pico", "rpi_pico2", "unix"]
    for path in board_files.paths():
        assert board_files.problems(board_files.read(path)) == []


@pytest.mark.parametrize(("path", "value", "said"), WRONG)
def test_what_is_wrong_is_named(path: str, value: Any, said: str) -> None:
    assert said in board_files.problems(changed(path, value))


@pytest.mark.parametrize("field", board_files.FIELDS)
def test_what_is_missing_is_named(field: str) -> None:
    data = {key: value for key, value in PICO.data.items() if key != field}
    assert board_files.problems(board_files.Definition(PICO.path, data)) == [f"{field}: is missing"]


def test_a_file_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    for text in ("{", "[]", "\x00"):
        path = tmp_path / "board.json"
        path.write_text(text)
        with pytest.raises(CannotRun):
            board_files.read(path)
    with pytest.raises(CannotRun, match="known: rpi_pico, rpi_pico2, unix"):
        board_files.named("esp9000")


def test_the_command_lists_and_checks(tmp_path: Path) -> None:
    listed = CliRunner().invoke(main, ["boards", "--json"])
    assert listed.exit_code == 0
    found = json.loads(listed.stdout)
    assert [row["name"] for row in found["definitions"]] == ["rpi_pico", "rpi_pico2", "unix"]
    assert isinstance(found["attached"], list)
    assert "Raspberry Pi Pico" in CliRunner().invoke(main, ["boards"]).stdout
    assert CliRunner().invoke(main, ["boards", "check"]).exit_code == 0


def test_the_command_says_what_is_wrong_and_exits_1(tmp_path: Path) -> None:
    folder = tmp_path / "rpi_pico"
    folder.mkdir()
    (folder / "board.json").write_text(json.dumps(changed("pins.key1.gpio", 3).data))
    result = CliRunner().invoke(main, ["boards", "check", str(folder), "--json"])
    assert result.exit_code == 1
    (problem,) = json.loads(result.stdout)["problems"]
    assert problem["problem"] == "pins.key2.gpio: pin 3 is key1 already"
    assert result.stderr == "pitkit: something is wrong in 1 of 1 board definitions.\n"
    assert "pin 3 is key1" in CliRunner().invoke(main, ["boards", "check", str(folder)]).stdout
    assert CliRunner().invoke(main, ["boards", "check", str(tmp_path)]).exit_code == 2
