"""A talk with one board over a line that comes and goes: who is there, what was applied, what is next.

Around line_end.py: asks who is there after every cut, restart or long silence, and only then lets
commands go; follows the events anew where it left off. Owns no port, no clock and no thread:
live.py has those, and the hostile line of the tests.
"""

from __future__ import annotations

from typing import Any

from firmware.protocol import messages

from .line_end import LineEnd
from .link import packed, read_identity

ASK_MS = 400
QUIET_MS = 2000  # nothing came for so long: see whether the board is still the one it was
CUT, ASKING, UP = "cut", "asking", "up"


class Conversation:
    def __init__(self, name: str, role: str, end: LineEnd) -> None:
        self.name, self.role = name, role
        self.end = end
        self.state = CUT
        self.identity: dict[str, Any] = {}
        self.follow_from: int | None = None  # the first event we want; None: none of them
        self.restarts = 0
        self._asked = 0
        self._asked_ms: int | None = None
        self._heard_ms = 0
        self._follow: int | None = None  # the number of the last follow
        self._is_new = True  # the connection: the board may have forgotten that we follow

    # -- the connection

    def connected(self, now_ms: int) -> None:
        self.end.counts.reconnects += bool(self.identity)
        self.end.reconnected()
        self._ask(now_ms, is_new=True)

    def cut(self) -> None:
        self.state = CUT

    def _ask(self, now_ms: int, is_new: bool) -> None:
        self.state, self._asked_ms = ASKING, None
        self._heard_ms = now_ms
        self._is_new = self._is_new or is_new

    # -- commands and events

    def submit(self, name: str, fields: dict[str, Any]) -> int:
        """Its number; the answer comes into `answers` under it, whatever happens to the line."""
        return self.end.submit(*packed(name, fields))

    def follow(self, event: int) -> None:
        """Events from this number on."""
        self.follow_from = event
        self.end.follow(event)
        self._is_new = True
        if self.state == UP:
            self._follow_on()

    def _follow_on(self) -> None:
        if self.follow_from is not None and self._follow not in self.end.under_way:
            event = (self.end.upto or 0) + 1 if self.end.upto is not None else self.follow_from
            self._follow = self.submit("follow", {"event": max(event, 0)})
        self._is_new = False

    def answers(self) -> dict[int, bytes]:
        """Those that have come since, by number."""
        found, self.end.answers = self.end.answers, {}
        if self._follow is not None:
            found.pop(self._follow, None)
        return found

    # -- bytes

    def feed(self, data: bytes, now_ms: int) -> None:
        if data:
            self._heard_ms = now_ms
        self.end.feed(data, now_ms)
        strangers = [n for n, answer in self.end.answers.items() if answer[0] == messages.STRANGER]
        for number in strangers:
            del self.end.answers[number]
        if strangers and self.state == UP:
            self.end.reconnected()
            self._ask(now_ms, is_new=True)
        if self.state == ASKING and self._asked in self.end.identities:
            self._met(read_identity(self.end.identities.pop(self._asked), self.name))

    def _met(self, identity: dict[str, Any]) -> None:
        if self.identity and identity["boot_nonce"] != self.identity["boot_nonce"]:
            self.restarts += 1
            self._is_new = True
            self.end.reconnected()
        self.identity = identity
        self.end.identified(identity)
        self.state = UP
        if self._is_new:
            self._follow_on()

    def due(self, now_ms: int) -> bytes:
        """What is to be sent now. What is in end.events is acknowledged by it: log them first."""
        if self.state == UP and now_ms - self._heard_ms >= QUIET_MS:
            self._ask(now_ms, is_new=False)
        if self.state == UP:
            return self.end.due(now_ms)
        if self.state == CUT or (self._asked_ms is not None and now_ms - self._asked_ms < ASK_MS):
            return b""
        self._asked += 1
        self._asked_ms = now_ms
        return self.end.identify(self._asked, self.role)

    def deadline_ms(self) -> int | None:
        """When `due` wants to be asked again; None: when the connection is there again."""
        if self.state == CUT:
            return None
        if self.state == ASKING:
            return 0 if self._asked_ms is None else self._asked_ms + ASK_MS
        waits = self.end.deadline_ms()
        quiet_ms = self._heard_ms + QUIET_MS
        return quiet_ms if waits is None else min(waits, quiet_ms)
