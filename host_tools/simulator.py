"""The simulated board's supervisor: the firmware on MicroPython's unix port, behind a pty.

Owns the board's process, its power switch, the pty that stands for its USB port and the fixture's
TCP socket. It restarts the process after a reset and kills it when the power is cut; it knows
no pin and no game. One thread serves all of it; see boards/unix/ for the board's own side.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import tty
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import Any

import host_tools

from .errors import CannotRun

ROOT = Path(__file__).parent.parent
START = ROOT / "boards" / "unix" / "start.py"
EXIT_RESET = 64
EXITS_OF_WATCHDOG = (65, -signal.SIGVTALRM)  # the second: a loop that never looked at the clock
PWRON_RESET, WDT_RESET = 1, 3
POWER_OFF = "the power is off"
LONGEST_LINE = 1 << 24


class Board:
    """One process, from power-on until it ends."""

    def __init__(self, command: list[str], pty_master: int, log: Path) -> None:
        self.socket, theirs = socket.socketpair()
        theirs.setblocking(False)
        with theirs, log.open("ab") as log_file:
            self._process = subprocess.Popen(
                [*command, "--fd", str(theirs.fileno())],
                stdin=pty_master,
                stdout=pty_master,
                stderr=log_file,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # an interrupt at the terminal is the tool's to handle
            )
        self.pid = self._process.pid
        self._unread = b""

    def send(self, client: int, request: str) -> None:
        with contextlib.suppress(OSError):  # it has just ended; `lines` will say so
            self.socket.sendall(f"{client} {request}\n".encode())

    def lines(self) -> list[bytes] | None:
        """What it said since; None once it has ended."""
        chunk = b""
        with contextlib.suppress(OSError):
            chunk = self.socket.recv(1 << 16)
        *lines, self._unread = (self._unread + chunk).split(b"\n")
        return lines if chunk else None

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> int:
        """Waits for its end and answers its exit code."""
        code = self._process.wait()
        self.socket.close()
        return code


class Client:
    """One fixture connection. Its requests are served one after the other."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.socket.settimeout(1.0)  # one who does not read its answers must not stop the others
        self.unread = b""
        self.waiting: deque[bytes] = deque()
        self.asked: str | None = None  # what the board has not answered yet

    def answer(self, answer: str) -> None:
        self.asked = None
        with contextlib.suppress(OSError):  # gone; its own event says so
            self.socket.sendall(answer.encode() + b"\n")

    def refuse(self, sentence: str) -> None:
        self.answer(json.dumps({"ok": False, "error": sentence}))


