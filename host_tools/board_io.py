"""The parts of a board tried one by one over the line: what `pitkit io` and `trace record` stand on.

A board in io is out of play; leaving it, or falling silent, switches every output off. This asks
and orders; it shows nothing and knows no game.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from firmware.protocol.messages import NO_GPIO

from .errors import NoBoard, PitkitError
from .link import Link

LOOK_S = 0.02


@dataclass(frozen=True)
class Pin:
    name: str  # empty: the configuration gives this pin no name
    gpio: int | None  # None: a key of a matrix has none to itself
    active: int  # the level when closed

    @property
    def label(self) -> str:
        return self.name or f"GP{self.gpio}"

    def level(self, closed: int) -> int:
        return self.active if closed else 1 - self.active


@dataclass(frozen=True)
class Edge:
    at_us: int  # board time
    pin: Pin
    closed: int
    edges: int  # of this pin, counted with this one

    @property
    def level(self) -> int:
        return self.pin.level(self.closed)


def _pin(row: dict[str, Any]) -> Pin:
    return Pin(row["name"], None if row["gpio"] == NO_GPIO else row["gpio"], row["active"])


TRY, LISTEN = 1, 2


class BoardIo:
    """`with BoardIo(link) as io:` holds the table out of play; with LISTEN it plays on and is heard."""

    def __init__(self, link: Link, wanted: int = TRY) -> None:
        self.link = link
        self.wanted = wanted
        self.pins: list[Pin] = []
        self.lamps = self.digits = 0
        self.lost = 0  # edges that came faster than they could be kept
        self._counted: list[int] = []

    def __enter__(self) -> BoardIo:
        sizes = self.link.command("io", on=self.wanted)
        self.lamps, self.digits = sizes["lamps"], sizes["digits"]
        rows = [self.link.command("io_pin", index=index) for index in range(sizes["pins"])]
        self.pins = [_pin(row) for row in rows]
        self._counted = [0] * len(self.pins)
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(NoBoard):  # it leaves by itself when nobody asks
            self.link.command("io", on=0)

    # -- pins

    def closed(self) -> list[int]:
        """Each pin as it stands."""
        return list(self.link.command("io_levels")["closed"])

    def fetch(self) -> list[Edge]:
        """Every edge the board has seen since the last call."""
        found: list[Edge] = []
        while True:
            answer = self.link.command("io_edges")
            self.lost += answer["lost"]
            flat = answer["edges"]
            found += [self._edge(at_us, code) for at_us, code in zip(flat[::2], flat[1::2], strict=True)]
            if not flat:
                return found

    def _edge(self, at_us: int, code: int) -> Edge:
        index, closed = divmod(code, 2)
        self._counted[index] += 1
        return Edge(at_us, self.pins[index], closed, self._counted[index])

    def edges(self, seconds: float | None) -> Iterator[list[Edge]]:
        """What came, look by look (often nothing), for so long or for ever."""
        end = float("inf") if seconds is None else time.monotonic() + seconds
        while time.monotonic() < end:
            yield self.fetch()
            time.sleep(LOOK_S)

    # -- parts

    def light(self, outputs: list[int]) -> None:
        self.link.command("io_lamps", outputs=outputs)

    def show(self, digits: list[int]) -> None:
        self.link.command("io_digits", digits=digits)

    def motor(self, ms: int) -> None:
        self.link.command("io_motor", ms=ms)

    def stay(self, seconds: float) -> None:
        """Waits, and lets the board know that somebody is here."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.link.command("io_levels")
            time.sleep(min(left, 1.0))

    def tumble(self, patience_s: float) -> dict[str, Any]:
        """One run of the tumbler, from its motor on to its dice at rest."""
        told = self.link.command("io_tumble", start=1)
        end = time.monotonic() + patience_s
        while told["state"] != "rested":
            if time.monotonic() > end:
                raise PitkitError(f"the tumbler was not at rest within {patience_s:g} s.")
            time.sleep(LOOK_S)
            told = self.link.command("io_tumble", start=0)
        return told
