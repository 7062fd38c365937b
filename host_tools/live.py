"""A board as a program sees it: `host_tools.connect()`. Orders answered once, events once, in order.

The connection comes back by itself when the cable, the board or the port went away, and says so
(`on_change`, and the logger "pitkit"); an order given before goes on where it was, and is carried
out once. One thread a board; any number of boards in a process. aio.py is the same for asyncio.

    with host_tools.connect("/dev/ttyACM0", log="table3.jsonl") as board:
        board.open()
        board.wager(1, "small", 500, "Ada")
        for event in board.events():
            print(event)
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from pathlib import Path
from typing import Any

import serial

from firmware.protocol import messages

from . import bulk
from .conversation import UP, Conversation
from .dictionary import Dictionary
from .errors import NoBoard, PitkitError
from .event_log import EventLog
from .line_end import LineEnd
from .link import read_answer, read_event
from .orders import Orders
from .serial_port import open_serial, plain_error, read_some

WAIT_S = 0.05
AGAIN_S = 0.3  # between two tries to open a port that is gone
ANSWER_S = 30.0
MET_S = 10.0
LOGGER = logging.getLogger("pitkit")
Event = dict[str, Any]
Answer = dict[str, Any]
Change = Callable[[str], None]


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Board(Orders):
    """One board. Threads may share it."""

    def __init__(
        self,
        port: str,
        role: str = messages.DEALER,
        log: Path | None = None,
        follow: int | None = None,
        on_change: Change | None = None,
        owned: Any = None,
    ) -> None:
        """`follow`: events from this number on; None: from the log's last, else what is still to come."""
        self.port = port
        self.log = EventLog(log) if log else None
        self._on_change = on_change
        self._owned = owned  # what we started, to be stopped with us
        self._talk = Conversation(port, role, LineEnd(self.log.session if self.log else 0))
        self._follow = self.log.last_seq + 1 if self.log and follow is None else follow
        self._lock = threading.Lock()
        self._futures: dict[int, tuple[str, Future[Answer]]] = {}
        self._events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self.listener: Callable[[Event], None] | None = None  # in place of events(): called by our thread
        self._dictionary: Dictionary | None = None
        self._met = threading.Event()
        self._closing = False
        self._failed: PitkitError | None = None
        self._serial: serial.SerialBase | None = open_serial(port)
        self._thread = threading.Thread(target=self._run, name=f"pitkit {port}", daemon=True)
        self._thread.start()

    # -- for programs

    @property
    def identity(self) -> dict[str, Any]:
        return self._talk.identity

    @property
    def is_up(self) -> bool:
        return self._talk.state == UP

    def wait_until_met(self, patience_s: float = MET_S) -> None:
        if not self._met.wait(patience_s):
            raise NoBoard(f"no pitkit board answered on {self.port}.")
        if self._failed:
            raise self._failed

    def submit(self, name: str, /, **fields: Any) -> Future[Answer]:
        """Gives an order, returns at once; the future has the answer or Refused, BoardFault, NoBoard."""
        if self._closing or self._failed:
            raise self._failed or NoBoard(f"{self.port} is closed.")
        future: Future[Answer] = Future()
        with self._lock:
            self._futures[self._talk.submit(name, fields)] = (name, future)
            self._send(self._talk.due(_now_ms()))
        return future

    def command(self, name: str, /, timeout_s: float = ANSWER_S, **fields: Any) -> Answer:
        """The answer's fields. An order that is not answered in time is still under way."""
        try:
            return self.submit(name, **fields).result(timeout_s)
        except FutureTimeout:
            words = f"{name} was not answered within {timeout_s:g} s; it is still under way."
            raise NoBoard(f"{self.port}: {words}") from None

    def events(self, timeout_s: float | None = None) -> Iterator[Event]:
        """Each event as it comes; ends after so long without one, or when the board is closed."""
        while True:
            try:
                event = self._events.get(timeout=timeout_s)
            except queue.Empty:
                return
            if event is None:
                return
            yield event

    def put(self, name: str, data: bytes) -> None:
        """A file onto the board; what broke off is gone on with."""
        bulk.put(self, f"file/{name}", data)

    def get(self, name: str) -> bytes:
        """`file/NAME`, `dictionary`, `journal/SECTOR`."""
        return bulk.get(self, name)

    def pipelined(self, orders: bulk.Orders) -> Iterator[Answer]:
        """The answers of many orders, in order, several of them under way at a time."""
        waiting = [self.submit(name, **fields) for name, fields in orders]
        for future in waiting:
            yield future.result(ANSWER_S)

    def answer(self, future: Future[Answer]) -> Answer:
        return future.result(ANSWER_S)

    def line(self) -> dict[str, Any]:
        """What the line cost so far, from our side."""
        counts = vars(self._talk.end.counts).copy()
        return {**counts, "bad": self._talk.end.deframer.bad, "restarts": self._talk.restarts}

    def close(self) -> None:
        """What is not answered by now fails; events up to here are on the log."""
        self._closing = True
        if threading.current_thread() is not self._thread:
            self._thread.join()
        if self._owned:
            self._owned.close()
            self._owned = None

    def __enter__(self) -> Board:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- the thread

    def _run(self) -> None:
        try:
            self._talk.connected(_now_ms())
            while not self._closing:
                self._turn()
        except PitkitError as error:  # a board of another protocol, a log that cannot be written
            self._failed = error
            self._say(str(error))
        except OSError as error:
            self._failed = PitkitError(f"{self.log and self.log.path}: {error.strerror}.")
        self._end()

    def _turn(self) -> None:
        if self._serial is None:
            self._open_again()
            return
        try:
            data = read_some(self._serial, WAIT_S)
        except (serial.SerialException, OSError, TypeError, ValueError) as error:
            self._lost(plain_error(error))
            return
        with self._lock:
            self._take(data)
            self._send(self._talk.due(_now_ms()))

    def _take(self, data: bytes) -> None:
        was_up, starts = self._talk.state == UP, self._talk.restarts
        self._talk.feed(data, _now_ms())
        if self._talk.state == UP and not was_up:
            self._meet()
        if self._talk.restarts > starts:
            self._say(f"the board on {self.port} restarted; orders and events go on where they were.")
        self._take_events()
        for number, answer in self._talk.answers().items():
            self._settle(number, answer)

    def _meet(self) -> None:
        if self._met.is_set():
            return
        if self.log:
            self.log.begin(self.identity["unique_id"], self._talk.end.session)
        if self.identity["minor"] <= messages.MINOR:
            self._begin_to_follow()
        self._met.set()

    def _begin_to_follow(self) -> None:
        self._talk.follow(self.identity["next_event"] if self._follow is None else self._follow)

    def learn(self) -> None:
        """A newer board says what its words mean before it is heard."""
        if self.identity["minor"] > messages.MINOR:
            self._dictionary = Dictionary.read(self.get("dictionary"))
            with self._lock:
                self._begin_to_follow()

    def _take_events(self) -> None:
        """Onto the log first: what is sent next acknowledges them."""
        rows = [self._read_event(*event) for event in self._talk.end.events]
        self._talk.end.events.clear()
        if rows and self.log:
            self.log.write(rows)
        for row in rows:
            self.listener(row) if self.listener else self._events.put(row)

    def _read_event(self, number: int, type_: int, body: bytes) -> Event:
        return read_event(number, type_, body, self._dictionary)

    def _settle(self, number: int, answer: bytes) -> None:
        name, future = self._futures.pop(number, ("", None))
        if future is None or not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(read_answer(name, answer, self.port))
        except PitkitError as error:
            future.set_exception(error)

    def _send(self, data: bytes) -> None:
        if data and self._serial is not None:
            with contextlib.suppress(serial.SerialException, OSError):  # the thread finds out when it reads
                self._serial.write(data)

    def _lost(self, why: str) -> None:
        with self._lock:
            if self._serial:
                self._serial.close()
            self._serial = None
            self._talk.cut()
        self._say(f"the link to {self.port} was lost ({why}); trying again.")

    def _open_again(self) -> None:
        try:
            port = open_serial(self.port)
        except PitkitError:
            time.sleep(AGAIN_S)
            return
        with self._lock:
            self._serial = port
            self._talk.connected(_now_ms())
        self._say(f"the link to {self.port} is back.")

    def _say(self, words: str) -> None:
        LOGGER.warning(words)
        if self._on_change:
            self._on_change(words)

    def _end(self) -> None:
        self._closing = True
        with self._lock:
            if self._serial:
                self._serial.close()
            left = self._failed or NoBoard(f"{self.port} was closed before the board answered.")
            for _, future in self._futures.values():
                if future.set_running_or_notify_cancel():
                    future.set_exception(left)
            self._futures.clear()
        if self.log:
            self.log.close()
        self._met.set()
        self._events.put(None)


def connect(
    port: str = "auto",
    *,
    role: str = messages.DEALER,
    log: Path | str | None = None,
    follow: int | None = None,
    on_change: Change | None = None,
    patience_s: float = MET_S,
) -> Board:
    """The board on this port: all that --port takes. Raises NoBoard where there is none, or it is held."""
    owned, device = None, port
    if port.startswith(("sim:", "emu:")) or port == "auto":
        from .ports import only_board, open_port

        if port == "auto":
            device = only_board()
        else:
            owned = open_port(port, role=role)
            owned.link.close()
            device = owned.port
    try:
        board = Board(device, role, Path(log) if log else None, follow, on_change, owned)
        try:
            board.wait_until_met(patience_s)
            board.learn()
        except BaseException:
            board.close()
            raise
    except BaseException:
        if owned:
            owned.close()
        raise
    return board
