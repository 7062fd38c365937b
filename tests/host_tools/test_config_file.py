"""Configurations: TOML to the board's bytes and back, one key changed, differences, and bad files."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from host_tools import board_files, config_file
from host_tools.cli import main
from host_tools.errors import CannotRun

PICO = board_files.named("rpi_pico").data
TABLE = {"table": {"game": "sic_bo", "edition": "act1999"}}
FULL: dict[str, dict[str, Any]] = {
    "table": {"game": "sic_bo", "edition": "act1999", "casino": "Zürich", "name": 'a "b" \\ c'},
    "limits": {"*": [100, 50000], "single:3": [100, 2000], "small": [500, 20000]},
    "timing": {"turns": 5, "stall_ms": 2500},
    "lamps": {"brightness": 3},
    "pins": {"key1": 26},
}
# what a file says behind a good [table], and what is said about it
BAD = [
    ("[tabel]\n", "tabel: no such section"),
    ("[timing]\nturn = 4\n", "timing.turn: no such key"),
    ("[timing]\nturns = 4.0\n", "timing.turns: must be a whole number"),
    ("[timing]\nturns = 0\n", "timing.turns: must be 1 to 50"),
    ("[timing]\nturns = true\n", "timing.turns: must be a whole number"),
    ("[limits]\nsmal = [1, 2]\n", "limits.smal: no such wager"),
    (
        "[limits]\nsmall = [2, 1]\n",
        "limits.small: whole cents, the minimum not over the maximum",
    ),
    ("[limits]\nsmall = 1979-05-27\n", "limits.small: give [minimum, maximum] in cents"),
    ("[pins]\nkey1 = 3\n", "pins.key2: pin 3 is key1 already"),
    ("[pins]\nkey7 = 3\n", "pins.key7: the board has no such pin"),
    ("[wheel]\nsections = []\n", "wheel: no such section"),
    ("[lamps]\nbrightness = nan\n", "lamps.brightness: must be a whole number"),
]
HEAD = '[table]\ngame = "sic_bo"\nedition = "act1999"\n'


def test_there_and_back() -> None:
    assert config_file.from_board(config_file.to_board(FULL)) == FULL
    text = config_file.to_toml(FULL)
    assert '"single:3" = [100, 2000]' in text
    assert text.index("[table]") < text.index("[limits]") < text.index("[pins]")


def test_toml_reads_back_the_same(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(config_file.to_toml(FULL), encoding="utf-8")
    assert config_file.read(file) == FULL
    config_file.check(FULL, PICO, "it")


def test_one_configuration_has_one_form() -> None:
    turned = {section: dict(reversed(keys.items())) for section, keys in reversed(FULL.items())}
    assert config_file.to_board(turned) == config_file.to_board(FULL)
    assert config_file.to_board(TABLE) == b'{"table":{"edition":"act1999","game":"sic_bo"}}'


@pytest.mark.parametrize(("text", "said"), BAD)
def test_a_bad_file_is_refused_with_the_keys_path(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "table.toml"
    file.write_text(HEAD + text)
    result = CliRunner().invoke(main, ["config", "check", str(file)])
    assert result.exit_code == 2
    assert result.stderr == f"pitkit: {file}: {said}.\n"
    assert result.stdout == ""


def test_what_is_no_toml_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    for content in (b"[table", b"a = 1\na = 2", b"\xff", b"x = " + b"[" * 100_000):
        file.write_bytes(content)
        with pytest.raises(CannotRun):
            config_file.read(file)
    with pytest.raises(CannotRun, match="No such file"):
        config_file.read(tmp_path / "gone")
    with pytest.raises(CannotRun, match="directory"):
        config_file.read(tmp_path)


def test_a_game_this_firmware_cannot_run_is_named(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(HEAD.replace("sic_bo", "roulette"))
    result = CliRunner().invoke(main, ["config", "check", str(file)])
    assert "table.game: this firmware has no roulette table yet" in result.stderr


def test_a_tumbler_the_edition_does_not_know_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(HEAD.replace("[table]", '[table]\nvariant = "uncovered"'))
    result = CliRunner().invoke(main, ["config", "check", str(file)])
    assert result.exit_code == 2 and "table.variant: sic_bo of act1999 is covered" in result.stderr


def test_a_good_file_is_good(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(HEAD)
    result = CliRunner().invoke(main, ["config", "check", str(file), "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["ok"] is True
    assert CliRunner().invoke(main, ["config", "check", str(file), "--board", "abacus"]).exit_code == 2


@pytest.mark.parametrize(
    ("assignment", "section", "key", "value"),
    [
        ("timing.turns=5", "timing", "turns", 5),
        ("timing.turns = 5", "timing", "turns", 5),
        ("table.name=Table 4", "table", "name", "Table 4"),
        ('table.name="Table 4"', "table", "name", "Table 4"),
        ("table.name=12", "table", "name", "12"),
        ("table.name=", "table", "name", ""),
        ("limits.single:3=[500, 2000]", "limits", "single:3", [500, 2000]),
        ('limits."single:3"=[500, 2000]', "limits", "single:3", [500, 2000]),
        ("limits.*=[1,2]", "limits", "*", [1, 2]),
    ],
)
def test_one_key_is_set(assignment: str, section: str, key: str, value: Any) -> None:
    before = json.dumps(TABLE)
    found = config_file.with_value(TABLE, assignment)
    assert found[section][key] == value
    assert json.dumps(TABLE) == before


@pytest.mark.parametrize(
    "assignment", ["turns", "turns=5", ".x=1", "a.=1", "timing.turns=", "timing.turns=5\nx = 6", "=1"]
)
def test_what_sets_nothing_is_refused(assignment: str) -> None:
    with pytest.raises(CannotRun):
        config_file.with_value(TABLE, assignment)


def test_differences_are_told_key_by_key() -> None:
    other = {**TABLE, "timing": {"turns": 5}}
    assert config_file.differences(TABLE, TABLE) == []
    assert config_file.differences(TABLE, other) == [{"key": "timing.turns", "board": None, "file": 5}]
    assert config_file.differences(other, TABLE) == [{"key": "timing.turns", "board": 5, "file": None}]


def test_what_a_board_keeps_may_be_nonsense() -> None:
    assert config_file.from_board(b"") == {}
    for text in (b"{", b"[]", b"\xff", b"5"):
        with pytest.raises(CannotRun):
            config_file.from_board(text)
