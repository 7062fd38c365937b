"""The simulator's fixture socket and its clients: each one's requests in order, one at a time.

Reads lines, refuses what is no request, and hands the rest to the simulator; knows no operation.
"""

from __future__ import annotations

import contextlib
import json
import selectors
import socket
from collections import deque
from collections.abc import Callable
from typing import Any

LONGEST_LINE = 1 << 24
LONGEST_REQUEST = 1 << 18  # thousands of edges
ANSWER_LIMIT_S = 1.0  # one who does not read its answers must not stop the others

Request = dict[str, Any]


class Client:
    """One fixture connection. Its requests are served one after the other."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.socket.settimeout(ANSWER_LIMIT_S)
        self._unread = b""
        self.waiting: deque[bytes] = deque()
        self.asked: str | None = None  # what the board has not answered yet

    def listen(self) -> bool:
        """Takes in what was sent; False once the client is gone, or sends a line without end."""
        chunk = b""
        with contextlib.suppress(OSError):
            chunk = self.socket.recv(1 << 16)
        *lines, self._unread = (self._unread + chunk).split(b"\n")
        self.waiting += [line for line in lines if line.strip()]
        return bool(chunk) and len(self._unread) <= LONGEST_LINE

    def answer(self, answer: str) -> None:
        self.asked = None
        with contextlib.suppress(OSError):  # gone; its own event says so
            self.socket.sendall(answer.encode() + b"\n")

    def refuse(self, sentence: str) -> None:
        self.answer(json.dumps({"ok": False, "error": sentence}))


class FixtureDesk:
    """All clients. `operate(number, client, request, text)` answers or passes on, or raises ValueError."""

    def __init__(
        self, selector: selectors.BaseSelector, operate: Callable[[int, Client, Request, str], None]
    ) -> None:
        self._selector = selector
        self._operate = operate
        self._clients: dict[int, Client] = {}
        self._serial = 0
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address: tuple[str, int] = self._server.getsockname()
        selector.register(self._server, selectors.EVENT_READ, self._accept)

    def __enter__(self) -> FixtureDesk:
        return self

    def __exit__(self, *_: object) -> None:
        for closing in (self._server, *(client.socket for client in self._clients.values())):
            closing.close()

    def answer(self, number: int, answer: str) -> None:
        """The board's answer to this client's request; its next one follows."""
        if number in self._clients:
            self._clients[number].answer(answer)
            self._ask(number)

    def unanswered(self) -> dict[int, str]:
        return {number: client.asked for number, client in self._clients.items() if client.asked}

    def refuse_all(self, sentence: str) -> None:
        """What the board will not answer any more."""
        for number, client in self._clients.items():
            if client.asked:
                client.refuse(sentence)
            self._ask(number)

    def _accept(self) -> None:
        connection, _ = self._server.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._serial += 1
        number = self._serial
        self._clients[number] = Client(connection)
        self._selector.register(connection, selectors.EVENT_READ, lambda: self._listen(number))

    def _listen(self, number: int) -> None:
        client = self._clients[number]
        if client.listen():
            self._ask(number)
        else:
            self._selector.unregister(client.socket)
            client.socket.close()
            del self._clients[number]

    def _ask(self, number: int) -> None:
        client = self._clients[number]
        while client.waiting and client.asked is None:
            try:
                self._operate(number, client, *_parse(client.waiting.popleft()))
            except ValueError as error:
                client.refuse(str(error))


def _parse(line: bytes) -> tuple[Request, str]:
    """The request, and the text of it that the board can read."""
    try:
        request = json.loads(line)
        text = json.dumps(request, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (ValueError, RecursionError) as error:
        raise ValueError("that line is not JSON") from error
    if not isinstance(request, dict):
        raise ValueError("a line must be a JSON object")
    if len(text) > LONGEST_REQUEST:
        raise ValueError("that is more than the board's memory holds at once")
    return request, text
