"""The host's end of the line: commands answered once, events received once, in order.

Knows frames and messages, which it shares with the board (firmware/protocol), and nothing of
tables. Synchronous: a call returns when the board has answered, or raises. The window, the
numbers and what is sent again are line_end.py's; live.py is the one that reconnects.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import serial

from firmware import faults
from firmware.config_store import text_hash
from firmware.protocol import frames, messages

from . import bulk
from .dictionary import Dictionary
from .errors import BoardFault, CannotRun, NoBoard, Refused
from .line_end import LineEnd, at_of
from .serial_port import open_serial, plain_error, read_some

IDENTIFY_S = 4.0  # a board that is booting answers within this
ANSWER_S = 10.0  # the emulated chip is slow when the machine is busy
RETRY_S = 0.5
WAIT_S = 0.02
PART_BYTES = 192

__all__ = ["Link", "open_serial", "read_event"]

Ticket = tuple[str, int]  # a command under way: its name and number

COMMAND_NUMBER = messages.numbers(messages.COMMANDS)


class Link:
    def __init__(self, port: serial.SerialBase, name: str, role: str = messages.DEALER) -> None:
        self.port = port
        self.name = name
        self.role = role
        self.end = LineEnd()
        self.identity: dict[str, Any] = {}
        self.dictionary: Dictionary | None = None  # of a newer board, once it is needed
        self._asked = 0  # how often who is there was asked

    @property
    def number(self) -> int:
        return self.end.number

    @number.setter
    def number(self, number: int) -> None:
        self.end.number = number

    @property
    def next_event(self) -> int | None:
        return None if self.end.upto is None else self.end.upto + 1

    @next_event.setter
    def next_event(self, event: int | None) -> None:
        self.end.upto = None if event is None else event - 1

    @property
    def retries(self) -> int:
        return self.end.counts.repeated

    @classmethod
    def connect(cls, url: str, role: str = messages.DEALER, patience_s: float = IDENTIFY_S) -> Link:
        link = cls(open_serial(url), url, role)
        try:
            link.identify(patience_s)
        except BaseException:
            link.close()
            raise
        return link

    def identify(self, patience_s: float | None = None) -> dict[str, Any]:
        """Asks who is there, and refuses a board whose language we do not speak."""
        answer = self._who_is_there(IDENTIFY_S if patience_s is None else patience_s)
        self.identity = read_identity(answer, self.name)
        self.end.identified(self.identity)
        return self.identity

    def _who_is_there(self, patience_s: float) -> bytes:
        end = time.monotonic() + patience_s
        while time.monotonic() < end:
            self._asked += 1
            self._send(self.end.identify(self._asked, self.role))
            again = min(time.monotonic() + RETRY_S, end)
            while time.monotonic() < again:
                self._pump()
                if self._asked in self.end.identities:
                    return self.end.identities.pop(self._asked)
        raise NoBoard(f"no pitkit board answered on {self.name}.")

    def command(self, name: str, /, **fields: Any) -> dict[str, Any]:
        """The answer's fields. Raises Refused, BoardFault or NoBoard."""
        return self.answer(self.submit(name, **fields))

    def pipelined(self, orders: Iterable[tuple[str, dict[str, Any]]]) -> Iterator[dict[str, Any]]:
        """The answers of many commands, in order, several of them under way at a time."""
        waiting: deque[Ticket] = deque()
        for name, fields in orders:
            waiting.append(self.submit(name, **fields))
            if len(waiting) >= self.end.window:
                yield self.answer(waiting.popleft())
        while waiting:
            yield self.answer(waiting.popleft())

    def submit(self, name: str, /, **fields: Any) -> Ticket:
        """Sends a command, or lets it wait until the window has room; `answer` has what became of it."""
        number = self.end.submit(*packed(name, fields))
        self._send_due()
        return name, number

    def answer(self, ticket: Ticket) -> dict[str, Any]:
        name, number = ticket
        end = time.monotonic() + ANSWER_S
        while number not in self.end.answers:
            if time.monotonic() >= end:
                raise self._gone(number)
            self._pump()
        answer = self.end.answers.pop(number)
        if answer[0] == messages.STRANGER:
            raise self._gone(number)
        return read_answer(name, answer, self.name)

    def _gone(self, number: int) -> NoBoard:
        """The board fell silent: say whether it is gone or has started anew, and begin a new session."""
        before = self.identity.get("boot_nonce")
        try:
            identity = self.identify()
        except NoBoard:
            return NoBoard(f"the link to {self.name} was lost.")
        finally:
            self.end = LineEnd()
        self.identify()
        if identity["boot_nonce"] == before:
            return NoBoard(f"the board on {self.name} did not answer in time.")
        done = "was carried out" if identity["applied"] >= number else "was not carried out"
        return NoBoard(f"the board on {self.name} restarted; its last order {done}.")

    def _now_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def _send_due(self) -> None:
        data = self.end.due(self._now_ms())
        if data:
            self._send(data)

    def _send(self, data: bytes) -> None:
        try:
            self.port.write(data)
        except (serial.SerialException, OSError) as error:
            raise NoBoard(f"the link to {self.name} was lost ({plain_error(error)}).") from error

    def _pump(self) -> None:
        """Reads what is there (waits a moment for it), sorts it and sends what is due."""
        try:
            data = read_some(self.port, WAIT_S)
        except (serial.SerialException, OSError, TypeError) as error:
            raise NoBoard(f"the link to {self.name} was lost ({plain_error(error)}).") from error
        self.end.feed(data, self._now_ms())
        self._send_due()

    def follow(self, event: int | None = None) -> None:
        """Events from this number on; by default only what is still to come."""
        start = self.identity["next_event"] if event is None else event
        self.end.follow(start)
        self.command("follow", event=start)

    def events(self, timeout_s: float) -> Iterator[dict[str, Any]]:
        """Each event as it comes; ends after so long without one."""
        if self.next_event is None:
            self.follow()
        end = time.monotonic() + timeout_s
        while True:
            while self.end.events:
                yield self._read_event(*self.end.events.popleft())
                end = time.monotonic() + timeout_s
            if time.monotonic() >= end:
                return
            self._pump()

    def _read_event(self, number: int, type_: int, body: bytes) -> dict[str, Any]:
        """A newer board is asked what its own words mean, once."""
        if self.dictionary is None and self.identity["minor"] > messages.MINOR:
            self.dictionary = Dictionary.read(bulk.get(self, "dictionary"))
        return read_event(number, type_, body, self.dictionary)

    def read_config(self, command: str = "config_read") -> bytes:
        """The configuration in force; with config_waiting, the one that waits for its notice to be over."""
        text = b""
        while True:
            answer = self.command(command, offset=len(text))
            text += answer["part"]
            if len(text) >= answer["length"] or not answer["part"]:
                return bytes(text)

    def write_config(self, data: bytes) -> dict[str, Any]:
        """All of it or nothing: the board takes the new one only when it is whole and good."""
        places = range(0, len(data), PART_BYTES)
        parts = [("config_part", {"offset": at, "part": data[at : at + PART_BYTES]}) for at in places]
        for _ in self.pipelined(parts):
            pass
        answer = self.command("config_commit", length=len(data), hash=text_hash(data))
        self.identify()
        return answer

    def close(self) -> None:
        self.port.close()

    def __enter__(self) -> Link:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def packed(name: str, fields: dict[str, Any]) -> tuple[int, bytes]:
    """(number, body) of a command."""
    type_ = COMMAND_NUMBER[name]
    body = messages.pack(messages.COMMANDS[type_][2], fields)
    if len(body) > frames.MAX_BODY:
        raise CannotRun(f"{name} with fields of {len(body)} bytes does not fit in a frame.")
    return type_, body


