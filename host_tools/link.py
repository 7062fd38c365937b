"""The host's end of the line: commands answered once, events received once, in order.

Knows frames and messages, which it shares with the board (firmware/protocol), and nothing of
tables. Synchronous: a call returns when the board has answered, or raises. An answer that
does not come is asked for again under the same number, which the board applies only once.
"""

from __future__ import annotations

import errno
import secrets
import time
from collections import deque
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import serial

from firmware import faults
from firmware.config_store import text_hash
from firmware.protocol import frames, messages

from .errors import BoardFault, CannotRun, NoBoard, Refused

IDENTIFY_S = 4.0  # a board that is booting answers within this
ANSWER_S = 10.0  # the emulated chip is slow when the machine is busy
RETRY_S = 0.5
PART_BYTES = 192

AT_MS = (("at_ms", "u"),)  # stands before an event's own fields

COMMAND_NUMBER = messages.numbers(messages.COMMANDS)


def open_serial(url: str) -> serial.SerialBase:
    """Any device or pyserial URL; a device that is held already is said to be."""
    if url.startswith(("socket://", "rfc2217://")) and not _has_address(url):
        raise CannotRun(f"{url} names no host and port, as socket://127.0.0.1:5000 does.")
    try:
        port = serial.serial_for_url(url, do_not_open=True, timeout=0.02, write_timeout=5)
        if hasattr(port, "exclusive") and "://" not in url:
            port.exclusive = True
        port.open()
    except ValueError as error:
        raise CannotRun(f"{url} is no serial port or URL: {error}.") from error
    except (serial.SerialException, OSError) as error:
        raise NoBoard(f"cannot open {url}: {_plain(error)}.") from error
    return port


def _has_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.hostname and parts.port)
    except ValueError:
        return False


# what the system says when a port does not open, in plain words
PLAIN = {
    errno.ENOENT: "there is no such port",
    errno.EACCES: "you may not use it (on most systems the group dialout may)",
    errno.EAGAIN: "another program holds it",
    errno.EBUSY: "another program holds it",
    errno.ENOTTY: "it is no serial port",
    errno.EISDIR: "it is no serial port",
    errno.ECONNREFUSED: "nobody listens there",
}


def _plain(error: BaseException) -> str:
    """One phrase; pyserial wraps the system's own error once or twice."""
    cause: BaseException | None = error
    while cause is not None:
        number = getattr(cause, "errno", None) or (cause.args[0] if cause.args else None)
        if isinstance(number, int) and number in PLAIN:
            return PLAIN[number]
        cause = cause.__cause__ or cause.__context__
    text = str(error).split("\n")[0]
    if "exclusively lock" in text:
        return PLAIN[errno.EAGAIN]
    return text.rstrip(".") or type(error).__name__


