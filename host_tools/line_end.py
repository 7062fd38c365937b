"""The host's end of the line without a port or a clock: the window of commands, the order of events.

Numbers each command and keeps it until its answer is here, says what is due to be sent (again),
puts events in their order, each once. link.py and live.py give it bytes and times; the hostile
line of the tests gives it its own. Knows frames and messages, nothing of tables.
"""

from __future__ import annotations

import secrets
import struct
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from firmware.protocol import frames, messages
from firmware.protocol.telling import AT, STEP
from firmware.protocol.window import WINDOW, Patience, marked, pack_marks

IDENTIFY = messages.numbers(messages.COMMANDS)["identify"]
FIRST_MS, LEAST_MS = 500, 250  # a board that erases flash answers late, and is not to be asked twice
HELD_EVENTS = 64


@dataclass
class Sent:
    """A command under way."""

    frame: bytes
    sent_ms: int | None = None  # None: not yet, or known to be lost
    times: int = 0


@dataclass
class Counts:
    """What the line cost, since the end was made."""

    commands: int = 0
    repeated: int = 0
    events: int = 0
    doubled: int = 0
    early: int = 0
    reconnects: int = 0


class LineEnd:
    def __init__(self, previous: int = 0, randbits: Callable[[int], int] = secrets.randbits) -> None:
        """`previous`: the session of a process that this one takes over from."""
        self.session = randbits(29) or 1  # small integers on a chip of 32 bits, which need no heap there
        self.previous = previous
        self.deframer = frames.Deframer()
        self.counts = Counts()
        # numbers begin anywhere: an old frame of another session fits in nowhere
        self.number = randbits(28)
        self.window, self.window_bytes = 1, 1 << 20
        self.windowed = False
        self.patience = Patience(FIRST_MS, LEAST_MS)
        self.under_way: dict[int, Sent] = {}  # oldest first
        self.answers: dict[int, bytes] = {}
        self.identities: dict[int, bytes] = {}
        self.upto: int | None = None  # events up to this are on our log; None: we do not follow
        self._early: dict[int, tuple[int, int, bytes]] = {}  # number: (step, type, body)
        self.events: deque[tuple[int, int, bytes]] = deque()  # in order, to be taken by the owner
        self._acknowledge = False
        self.round_trips_ms: deque[int] = deque(maxlen=1000)

    # -- commands

    def submit(self, type_: int, body: bytes) -> int:
        """Takes a command; `due` sends it when the window has room."""
        self.number += 1
        self.counts.commands += 1
        self.under_way[self.number] = Sent(frames.encode(frames.COMMAND, self.number, type_, body))
        return self.number

    def identify(self, number: int, role: str) -> bytes:
        """The frame that asks who is there, and says what we know of this session."""
        before = min(self.under_way, default=self.number + 1) - 1
        fields = {"major": messages.MAJOR, "minor": messages.MINOR, "session": self.session, "role": role}
        fields |= {"before": before, "resumed": int(self.counts.commands > 0), "previous": self.previous}
        return bytes(
            frames.encode(frames.COMMAND, number, IDENTIFY, messages.pack(messages.IDENTIFY, fields))
        )

    def identified(self, identity: dict[str, Any]) -> None:
        """The board has answered: how much it takes at a time."""
        self.windowed = min(identity["minor"], messages.MINOR) >= 1
        self.window = max(1, min(identity["window"], WINDOW)) if self.windowed else 1
        self.window_bytes = identity["window_bytes"] or 1 << 20

    def reconnected(self) -> None:
        """A new connection to the same board: all that is under way goes again."""
        self.deframer.buffer = bytearray()
        self.patience.heard()
        for sent in self.under_way.values():
            sent.sent_ms = None
        self._acknowledge = self.upto is not None

    def forget(self, number: int) -> None:
        self.under_way.pop(number, None)
        self.answers.pop(number, None)

    def due(self, now_ms: int) -> bytes:
        """Every byte that is to be sent now. What is in `events` is acknowledged: log it before asking."""
        out = [self._acknowledgement()] if self._acknowledge else []
        frames_left, bytes_left = self.window, self.window_bytes
        first = next(iter(self.under_way), 0)
        for number, sent in self.under_way.items():
            frames_left, bytes_left = frames_left - 1, bytes_left - len(sent.frame)
            if number >= first + self.window or frames_left < 0 or (bytes_left < 0 and number != first):
                break
            if self._is_due(number == first, sent, now_ms):
                out.append(self._send(number == first, sent, now_ms))
        return b"".join(out)

    def _is_due(self, is_first: bool, sent: Sent, now_ms: int) -> bool:
        if sent.sent_ms is None:
            return True
        watched = is_first or self.patience.tries == 0
        return watched and now_ms - sent.sent_ms >= self.patience.ms()

    def _send(self, is_first: bool, sent: Sent, now_ms: int) -> bytes:
        if sent.times:
            self.counts.repeated += 1
            if is_first and sent.sent_ms is not None:
                self.patience.in_vain()
        sent.sent_ms, sent.times = now_ms, sent.times + 1
        return sent.frame

    def deadline_ms(self) -> int | None:
        """When `due` wants to be asked again."""
        times = [s.sent_ms for s in list(self.under_way.values())[: self.window] if s.sent_ms is not None]
        return min(times) + self.patience.ms() if times else None

    # -- what comes

    def feed(self, data: bytes, now_ms: int) -> None:
        for kind, number, type_, body in self.deframer.feed(data):
            if kind == frames.REPLY and body:
                self._answered(number, type_, body, now_ms)
            elif kind == frames.ACK:
                self._missing(number, body)
            elif kind == frames.STREAMED:
                self._streamed(number, type_, body)
            elif kind == frames.EVENT:
                self._plain_event(number, type_, body)

    def _answered(self, number: int, type_: int, body: bytes, now_ms: int) -> None:
        if type_ == IDENTIFY:
            self.identities = {number: body}
            return
        if body[0] == messages.STRANGER:
            if number in self.under_way:
                self.answers[number] = body  # it stays under way: who we are must be said first
            return
        sent = self.under_way.pop(number, None)
        if sent is None:
            return
        took_ms = now_ms - sent.sent_ms if sent.times == 1 and sent.sent_ms is not None else None
        self.patience.heard(took_ms)
        if took_ms is not None:
            self.round_trips_ms.append(took_ms)
        self.answers[number] = body
        for before, other in self.under_way.items():
            if before < number and other.times == 1:
                other.sent_ms = None  # answers come in order: this one's was lost

    def _missing(self, upto: int, marks: bytes) -> None:
        """The board has some behind the one after `upto`: that one was lost."""
        held = marked(upto, marks)
        for number, sent in self.under_way.items():
            if held and number < held[-1] and number not in held and number > upto and sent.times == 1:
                sent.sent_ms = None

    # -- events

    def follow(self, event: int) -> None:
        self.upto = event - 1
        self._early.clear()
        self.events.clear()

    def _plain_event(self, number: int, type_: int, body: bytes) -> None:
        """Of a board of protocol 1.0: one at a time, each acknowledged by its own number."""
        if self.upto is None:
            return
        self._acknowledge = True
        if number > self.upto:
            self._log(number, type_, body)

    def _streamed(self, number: int, type_: int, body: bytes) -> None:
        if self.upto is None:
            return
        self._acknowledge = True
        try:
            step = messages.unpack(STEP, body)["step"]
        except messages.Truncated:
            return
        if number <= self.upto or number in self._early:
            self.counts.doubled += 1
        elif len(self._early) < HELD_EVENTS:
            self._early[number] = (step, type_, body[len(messages.pack(STEP, {"step": step})) :])
            self.counts.early += number - step > self.upto
        self._in_order()

    def _in_order(self) -> None:
        assert self.upto is not None
        for number in sorted(self._early):
            step, type_, body = self._early[number]
            if number - step > self.upto:
                return
            del self._early[number]
            if number > self.upto:
                self._log(number, type_, body)

    def _log(self, number: int, type_: int, body: bytes) -> None:
        self.upto = number
        self.counts.events += 1
        self.events.append((number, type_, body))

    def _acknowledgement(self) -> bytes:
        self._acknowledge = False
        upto = max(self.upto or 0, 0)
        if not self.windowed:
            return bytes(frames.encode(frames.ACK, upto, 0))
        near = [number for number in self._early if upto + 2 <= number < upto + 2 + 8 * 16]
        marks = struct.pack("<I", self.session) + pack_marks(upto, near)
        return bytes(frames.encode(frames.ACK, upto, 0, marks))


def at_of(body: bytes) -> tuple[int, bytes]:
    """(at_ms, the event's own fields) of an event's body."""
    at_ms = messages.unpack(AT, body)["at_ms"]
    return at_ms, body[len(messages.pack(AT, {"at_ms": at_ms})) :]