class Simulator:
    """A board on the bench, powered from the start. Stop it, or use it as a context manager."""

    def __init__(
        self,
        wiring: dict[str, Any],
        state_dir: Path | None = None,
        realtime: bool = False,
        frozen: bool = False,
        micropython: Path | None = None,
        *,
        heap: str = "4M",
        start_us: int = 0,
        script: Path | None = None,
    ) -> None:
        self.crashed: str | None = None
        self._start_us = start_us
        self._world: dict[str, Any] = {}  # the wires as the board last reported them
        self._clients: dict[int, Client] = {}
        self._serial = 0
        self._board: Board | None = None
        self._closing = contextlib.ExitStack()
        try:
            self._state = self._open_state(state_dir)
            self._open_pty()
            self._open_sockets()
            clock = "realtime" if realtime else "frozen" if frozen else "wall"
            self._command = self._compose(wiring, micropython, heap, clock, script)
            self._power_on(PWRON_RESET)
        except BaseException:
            self._closing.close()
            raise
        self._thread = threading.Thread(target=self._serve, name="simulator", daemon=True)
        self._thread.start()

    def __enter__(self) -> Simulator:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int | None:
        """The board's process; None while the power is off."""
        board = self._board
        return board.pid if board else None

    @property
    def log(self) -> Path:
        return self._state / "board.log"

    def stop(self) -> None:
        """Ends the board and closes everything; a state folder of our own goes too."""
        if self._thread.is_alive():
            board = self._board
            if board:
                board.kill()
            self._waker.send(b"stop")
            self._thread.join()

    # -- setting up

    def _open_state(self, state_dir: Path | None) -> Path:
        if state_dir is None:
            state_dir = Path(tempfile.mkdtemp(prefix="pitkit-sim-"))
            self._closing.callback(shutil.rmtree, state_dir, ignore_errors=True)
        try:
            state_dir.mkdir(parents=True, exist_ok=True)
            lock = self._closing.enter_context((state_dir / "lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CannotRun(f"another simulator is using the state folder {state_dir}") from error
        except OSError as error:
            raise CannotRun(f"the state folder {state_dir} cannot be used: {error.strerror}") from error
        return state_dir.absolute()

    def _open_pty(self) -> None:
        self._master, slave = os.openpty()
        self._closing.callback(os.close, self._master)
        self._closing.callback(os.close, slave)  # held open: the board never sees its host hang up
        tty.setraw(slave)
        os.set_blocking(self._master, False)  # a host that does not read must not stop the board
        self.port = os.ttyname(slave)

    def _open_sockets(self) -> None:
        self._selector = self._closing.enter_context(selectors.DefaultSelector())
        self._listener = self._closing.enter_context(socket.create_server(("127.0.0.1", 0)))
        self._waker, woken = socket.socketpair()
        self._closing.enter_context(self._waker)
        self._closing.enter_context(woken)
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
        self._selector.register(woken, selectors.EVENT_READ, None)
        self.fixture_address: tuple[str, int] = self._listener.getsockname()

    def _compose(
        self, wiring: dict[str, Any], micropython: Path | None, heap: str, clock: str, script: Path | None
    ) -> list[str]:
        if micropython is None:
            from .micropython import find

            micropython = find()
        path = self._state / "wiring.json"
        path.write_text(json.dumps({"version": host_tools.__version__, **wiring}))
        command = [str(micropython), "-X", f"heapsize={heap}", str(START), str(path), str(self._state)]
        return [*command, "--clock", clock, *(["--script", str(script)] if script else [])]

    # -- the power

    def _power_on(self, cause: int) -> None:
        self._drain_pty()
        us = self._world.pop("us", self._start_us)
        command = [*self._command, "--cause", str(cause), "--start-us", str(us)]
        try:
            self._board = Board(command, self._master, self.log)
        except OSError as error:
            raise CannotRun(f"MicroPython does not start: {command[0]}: {error.strerror}") from error
        self._board.send(0, json.dumps(self._world))
        self._selector.register(self._board.socket, selectors.EVENT_READ, self._hear)

    def _drain_pty(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while os.read(self._master, 4096):
                pass

    def _take_board(self) -> int:
        """The process has ended, or was killed: tidies up and answers its exit code."""
        assert self._board
        board, self._board = self._board, None
        self._selector.unregister(board.socket)
        return board.close()

    def _cut(self) -> None:
        if self._board:
            self._board.kill()
            self._take_board()
        self._selector.register(self._master, selectors.EVENT_READ, self._drain_pty)
        self._world = {"wires": self._world.get("wires", {})}
        self._refuse_all("the power was cut")

    def _power(self) -> None:
        self._selector.unregister(self._master)
        self._power_on(PWRON_RESET)

    def _ended(self) -> None:
        code = self._take_board()
        if code == EXIT_RESET or code in EXITS_OF_WATCHDOG:
            self._restart()
        else:
            self.crashed = f"the board stopped: {self._last_words(code)}"
            self._refuse_all(self.crashed)

    def _restart(self) -> None:
        # On the rp2 port a reset that was asked for is the watchdog's doing too.
        under_way = {client for _, client in self._world.get("runs", [])}
        self._power_on(WDT_RESET)
        self._world = {"wires": self._world.get("wires", {})}
        for number, client in self._clients.items():
            if client.asked and number not in under_way and self._board:
                self._board.send(number, client.asked)

    def _last_words(self, code: int) -> str:
        lines = self.log.read_text(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), f"its process ended with {code}")

    def _refuse_all(self, sentence: str) -> None:
        for client in self._clients.values():
            if client.asked:
                client.refuse(sentence)

    # -- the thread

    def _serve(self) -> None:
        with self._closing:
            while True:
                for key, _ in self._selector.select():
                    if key.data is None:
                        return self._close()
                    if self._selector.get_map().get(key.fd) is key:  # an earlier one may have ended it
                        key.data()

    def _close(self) -> None:
        if self._board:
            self._board.kill()
            self._take_board()
        for client in self._clients.values():
            client.socket.close()

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._serial += 1
        number = self._serial
        self._clients[number] = Client(connection)
        self._selector.register(connection, selectors.EVENT_READ, lambda: self._listen(number))

    def _listen(self, number: int) -> None:
        client = self._clients[number]
        chunk = b""
        with contextlib.suppress(OSError):
            chunk = client.socket.recv(1 << 16)
        *lines, client.unread = (client.unread + chunk).split(b"\n")
        client.waiting += lines
        if not chunk or len(client.unread) > LONGEST_LINE:
            self._selector.unregister(client.socket)
            client.socket.close()
            del self._clients[number]
        else:
            self._ask(number)

    def _hear(self) -> None:
        """The board answers a client, or (to number 0) reports its wires."""
        assert self._board
        lines = self._board.lines()
        if lines is None:
            return self._ended()
        for line in lines:
            number, _, answer = line.decode().partition(" ")
            client = self._clients.get(int(number))
            if number == "0":
                self._world.update(json.loads(answer))
            elif client:
                client.answer(answer)
                self._ask(int(number))

    def _ask(self, number: int) -> None:
        client = self._clients[number]
        while client.waiting and client.asked is None:
            try:
                request = _parse(client.waiting.popleft())
                self._operate(number, client, request)
            except ValueError as error:
                client.refuse(str(error))

    def _operate(self, number: int, client: Client, request: dict[str, Any]) -> None:
        op = request.get("op")
        if self.crashed:
            raise ValueError(self.crashed)
        if op == "cut" and self._board:
            self._cut()
            client.answer('{"ok": true}')
        elif op == "power" and not self._board:
            self._power()
            client.answer('{"ok": true}')
        elif op == "power":
            raise ValueError("the power is on")
        elif op == "now" and not self._board:
            client.answer(json.dumps({"ok": True, "us": self._start_us}))
        elif not self._board:
            raise ValueError(POWER_OFF)
        else:
            client.asked = json.dumps(request)
            self._board.send(number, client.asked)


def _parse(line: bytes) -> dict[str, Any]:
    try:
        request = json.loads(line)
        json.dumps(request, allow_nan=False)  # what is no JSON number must not reach the board
    except (ValueError, RecursionError) as error:
        raise ValueError("the line is not JSON") from error
    if not isinstance(request, dict):
        raise ValueError("a request is a JSON object")
    return request
