"""The simulated board's supervisor: the firmware on MicroPython's unix port, behind a pty.

Owns the board's process, its power switch, the pty that stands for its USB port and the fixture's
TCP socket. It restarts the process after a reset and kills it when the power is cut; it knows
no pin and no game. One thread serves all of it; see boards/unix/ for the board's own side.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import selectors
import signal
import socket
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

import host_tools

from .errors import CannotRun
from .fixture_desk import Client, FixtureDesk, Request
from .simulated_board import Board, Pty, open_state

ROOT = Path(__file__).parent.parent
START = ROOT / "boards" / "unix" / "start.py"
EXIT_RESET, EXIT_POWER_CUT = 64, 67
EXITS_OF_WATCHDOG = (65, -signal.SIGVTALRM)  # the second: a loop that never looked at the clock
PWRON_RESET, WDT_RESET = 1, 3
POWER_OFF = "the power is off"


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
        self._start_us = self._seen_us = start_us
        levels = wiring.get("levels", {})  # how the table stands when nobody touches it
        self._world: dict[str, Any] = {"wires": {name: [level, None] for name, level in levels.items()}}
        self._board: Board | None = None
        self._closing = contextlib.ExitStack()
        try:
            self._state = open_state(state_dir, self._closing)
            self._pty = self._closing.enter_context(Pty())
            self.port = self._pty.port
            self._open_sockets()
            clock = "realtime" if realtime else "frozen" if frozen else "wall"
            self._command = self._compose(wiring, micropython, heap, clock, script)
            self._power_on(PWRON_RESET)
        except BaseException:
            self._closing.close()
            raise
        self._thread = threading.Thread(target=self._serve, name="simulator", daemon=True)
        self._thread.start()
        atexit.register(self.stop)  # whoever forgets it leaves neither a process nor a folder behind

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
        atexit.unregister(self.stop)
        if self._thread.is_alive():
            board = self._board
            if board:
                board.kill()
            self._waker.send(b"stop")
            self._thread.join()

    # -- setting up

    def _open_sockets(self) -> None:
        self._selector = self._closing.enter_context(selectors.DefaultSelector())
        self._desk = self._closing.enter_context(FixtureDesk(self._selector, self._operate))
        self.fixture_address = self._desk.address
        self._waker, woken = socket.socketpair()
        self._closing.enter_context(self._waker)
        self._closing.enter_context(woken)
        self._selector.register(woken, selectors.EVENT_READ, None)

    def _compose(
        self, wiring: dict[str, Any], micropython: Path | None, heap: str, clock: str, script: Path | None
    ) -> list[str]:
        if micropython is None:
            from .micropython import find

            micropython = find()
        self._check_flash(wiring)
        path = self._state / "wiring.json"
        files = self._state / "files"  # the board's file system
        files.mkdir(exist_ok=True)
        path.write_text(json.dumps({"version": host_tools.__version__, "files": str(files), **wiring}))
        command = [str(micropython), "-X", f"heapsize={heap}", str(START), str(path), str(self._state)]
        return [*command, "--clock", clock, *(["--script", str(script)] if script else [])]

    def _check_flash(self, wiring: dict[str, Any]) -> None:
        """A flash of another board's size is somebody's record: it is not written over."""
        kept = self._state / "flash.bin"
        areas = [area for area in wiring["board"]["flash"].values() if isinstance(area, list)]
        wanted = max(sum(area) for area in areas)
        if kept.exists() and kept.stat().st_size != wanted and kept.read_bytes().strip(b"\xff"):
            raise CannotRun(
                f"{kept} is not this board's flash: it has {kept.stat().st_size} bytes, not {wanted}"
            )

    # -- the power

    def _power_on(self, cause: int) -> None:
        self._pty.drain()
        us = self._world.pop("us", self._seen_us)
        command = [*self._command, "--cause", str(cause), "--start-us", str(us)]
        try:
            self._board = Board(command, self._pty.master, self.log)
        except OSError as error:
            raise CannotRun(f"{command[0]} does not start: {error.strerror}.") from error
        self._board.send(0, json.dumps(self._world))
        self._selector.register(self._board.socket, selectors.EVENT_READ, self._hear)

    def _let_go(self) -> Board:
        """The board's process, which is no longer the board."""
        assert self._board
        board, self._board = self._board, None
        self._selector.unregister(board.socket)
        return board

    def _cut(self) -> None:
        board = self._let_go()
        board.kill()
        while self._take_in(board.lines()):
            pass  # what it said before it died was said
        board.close()
        self._is_off()

    def _is_off(self) -> None:
        self._selector.register(self._pty.master, selectors.EVENT_READ, self._pty.drain)
        self._world = self._lasting()
        self._seen_us = self._start_us

    def _lasting(self) -> dict[str, Any]:
        """What a power cut does not change: the wires, which lamps are broken, what the noise is like."""
        return {name: self._world[name] for name in ("wires", "broken", "noise") if name in self._world}

    def _power(self) -> None:
        self._selector.unregister(self._pty.master)
        self._power_again(PWRON_RESET)

    def _power_again(self, cause: int) -> None:
        try:
            self._power_on(cause)
        except CannotRun as error:
            self._crash(str(error))

    def _ended(self) -> None:
        board = self._let_go()
        board.close()
        if board.exit_code == EXIT_RESET or board.exit_code in EXITS_OF_WATCHDOG:
            self._restart()
        elif board.exit_code == EXIT_POWER_CUT:  # in the middle of a flash operation, as was asked
            self._is_off()
            self._desk.refuse_all("the power was cut")
        else:
            self._crash(f"the board stopped: {board.last_words()}")

    def _restart(self) -> None:
        under_way = {client for _, client in self._world.get("runs", [])}
        self._power_again(WDT_RESET)  # on the rp2 port a reset that was asked for is the watchdog's too
        self._world = self._lasting()
        for number, text in self._desk.unanswered().items():
            if number not in under_way and self._board:
                self._board.send(number, text)

    def _crash(self, sentence: str) -> None:
        self.crashed = sentence
        self._desk.refuse_all(sentence)

    # -- the thread

    def _serve(self) -> None:
        with self._closing:
            try:
                while self._serve_once():
                    pass
            finally:
                self._close()

    def _serve_once(self) -> bool:
        for key, _ in self._selector.select():
            if key.data is None:
                return False
            if self._selector.get_map().get(key.fd) is key:  # one served before it may have ended it
                key.data()
        return True

    def _close(self) -> None:
        if self._board:
            board = self._let_go()
            board.kill()
            board.close()

    def _hear(self) -> None:
        assert self._board
        if not self._take_in(self._board.lines()):
            self._ended()

    def _take_in(self, lines: list[bytes] | None) -> bool:
        """The board answers a client, or (to number 0) reports its wires; False once it has ended."""
        for line in lines or []:
            number, _, answer = line.decode().partition(" ")
            if number == "0":
                self._world.update(json.loads(answer))
            else:
                self._note_time(answer)
                self._desk.answer(int(number), answer)
        return lines is not None

    def _note_time(self, answer: str) -> None:
        if '"us"' in answer:
            self._seen_us = json.loads(answer)["us"]

    def _operate(self, number: int, client: Client, request: Request, text: str) -> None:
        op = request.get("op")
        if self.crashed:
            raise ValueError(self.crashed)
        if op == "cut" and self._board:
            self._cut()
            client.answer('{"ok": true}')
            self._desk.refuse_all("the power was cut")
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
            client.asked = text
            self._board.send(number, text)
