"""Board definitions: where they are, and whether each one holds together.

A definition is boards/NAME/board.json. `problems` reads one as a stranger would and names all
that is wrong with it, each with the key's path; it never asks a board and never changes a file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from firmware import fit
from host_tools import noise_rows
from host_tools.errors import CannotRun

HOME = Path(__file__).resolve().parent.parent / "boards"

FIELDS: dict[str, type] = {
    "name": str,
    "title": str,
    "mcu": str,
    "usb": list,
    "capabilities": list,
    "poll_ms": int,
    "flash": dict,
    "header": list,  # every GPIO that a wire can be put on
    "pins": dict,
    "parts": dict,
    "noise": list,
}
OPTIONAL: dict[str, type] = {
    "line_bytes": int,  # what a read or a write of the port's own takes without waiting: 1 if not said
    "window_bytes": int,  # of commands that may be unread at a time: 2048 if not said, less on a UART
}
FLASH: dict[str, type] = {"module": str, "class": str, "sector_bytes": int, "page_bytes": int}
AREAS = ("config", "journal", "waiting", "files", "seed")
PAIRS = ("config", "waiting", "seed")  # two copies each, so that one is always whole
PIN = {"gpio", "direction", "pull", "active", "wire"}
MOST_GPIO = 63
# kind of part: the fields of its row that are a number, and those that name an input of the board
NUMBERS: dict[str, tuple[str, ...]] = {
    "74hc595": ("outputs",),
    "ws2812": ("count",),
    "tm1637": ("digits",),
    "ht16k33": ("digits",),
    "shunt": ("lamp_ma", "shunt_mohm"),
}
INPUTS = ("keys", "columns", "sense")
# fields of a row that are neither
NOT_PINS: dict[str, tuple[str, ...]] = {
    "matrix": ("keys",),
    "uart": ("uart",),
    "noise_circuit": ("module", "function", "entropy_milli", "seed_bytes"),
}


@dataclass(frozen=True)
class Definition:
    path: Path
    data: dict[str, Any]

    @property
    def name(self) -> str:
        return self.path.parent.name

    def text(self, field: str) -> str:
        return str(self.data.get(field, ""))


def paths(folder: Path = HOME) -> list[Path]:
    return sorted(folder.glob("*/board.json"))


def read(path: Path) -> Definition:
    """The definition, or CannotRun where the file holds none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CannotRun(f"cannot read {path}: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise CannotRun(f"{path} is no JSON: {error}.") from error
    if not isinstance(data, dict):
        raise CannotRun(f"{path}: a board definition is a JSON object.")
    return Definition(path, data)


def named(name: str, folder: Path = HOME) -> Definition:
    """The definition of the board of this name."""
    if name not in [path.parent.name for path in paths(folder)]:
        known = ", ".join(path.parent.name for path in paths(folder))
        raise CannotRun(f"there is no board definition {name!r}; known: {known}.")
    return read(folder / name / "board.json")


def contacts(data: dict[str, Any]) -> list[str]:
    """The inputs that people and the table move, whatever parts are fitted: keys, switches, sensors."""
    rows = [row for part in data["parts"].values() for row in fit.rows(part) if row["kind"] != "single"]
    wires = {name for row in rows for name in fit.pins_of(row)}
    return [name for name, pin in data["pins"].items() if pin["direction"] == "in" and name not in wires]


def problems(definition: Definition) -> list[str]:
    """All that is wrong with it, one sentence each; empty where nothing is."""
    data = definition.data
    known = FIELDS | {key: kind for key, kind in OPTIONAL.items() if key in data}
    wrong = list(_fields("", data, known))
    wrong += [f"{key}: no such field" for key in data if key not in known]
    if wrong:
        return wrong
    if data["name"] != definition.name:
        wrong.append(f"name: says {data['name']!r} in the folder {definition.name}")
    if data["poll_ms"] < 1:
        wrong.append("poll_ms: must be at least 1")
    wrong += _usb(data["usb"])
    wrong += _header(data["header"], data["pins"])
    wrong_parts = list(_parts(data["parts"], data["pins"]))
    wrong += _pins(data["pins"], set() if wrong_parts else fit.idle_pins(data["parts"], {}))
    wrong += wrong_parts
    wrong += _flash(data["flash"])
    wrong += noise_rows.problems(data["noise"])
    return wrong


def _fields(path: str, data: dict[str, Any], wanted: dict[str, type]) -> Iterator[str]:
    words = {str: "text", int: "a whole number", list: "a list", dict: "an object"}
    for key, kind in wanted.items():
        if key not in data:
            yield f"{path}{key}: is missing"
        elif type(data[key]) is not kind:
            yield f"{path}{key}: must be {words[kind]}"


def _usb(rows: list[Any]) -> Iterator[str]:
    for index, row in enumerate(rows):
        for key in ("vid", "pid"):
            value = row.get(key) if isinstance(row, dict) else None
            if not (isinstance(value, str) and len(value) == 4 and set(value) <= set("0123456789abcdef")):
                yield f"usb[{index}].{key}: must be four hexadecimal digits, as 2e8a"


def _header(gpios: list[Any], pins: dict[str, Any]) -> Iterator[str]:
    for index, gpio in enumerate(gpios):
        if type(gpio) is not int or not 0 <= gpio <= MOST_GPIO:
            yield f"header[{index}]: must be a GPIO number, 0 to {MOST_GPIO}"
        elif gpio in gpios[:index]:
            yield f"header[{index}]: GPIO {gpio} is there already"
    for name, pin in pins.items():
        if isinstance(pin, dict) and type(pin.get("gpio")) is int and pin["gpio"] not in gpios:
            yield f"pins.{name}.gpio: GPIO {pin['gpio']} is not on the board's header"


def _pins(pins: dict[str, Any], idle: set[str]) -> Iterator[str]:
    used: dict[int, str] = {}
    for name, pin in pins.items():
        if not isinstance(pin, dict):
            yield f"pins.{name}: must be an object"
            continue
        yield from _pin(f"pins.{name}", pin)
        gpio = pin.get("gpio")
        if name in idle:  # only a part that stands in another's place has it
            continue
        if type(gpio) is int and gpio in used:
            yield f"pins.{name}.gpio: pin {gpio} is {used[gpio]} already"
        elif type(gpio) is int:
            used[gpio] = name


def _pin(path: str, pin: dict[str, Any]) -> Iterator[str]:
    yield from (f"{path}.{key}: no such field" for key in pin if key not in PIN)
    if type(pin.get("gpio")) is not int or not 0 <= pin["gpio"] <= MOST_GPIO:
        yield f"{path}.gpio: must be a whole number from 0 to {MOST_GPIO}"
    if pin.get("direction") not in ("in", "out"):
        yield f"{path}.direction: must be in or out"
    if pin.get("pull", "none") not in ("up", "down", "none"):
        yield f"{path}.pull: must be up, down or none"
    if pin.get("pull", "none") != "none" and pin.get("direction") == "out":
        yield f"{path}.pull: an output has none"
    if type(pin.get("active")) is not int or pin["active"] not in (0, 1):
        yield f"{path}.active: must be 0 or 1"
    if not isinstance(pin.get("wire"), str) or not pin["wire"]:
        yield f"{path}.wire: must say what is wired to it"


def _parts(parts: dict[str, Any], pins: dict[str, Any]) -> Iterator[str]:
    for name, part in parts.items():
        others = part.get("or", []) if isinstance(part, dict) else []
        if not isinstance(others, list):
            yield f"parts.{name}.or: must be a list of parts"
            continue
        yield from _part(f"parts.{name}", part, pins, ("or",))
        for index, other in enumerate(others):
            yield from _part(f"parts.{name}.or[{index}]", other, pins)


def _part(path: str, part: Any, pins: dict[str, Any], also: tuple[str, ...] = ()) -> Iterator[str]:
    kind = part.get("kind") if isinstance(part, dict) else None
    if not isinstance(kind, str) or kind not in fit.WIRES:
        yield f"{path}.kind: must be one of {', '.join(fit.WIRES)}"
        return
    for wire in fit.WIRES[kind]:
        named = part.get(wire)
        for pin in named if isinstance(named, list) else [named]:
            yield from _wire(f"{path}.{wire}", pin, pins, "in" if wire in INPUTS else "out")
    numbers = NUMBERS.get(kind, ())
    for number in numbers:
        if type(part.get(number)) is not int or part[number] < 1:
            yield f"{path}.{number}: must be a whole number, at least 1"
    known = ("kind", *also, *fit.WIRES[kind], *numbers, *NOT_PINS.get(kind, ()))
    yield from (f"{path}.{key}: no such field" for key in part if key not in known)


def _wire(path: str, pin: Any, pins: dict[str, Any], direction: str) -> Iterator[str]:
    if not isinstance(pin, str) or pin not in pins:
        yield f"{path}: names the pin {pin!r}, which the board does not have"
    elif isinstance(pins[pin], dict) and pins[pin].get("direction") != direction:
        yield f"{path}: the pin {pin} is not an {direction}put"


def _flash(flash: dict[str, Any]) -> Iterator[str]:
    wrong = list(_fields("flash.", flash, FLASH))
    wrong += [f"flash.{key}: no such field" for key in flash if key not in FLASH and key not in AREAS]
    if wrong:
        yield from wrong
        return
    sector, page = flash["sector_bytes"], flash["page_bytes"]
    if page < 1 or sector < page or sector % page:
        yield "flash.sector_bytes: must be a whole number of pages"
        return
    spans = []
    for area in AREAS:
        problem = _bad_area(flash.get(area), sector, 2 if area in PAIRS else 1)
        if problem:
            yield f"flash.{area}: {problem}"
        else:
            spans.append((*flash[area], area))
    spans.sort()
    for (start, length, before), (after_start, _, after) in pairwise(spans):
        if start + length > after_start:
            yield f"flash.{after}: overlaps flash.{before}"


def _bad_area(area: Any, sector: int, least: int) -> str | None:
    if not isinstance(area, list) or len(area) != 2 or any(type(n) is not int for n in area):
        return "must be [start, length] in bytes"
    start, length = area
    if start < 0 or length < least * sector or start % sector or length % sector:
        return f"must start and end on a sector of {sector} bytes and hold at least {least}"
    return None