def read_identity(answer: bytes, name: str) -> dict[str, Any]:
    major, minor = (answer[1:] + b"\0\0")[:2]
    if major != messages.MAJOR:
        raise CannotRun(
            f"the board on {name} speaks protocol {major}.{minor}, this pitkit {messages.MAJOR}."
            f"{messages.MINOR}: use the pitkit that came with its firmware."
        )
    identity = _unpack(messages.IDENTITY, answer[1:], name)
    if not identity["unique_id"]:
        raise CannotRun(f"the board on {name} answered what this pitkit cannot read.")
    return identity


def read_answer(command: str, answer: bytes, name: str) -> dict[str, Any]:
    """The answer's fields. Raises Refused or BoardFault."""
    if answer[0] == messages.OK:
        return _unpack(messages.COMMANDS[COMMAND_NUMBER[command]][3], answer[1:], name)
    refusal = _unpack(messages.REFUSAL, answer[1:], name)
    if answer[0] == messages.FAULTED:
        raise BoardFault(faults.words(int(refusal["code"]), refusal["message"]) + ".")
    raise Refused(refusal["message"], code=refusal["code"], rule=refusal["rule"])


def _unpack(fields: Any, data: bytes, name: str) -> dict[str, Any]:
    try:
        return dict(messages.unpack(fields, data, older=True))
    except messages.Truncated:
        raise CannotRun(f"the board on {name} answered what this pitkit cannot read.") from None


def read_event(number: int, type_: int, body: bytes, dictionary: Dictionary | None = None) -> dict[str, Any]:
    """An event as a dict; one that we cannot read (a newer board's, say) keeps its bytes."""
    row = (dictionary.events if dictionary else messages.EVENTS).get(type_)
    head: dict[str, Any] = {"seq": number, "at_ms": 0}
    try:
        head["at_ms"], body = at_of(body)
        if row is not None:
            return {"event": row[0], **head, **messages.unpack(row[1], body, older=True)}
    except messages.Truncated:
        pass
    return {"event": f"event_{type_}", **head, "raw": body.hex()}