class Link:
    def __init__(self, port: serial.SerialBase, name: str, role: str = messages.DEALER) -> None:
        self.port = port
        self.name = name
        self.role = role
        self.deframer = frames.Deframer()
        self.session = secrets.randbits(32)
        self.number = 0
        self.identity: dict[str, Any] = {}
        self.next_event: int | None = None
        self.retries = 0
        self._events: deque[dict[str, Any]] = deque()
        self._replies: dict[int, bytes] = {}

    @classmethod
    def connect(cls, url: str, role: str = messages.DEALER, patience_s: float = IDENTIFY_S) -> Link:
        link = cls(open_serial(url), url, role)
        try:
            link.identify(patience_s)
        except BaseException:
            link.close()
            raise
        return link

    def identify(self, patience_s: float = IDENTIFY_S) -> dict[str, Any]:
        """Asks who is there, and refuses a board whose language we do not speak."""
        body = {"major": messages.MAJOR, "minor": messages.MINOR, "session": self.session, "role": self.role}
        answer = self._ask("identify", body, patience_s)
        if answer is None:
            raise NoBoard(f"no pitkit board answered on {self.name}.")
        major, minor = (answer[1:] + b"\0\0")[:2]
        if major != messages.MAJOR:
            raise CannotRun(
                f"the board on {self.name} speaks protocol {major}.{minor}, this pitkit {messages.MAJOR}."
                f"{messages.MINOR}: use the pitkit that came with its firmware."
            )
        identity = self._unpack(messages.IDENTITY, answer[1:])
        if not identity["unique_id"]:
            raise CannotRun(f"the board on {self.name} answered what this pitkit cannot read.")
        self.identity = identity
        return identity

    def command(self, name: str, **fields: Any) -> dict[str, Any]:
        """The answer's fields. Raises Refused, BoardFault or NoBoard."""
        answer = self._ask(name, fields, ANSWER_S)
        if answer is None or answer[0] == messages.STRANGER:
            raise self._gone()
        row = messages.COMMANDS[COMMAND_NUMBER[name]]
        if answer[0] == messages.OK:
            return self._unpack(row[3], answer[1:])
        refusal = self._unpack(messages.REFUSAL, answer[1:])
        if answer[0] == messages.FAULTED:
            raise BoardFault(faults.words(int(refusal["code"]), refusal["message"]) + ".")
        raise Refused(refusal["message"], code=refusal["code"], rule=refusal["rule"])

    def _unpack(self, fields: Any, data: bytes) -> dict[str, Any]:
        try:
            return dict(messages.unpack(fields, data, older=True))
        except messages.Truncated:
            raise CannotRun(f"the board on {self.name} answered what this pitkit cannot read.") from None

    def _gone(self) -> NoBoard:
        """The board fell silent: say whether it is gone or has started anew."""
        before = self.identity.get("boot_nonce")
        self.session = secrets.randbits(32)
        try:
            self.identify()
        except NoBoard:
            return NoBoard(f"the link to {self.name} was lost.")
        if self.identity["boot_nonce"] != before:
            return NoBoard(
                f"the board on {self.name} restarted; its last order may not have been carried out."
            )
        return NoBoard(f"the board on {self.name} did not answer in time.")

    def _ask(self, name: str, fields: dict[str, Any], patience_s: float) -> bytes | None:
        self.number += 1
        type_ = COMMAND_NUMBER[name]
        body = messages.pack(messages.COMMANDS[type_][2], fields)
        if len(body) > frames.MAX_BODY:
            raise CannotRun(f"{name} with fields of {len(body)} bytes does not fit in a frame.")
        frame = frames.encode(frames.COMMAND, self.number, type_, body)
        end = time.monotonic() + patience_s
        while time.monotonic() < end:
            self._send(frame)
            retry = time.monotonic() + RETRY_S
            while time.monotonic() < min(retry, end):
                self._pump()
                if self.number in self._replies:
                    return self._replies.pop(self.number)
            self.retries += 1
        return None

    def _send(self, frame: bytes) -> None:
        try:
            self.port.write(frame)
        except (serial.SerialException, OSError) as error:
            raise NoBoard(f"the link to {self.name} was lost ({_plain(error)}).") from error

    def _pump(self) -> None:
        """Reads what is there (waits a moment for it) and sorts it."""
        try:
            waiting: int = getattr(self.port, "in_waiting")  # noqa: B009 (SerialBase's stub lacks it)
            data = self.port.read(max(1, waiting))
        except (serial.SerialException, OSError, TypeError) as error:
            raise NoBoard(f"the link to {self.name} was lost ({_plain(error)}).") from error
        for kind, number, type_, body in self.deframer.feed(data):
            if kind == frames.REPLY and body:
                self._replies = {number: body}
            elif kind == frames.EVENT:
                self._event(number, type_, body)

    def _event(self, number: int, type_: int, body: bytes) -> None:
        """Acknowledged always, kept once."""
        if self.next_event is None:
            return
        self._send(frames.encode(frames.ACK, number, 0))
        if number < self.next_event:
            return
        self.next_event = number + 1
        self._events.append(read_event(number, type_, body))

    def follow(self, event: int | None = None) -> None:
        """Events from this number on; by default only what is still to come."""
        start = self.identity["next_event"] if event is None else event
        self._events.clear()
        self.next_event = start
        self.command("follow", event=start)

    def events(self, timeout_s: float) -> Iterator[dict[str, Any]]:
        """Each event as it comes; ends after so long without one."""
        if self.next_event is None:
            self.follow()
        end = time.monotonic() + timeout_s
        while True:
            while self._events:
                yield self._events.popleft()
                end = time.monotonic() + timeout_s
            if time.monotonic() >= end:
                return
            self._pump()

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
        for at in range(0, len(data), PART_BYTES):
            self.command("config_part", offset=at, part=data[at : at + PART_BYTES])
        answer = self.command("config_commit", length=len(data), hash=text_hash(data))
        self.identify()
        return answer

    def close(self) -> None:
        self.port.close()

    def __enter__(self) -> Link:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_event(number: int, type_: int, body: bytes) -> dict[str, Any]:
    """An event as a dict; one that we cannot read (a newer board's, say) keeps its bytes."""
    row = messages.EVENTS.get(type_)
    head: dict[str, Any] = {"seq": number, "at_ms": 0}
    try:
        head.update(messages.unpack(AT_MS, body))
        body = body[len(messages.pack(AT_MS, head)) :]
        if row is not None:
            return {"event": row[0], **head, **messages.unpack(row[1], body, older=True)}
    except messages.Truncated:
        pass
    return {"event": f"event_{type_}", **head, "raw": body.hex()}
