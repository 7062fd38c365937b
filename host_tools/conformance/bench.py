"""The bench a case is played on: keys pressed, wires moved, power cut, events listened to.

Acts through the fixture's pins and the link, like the people and parts around a real table; it
judges nothing and knows no game. Board time passes only through the fixture's `run`, so a case
takes the same course on the simulated board and on the emulated chip.
"""

from __future__ import annotations

import time
from typing import Any

from firmware import config as rules
from host_tools import board_files, config_file
from host_tools.errors import NoBoard, PitkitError
from host_tools.fixture import Fixture
from host_tools.link import Link
from host_tools.ports import Session

MS = 1000
AHEAD_MS = (50, 400, 2000)  # how far ahead edges are scheduled: board time runs on while we speak
BOUNCE_US = (0, 300, 700, 1100, 1500)  # a contact that closes: closed, open, closed, open, closed
HELD_MS, AFTER_MS = 60, 60
NOTICE_MS = 21 * 60 * 1000  # of qld s74(3), and a minute
LIMIT_S = 30.0  # on the wall's clock: the emulated chip is slow when the machine is busy
PATIENCE_MS, LOOK_MS = 3000, 100  # in board time: how long an event may take to come
CLOSED_AT_REST = ("cover", "seal")  # cover on, seal whole; all other contacts are open

Edge = tuple[int, str, bool]  # µs from the start, pin, is it closed


class Bench:
    def __init__(self, session: Session, fixture: Fixture) -> None:
        self.session = session
        self.fixture = fixture
        self.events: list[dict[str, Any]] = []  # of the case under way
        self.wagers: dict[int, tuple[str, int]] = {}  # ref: code and stake, as the case placed them
        self._broken: list[str] = []  # areas whose lamp the case broke
        self.off = False
        self._heard = 0
        self._in_play = False  # as the board was found
        self._nonce: int = self.link.identity["boot_nonce"]
        self._board = board_files.named(self.link.identity["board"]).data
        self._pins: dict[str, Any] = self._board["pins"]
        self._first_config = self.config = config_file.from_board(self.link.read_config())

    @property
    def link(self) -> Link:
        return self.session.link

    # -- where every case begins

    def reset(self, edition: str = "") -> None:
        """Power on, cover on, sealed, nothing pressed, no round, no fault, set up as it was found.

        `edition`: set up so, but as another edition's table.
        """
        if self.off:
            self.power()
        for name in board_files.contacts(self._board):
            self.fixture.set(name, self.level(name, name in CLOSED_AT_REST))
        for area in self._broken:
            self.fixture.lamp_works(area)
        self._broken = []
        self.run_ms(AFTER_MS)
        self._end_round()
        status = self.link.command("status")
        if status["fault"]:
            self.link.command("clear_fault")
        if not status["test"]:  # a conformance run moves no meter
            self.link.command("test_mode", on=1)
            self._in_play = True
        self.configure(self._of(edition))
        self._listen()

    def _of(self, edition: str) -> config_file.Config:
        if not edition:
            return self._first_config
        table = {**self._first_config["table"], "edition": edition}
        return {**self._first_config, "table": table}

    def leave(self) -> None:
        """As it was found, in play if it was in play."""
        self.reset()
        if self._in_play:
            self.link.command("test_mode", on=0)

    def _end_round(self) -> None:
        """Whatever round is under way comes to nothing: the tumbler is set going and called off."""
        status = self.link.command("status")
        if status["betting"] == "closed":
            return
        if status["device"] == "idle":
            if status["betting"] == "open" and self.config["table"].get("variant") == "uncovered":
                self.link.command("no_more_bets")
            self.link.command("activate")
        self.link.command("no_spin", cause="malfunction")

    def _listen(self) -> None:
        """From here on, with nothing heard yet."""
        self._nonce = self.link.identify()["boot_nonce"]
        self._heard = self.link.identity["next_event"] - 1
        self.link.follow(self._heard + 1)
        self.events, self.wagers = [], {}

    def configure(self, wanted: config_file.Config) -> None:
        """Sets it up so, and waits where a higher minimum wants its notice first."""
        if wanted != self.config and self.announce(wanted):
            self.run_ms(NOTICE_MS)

    def announce(self, wanted: config_file.Config) -> bool:
        """Gives it to the board, whose clock is known; whether it counts only later."""
        if not self.link.command("time")["how"]:
            self.link.command("time_set", utc_ms=time.time_ns() // 1_000_000)
        waits = bool(self.link.write_config(config_file.to_board(wanted))["rule"])
        self.config = wanted
        return waits

    def timing_ms(self, key: str) -> int:
        return int(rules.value(self.config, "timing", key))

    # -- time and wires

    def run_ms(self, ms: int) -> None:
        self.fixture.run(ms * MS)

    def play(self, edges: list[Edge], lasting_ms: int) -> None:
        """Edges counted from a moment soon, then time until `lasting_ms` after that moment."""
        start_us = self._schedule(edges)
        left_us = start_us + lasting_ms * MS - self.fixture.now()
        self.fixture.run(max(0, left_us))

    def _schedule(self, edges: list[Edge]) -> int:
        for ahead_ms in AHEAD_MS:
            start_us = self.fixture.now() + ahead_ms * MS
            try:
                self.fixture.schedule([(start_us + at, pin, self.level(pin, on)) for at, pin, on in edges])
                return start_us
            except NoBoard:
                raise
            except PitkitError as error:  # the moment had passed already: the machine is busy
                refused = error
        raise refused

    def level(self, pin: str, closed: bool) -> int:
        active = int(self._pins[pin]["active"])
        return active if closed else 1 - active

    def press(self, pin: str) -> None:
        """A finger on a key: the contact bounces as it closes and as it opens."""
        down = [(at_us, pin, index % 2 == 0) for index, at_us in enumerate(BOUNCE_US)]
        up = [(HELD_MS * MS + at_us, pin, not closed) for at_us, pin, closed in down]
        self.play(down + up, HELD_MS + AFTER_MS)

    def move(self, pin: str, closed: bool) -> None:
        self.fixture.set(pin, self.level(pin, closed))
        self.run_ms(AFTER_MS)

    def break_lamp(self, area: str, how: str) -> None:
        """Until the next case."""
        self._broken.append(area)
        self.fixture.lamp_fails(area, how)

    # -- power

    def cut(self) -> None:
        self.fixture.cut()
        self.off = True

    def power(self) -> None:
        """Power back, and the line taken up again where it broke off."""
        self.fixture.power()
        self.off = False
        self.session.reconnect()
        self._nonce = self.link.identity["boot_nonce"]
        self.link.follow(self._heard + 1)
        self.run_ms(AFTER_MS)

    # -- what the board tells

    def collect(self) -> None:
        """Every event the board has written by now."""
        end = time.monotonic() + LIMIT_S
        last = self.link.identify()["next_event"] - 1
        if self.link.identity["boot_nonce"] != self._nonce:
            raise NoBoard("the board restarted by itself.")
        while self._heard < last:
            for event in self.link.events(1.0):
                self._heard = event["seq"]
                self.events.append(event)
                if self._heard >= last:
                    break
            if time.monotonic() > end:
                raise NoBoard(f"events {self._heard + 1} to {last} did not come within {LIMIT_S:g} s.")

    def wait_for(self, names: tuple[str, ...], after: int) -> int | None:
        """Where in `events`, from `after` on, one of these stands; None if none comes in good time."""
        for _ in range(PATIENCE_MS // LOOK_MS):
            self.collect()
            for index in range(after, len(self.events)):
                if self.events[index]["event"] in names:
                    return index
            self.run_ms(LOOK_MS)
        return None
