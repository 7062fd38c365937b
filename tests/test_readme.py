"""The README keeps true: its pin table is the board's, its commands exist, its rooms are there."""

import json
import re
from pathlib import Path

from host_tools.cli import COMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_pin_table_is_the_boards() -> None:
    pins = json.loads((ROOT / "boards/rpi_pico/board.json").read_text())["pins"]
    table = [f"| `{n}` | GP{p['gpio']} | {p['direction']} | {p['wire']} |" for n, p in pins.items()]
    assert "\n".join(table) in README


def test_every_command_it_shows_exists() -> None:
    shown = set(re.findall(r"^    pitkit (\w+)", README, re.MULTILINE))
    assert shown and shown <= set(COMMANDS)


def test_every_room_it_names_is_there() -> None:
    rooms = re.findall(r"^\| `([\w/.]+)` \| ", README.split("## The rooms")[1].split("##")[0], re.MULTILINE)
    assert len(rooms) >= 10 and all((ROOT / room).exists() for room in rooms)
