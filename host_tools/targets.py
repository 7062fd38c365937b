"""`sim:TABLE@EDITION?…` and `emu:…`, taken apart; and what such a board is wired to.

Knows which tables there are and which this version can run; starts nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from firmware import config, fit
from rules_min.settlement import GAMES

from . import __version__
from .errors import CannotRun

# table id: game (rules_min), in the order of INTERFACES; a variant is part of its configuration.
TABLES = {
    "sic_bo": "sic_bo",
    "mini_dice": "mini_dice",
    "roulette": "roulette",
    "roulette_00": "roulette",
    "wheel_50": "wheel",
    "wheel_52": "wheel",
    "money_wheel": "wheel",
    "wheel_54": "wheel",
    "big_six": "wheel",
    "two_up": "two_up",
    "triple_two_up": "triple_two_up",
    "keno": "keno",
    "tri_chro": "tri_chro",
    "craps": "craps",
    "pai_gow_dice": "pai_gow_dice",
}
EDITION_ORDER = ("qld1985", "act1999", "cgr1993", "qld2004")
BOARDS_DIR = Path(__file__).resolve().parent.parent / "boards"
# options behind the ?, with their values; state=DIR and parts=KIND,… are for both
OPTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "sim": {"clock": ("frozen",)},
    "emu": {"flash": ("typical", "worst", "instant")},
}
# What hangs on pins of its own does so whether the table asks for it or not; it hears and does nothing.
ALWAYS_WIRED = ("shunt", "uart")  # a noise circuit is a voltage that the fixture sets
RESTING_LEVELS = {"cover": 0, "seal": 0}  # cover on, seal closed: how a table stands when nobody touches it


@dataclass
class Target:
    """`sim:TABLE@EDITION?state=DIR`, taken apart."""

    kind: str
    table: str
    edition: str
    state: Path | None
    frozen: bool = False
    flash: str = "typical"
    parts: tuple[str, ...] = ()  # kinds that stand in place of those the board comes with

    @property
    def config(self) -> dict[str, Any]:
        found = {"table": {"game": TABLES[self.table], "edition": self.edition}}
        for kind in self.parts:
            section, key, value = _choice(kind)
            found.setdefault(section, {})[key] = value
        return found


def _choice(kind: str) -> tuple[str, str, str]:
    """The section, key and value of the configuration that ask for this kind of part."""
    for part, values in fit.VALUES.items():
        for value, stands_for in values.items():
            if stands_for == kind and kind != "none":
                return (*fit.CHOSEN_BY[part], value)
    known = sorted({kind for values in fit.VALUES.values() for kind in values.values()} - {"none"})
    raise CannotRun(f"there is no kind of part {kind!r}; known: {', '.join(known)}.")


def parse_target(text: str) -> Target:
    """A `sim:` or `emu:` port, or CannotRun in one sentence."""
    kind, _, rest = text.partition(":")
    body, _, query = rest.partition("?")
    table, _, edition = body.partition("@")
    options = dict(parse_qsl(query, keep_blank_values=True))
    _check_options(text, kind, query, options)
    if table not in TABLES:
        raise CannotRun(f"{text}: there is no table {table!r}; known: {', '.join(TABLES)}.")
    state = Path(options["state"]) if "state" in options else None
    flash = options.get("flash", "typical")
    parts = tuple(options["parts"].split(",")) if "parts" in options else ()
    target = Target(kind, table, _edition(text, table, edition), state, "clock" in options, flash, parts)
    _ = target.config  # names a part that there is not
    return target


def every_edition(port: str) -> tuple[str, ...]:
    """The editions of a simulated or emulated table that is named without one; else none."""
    kind, _, rest = port.partition(":")
    table = rest.partition("?")[0]
    if kind not in OPTIONS or table not in TABLES:
        return ()
    return tuple(config.EDITIONS_BUILT.get(TABLES[table], ()))


def _check_options(text: str, kind: str, query: str, options: dict[str, str]) -> None:
    known = {"state": None, "parts": None, **OPTIONS[kind]}
    good = all(
        name in known and value in (known[name] or [value]) and value for name, value in options.items()
    )
    if not good or (query and not options):
        free = {"state": "DIR", "parts": "KIND,…"}
        words = [f"{name}={'|'.join(values) if values else free[name]}" for name, values in known.items()]
        raise CannotRun(f"{text}: the options are {' and '.join(words)}.")


def _edition(text: str, table: str, asked: str) -> str:
    game = TABLES[table]
    known = GAMES[game].EDITIONS if game in GAMES else {}
    edition = asked or next((name for name in EDITION_ORDER if name in known), "")
    if edition not in known and known:
        raise CannotRun(f"{text}: {table} has no edition {edition!r}; known: {', '.join(sorted(known))}.")
    built = config.EDITIONS_BUILT.get(game, ())
    if edition not in built:
        runs = f"it runs {table}@{', '.join(built)}" if built else f"it has no {table} table yet"
        name = f"{table}@{edition}" if edition else table
        raise CannotRun(f"{text}: this version cannot run {name}; {runs}.")
    return edition


def wiring(board: str, table: str, parts: tuple[str, ...] = ()) -> dict[str, Any]:
    """What the simulated or emulated board is wired to: its own parts, or these kinds in their place."""
    data = json.loads((BOARDS_DIR / board / "board.json").read_text(encoding="utf-8"))
    wired = {name: _wired(row, parts) for name, row in data["parts"].items()}
    lamps = list(getattr(GAMES[TABLES[table]], "AREAS", ()))
    return {
        "board": data,
        "parts": wired,
        "lamps": lamps,
        "levels": RESTING_LEVELS,
        "version": __version__,
    }


def _wired(row: dict[str, Any], kinds: tuple[str, ...]) -> dict[str, Any]:
    rows: list[dict[str, Any]] = fit.rows(row)
    wanted = [other for other in rows if other["kind"] in (*kinds, *ALWAYS_WIRED)]
    return wanted[0] if wanted else row
