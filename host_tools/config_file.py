"""A table's configuration as a person writes it (TOML) and as a board keeps it (JSON).

The board keeps compact JSON with sorted keys, so that one configuration has one hash. What may
be in it is firmware/config.py's to say, here as on the board; nothing is sent unchecked.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import tomli_w

from firmware import config as rules
from host_tools.errors import CannotRun

Config = dict[str, Any]
ORDER = ("table", "limits", "timing", "lamps", "display", "keys", "motor", "results", "journal", "pins")
_TALL_LIST = re.compile(r"\[\n((?:    -?\d+,\n)+)\]")  # tomli-w gives each number a line of its own


def read(path: Path) -> Config:
    """What the file says, unchecked; CannotRun where it is no TOML."""
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise CannotRun(f"cannot read {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CannotRun(f"{path} is not UTF-8 text.") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise CannotRun(f"{path} is no TOML: {error}.") from error


def check(config: Config, board: dict[str, Any], source: str) -> None:
    """CannotRun with the key's path, and the clause where a rule says so; `board` is its definition."""
    problem = rules.problem(config, board["pins"], board["parts"])
    if problem:
        raise CannotRun(f"{source}: {problem}.")


def to_board(config: Config) -> bytes:
    return json.dumps(config, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def from_board(text: bytes) -> Config:
    """What the board has; an empty one where it has none of its own."""
    if not text:
        return {}
    try:
        found = json.loads(text)
    except ValueError as error:
        raise CannotRun("what the board keeps is no configuration; apply one anew.") from error
    if not isinstance(found, dict):
        raise CannotRun("what the board keeps is no configuration; apply one anew.")
    return found


def to_toml(config: Config) -> str:
    known = [section for section in ORDER if section in config]
    rest = sorted(section for section in config if section not in ORDER)
    text = tomli_w.dumps({section: config[section] for section in known + rest})
    return _TALL_LIST.sub(lambda found: "[" + ", ".join(re.findall(r"-?\d+", found[1])) + "]", text)


def with_value(config: Config, assignment: str) -> Config:
    """A copy in which SECTION.KEY=VALUE holds. The value is TOML; text may go without its quotes."""
    path, sign, text = assignment.partition("=")
    section, dot, key = path.strip().partition(".")
    if not (sign and dot and section and key):
        raise CannotRun(f"{assignment!r} is no SECTION.KEY=VALUE, as timing.turns=5.")
    kept = config.get(section, {})
    if not isinstance(kept, dict):
        raise CannotRun(f"{section}: a section is a table of keys.")
    return {**config, section: {**kept, key.strip("\"'"): _value(section, key, text.strip())}}


def _value(section: str, key: str, text: str) -> Any:
    sections: Any = rules.SECTIONS
    wanted = sections.get(section, {}).get(key)
    if wanted is not None and wanted[0] is str and text[:1] not in ('"', "'"):
        return text
    try:
        found = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise CannotRun(f"{section}.{key}: {text!r} is no TOML value.") from error
    if list(found) != ["value"]:
        raise CannotRun(f"{section}.{key}: {text!r} is no TOML value.")
    return found["value"]


def differences(board: Config, file: Config) -> list[dict[str, Any]]:
    """Every key on which the two disagree, in order: what each says of it, None where it says nothing."""
    left, right = _flat(board), _flat(file)
    keys = [*left, *(key for key in right if key not in left)]
    return [
        {"key": key, "board": left.get(key), "file": right.get(key)}
        for key in keys
        if left.get(key) != right.get(key)
    ]


def _flat(config: Config) -> Config:
    return {
        f"{section}.{key}": value
        for section, keys in config.items()
        for key, value in (keys.items() if isinstance(keys, dict) else [("", keys)])
    }
