"""The whole machine (firmware/main.py) on fakes, under CPython: its flash areas behind one power switch."""

from __future__ import annotations

import json
import os
import sys
import time
import types
from pathlib import Path
from typing import Any

from fakes import Clock, FakeFlash, Parts

ROOT = Path(__file__).parents[1]


def _import_main() -> Any:
    """main.py with a board that has no hardware: its imports are put in place first."""
    board_data = types.ModuleType("board_data")
    board_data.BOARD = json.loads((ROOT / "boards" / "unix" / "board.json").read_text())  # type: ignore[attr-defined]
    board_data.BUILD = {  # type: ignore[attr-defined]
        "version": "0.1.0",
        "rules_hash": "r",
        "image_hash": "",
        "default_config": None,
        "dictionary": None,
        "files": "",
    }
    board = types.ModuleType("firmware.board")
    board.Board = object  # type: ignore[attr-defined]
    time.sleep_ms = lambda ms: None  # type: ignore[attr-defined]
    sys.modules.setdefault("board_data", board_data)
    sys.modules.setdefault("firmware.board", board)
    from firmware import build, main

    return build, main


build, main = _import_main()
messages = main.messages
NUMBER = messages.numbers(messages.EVENTS)


class Flashes:
    """Config, waiting, journal and seed; the power goes in the operation that `left` counts down to."""

    def __init__(self, sectors: int = 12) -> None:
        self.areas = {name: FakeFlash(2) for name in ("config", "waiting", "seed")}
        self.areas["journal"] = FakeFlash(sectors)
        self.left: int | None = None
        self.keep: Any = 0
        for flash in self.areas.values():
            flash._operate = self._switch(flash)  # type: ignore[method-assign]

    def _switch(self, flash: FakeFlash) -> Any:
        def operate() -> bool:
            if self.left is None:
                return False
            self.left -= 1
            flash.keep = self.keep
            return self.left < 0

        return operate

    def copy(self) -> Flashes:
        other = Flashes(1)
        for name, flash in self.areas.items():
            twin = FakeFlash(len(flash.memory) // 4096)
            twin.memory[:], twin.worn = flash.memory, flash.worn
            other.areas[name] = twin
            twin._operate = other._switch(twin)  # type: ignore[method-assign]
        return other


class FakeBoard:
    def __init__(self, data: dict[str, Any]) -> None:
        self.data, self.name, self.pins, self.parts = data, "unix", data["pins"], data["parts"]
        self.clock, self.flashes = Rig.clock, Rig.flashes

    def now_us(self) -> int:
        return self.clock.us

    def now_ms(self) -> int:
        return self.clock.us // 1000

    def flash(self, area: str) -> FakeFlash:
        return self.flashes.areas[area]

    def noise(self, row: dict[str, Any], overrides: dict[str, int]) -> Any:
        return os.urandom

    def __getattr__(self, name: str) -> Any:
        """Whatever else a board does: nothing that matters here."""
        answers = {"read": b"", "reset_cause": 1, "unique_id": "e6", "heap_free": 100000}
        return lambda *_: answers.get(name)


class NoCare:
    def __init__(self, *_: Any) -> None:
        pass

    def poll(self) -> None:
        pass

    def stop(self) -> None:
        pass

    def deadline_us(self) -> None:
        return None


def _parts(board: Any, settings: dict[str, Any], *_: Any) -> Parts:
    parts = Parts(Rig.clock, turns=settings.get("timing", {}).get("turns", 4))
    parts.ring = parts.line = None
    return parts


class Rig:
    clock: Clock
    flashes: Flashes

    def __init__(self, flashes: Flashes) -> None:
        Rig.flashes, Rig.clock = flashes, Clock()
        main.Board, build.Parts, build.Care = FakeBoard, _parts, NoCare
        self.flashes, self.clock = flashes, Rig.clock
        self.machine = main.Machine()

    @classmethod
    def new(cls, sectors: int = 12, **configured: Any) -> Rig:
        rig = cls(Flashes(sectors))
        rig.apply(**configured)
        return rig

    def restart(self) -> Rig:
        self.flashes.left = None
        return Rig(self.flashes)

    @property
    def table(self) -> Any:
        return self.machine.table

    @property
    def journal(self) -> Any:
        return self.machine.journal

    def do(self, command: str, by: str = "supervisor", **fields: Any) -> Any:
        return self.machine.session.handlers[command]({**fields, "by": by})

    def apply(self, minimum: int = 500, edition: str = "qld1985", **sections: Any) -> dict[str, Any]:
        table = {"game": "sic_bo", "edition": edition}
        text = json.dumps({"table": table, "limits": {"*": [minimum, 20000]}, **sections}).encode()
        for at in range(0, len(text), 192):
            self.do("config_part", offset=at, part=text[at : at + 192])
        hash_ = main.text_hash(text)
        answer: dict[str, Any] = self.do("config_commit", length=len(text), hash=hash_)
        return answer

    def idle(self, seconds: int = 10) -> None:
        for _ in range(seconds):
            self.clock.us += 1_000_000
            self.machine.step()

    def to_called(self) -> None:
        self.cover(1)
        self.do("open")
        self.do("wager", ref=1, code="small", stake=500, player="Ada")
        self.do("wager", ref=2, code="total:10", stake=600, player="")
        self.do("activate")
        for _ in range(4):
            self.clock.us += 400_000
            self.table.parts.panel.changes.append(("turn", 1, self.clock.us))
            self.table.poll()
        self.clock.us += 4_000_000
        self.table.poll()
        self.do("no_more_bets")
        self.cover(0)

    def round(self, *dice: int) -> None:
        self.to_called()
        self.enter(*(dice or (3, 3, 4)))

    def cover(self, on: int) -> None:
        self.table.parts.panel.change("cover", on)
        self.table.poll()

    def key(self, name: str) -> None:
        for closed in (1, 0):
            self.table.parts.panel.change(name, closed)
        self.table.poll()

    def enter(self, *numbers: int) -> None:
        for number in numbers:
            self.key(f"key{number}")
        self.key("key_entry")

    def events(self, *names: str) -> list[dict[str, Any]]:
        found = []
        for seq, _, type_, payload in self.journal.records(self.journal.first_seq):
            name, fields = main.messages.EVENTS[type_]
            if not names or name in names:
                found.append({"event": name, "seq": seq, **main.messages.unpack(fields, payload, older=True)})
        return found

    @property
    def sums(self) -> dict[str, int]:
        sums: dict[str, int] = self.journal.meters.sums
        return sums


# -- what the tests of it share


def told(rig: Rig) -> set[int]:
    return {event["code"] for event in rig.events("fault")}


def played(rounds: int = 3) -> Rig:
    rig = Rig.new()
    for _ in range(rounds):
        rig.round()
    return rig


def spoil(rig: Rig, event: str, last: bool = True) -> Rig:
    """One bit of this event's newest record flips; the board starts again."""
    found = rig.events(event)[-1 if last else 0]
    record = rig.journal.read(found["seq"])
    memory = rig.flashes.areas["journal"].memory
    packed = bytes([len(record[3]), record[2]]) + found["seq"].to_bytes(4, "little")
    memory[memory.find(packed) + 12] ^= 1
    return rig.restart()


def carry(rig: Rig, rows: list[tuple[str, dict]], round_: int) -> None:  # type: ignore[type-arg]
    for event, fields in rows:
        packed = messages.pack(messages.EVENTS[NUMBER[event]][1], fields)
        rig.do("adopt_record", by="inspector", type=NUMBER[event], payload=packed)
    rig.do("adopt", by="inspector", board="e7", upto=9, mac=b"", round=round_, records=len(rows))


METERS = {"games": 1, "turnover": 1100, "paid": 700, "last": (1, 1100, 700)}
OPENED = {"round": 2, "game": "sic_bo", "edition": "qld1985"}
WAGER = {"round": 2, "ref": 1, "code": "small", "stake": 500, "player": ""}
