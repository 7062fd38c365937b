"""Starts and stops emulated chips: one node process, with two TCP ports of this machine for each chip.

The process ends when its standard input closes, so it never outlives the tool. A state folder is
locked for as long as the process lives, whatever becomes of the tool.
"""

import contextlib
import fcntl
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from host_tools import progress, toolchain
from host_tools.errors import CannotRun
from host_tools.progress import Say

from . import library

MAIN = Path(__file__).parent / "main.mjs"
STOP_SECONDS = 2.0
SLICE_US = 10
FLASH_MODES = ("typical", "worst", "instant")  # flash_times.mjs says what they mean
UNIQUE_ID = re.compile("[0-9a-f]{16}")
Wire = tuple[str, str, str, str]  # board, pin, board, pin


@dataclass(frozen=True)
class Board:
    """One chip of a bench.

    flash: how long its flash takes. unique_id: 16 hex digits; else the state folder's own, else random.
    exact: waits for the flash are run instruction by instruction.
    """

    wiring: dict[str, Any]
    image: Path
    state_dir: Path | None = None
    flash: str = "typical"
    unique_id: str | None = None
    exact: bool = False

    def check(self) -> None:
        if not self.image.is_file():
            raise CannotRun(f"there is no image {self.image}")
        if self.flash not in FLASH_MODES:
            raise CannotRun(f"there is no flash mode {self.flash!r}; known: {', '.join(FLASH_MODES)}")
        if self.unique_id is not None and not UNIQUE_ID.fullmatch(self.unique_id):
            raise CannotRun(f"a board's unique id is 16 hex digits, not {self.unique_id!r}")

    def told(self, name: str) -> dict[str, Any]:
        state = str(self.state_dir.absolute()) if self.state_dir else None
        files = {"image": str(self.image.absolute()), "wiring": self.wiring, "state": state}
        return {"name": name, "id": self.unique_id, "flash": self.flash, "exact": self.exact, **files}


@dataclass(frozen=True)
class Place:
    """Where a board of a bench is reached."""

    port: str
    fixture_address: tuple[str, int]


class EmulatorBench:
    """Picos on one bench and one clock, powered from the start. Stop it, or use it as a context manager.

    wires: (board, pin, board, pin); what one end drives the other sees slice_us later.
    """

    def __init__(
        self,
        boards: Mapping[str, Board],
        wires: Iterable[Wire] = (),
        realtime: bool = False,
        *,
        slice_us: int = SLICE_US,
        say: Say = progress.say,
    ) -> None:
        told = {"realtime": realtime, "slice_us": slice_us, "wires": [list(wire) for wire in wires]}
        self._closing = contextlib.ExitStack()
        try:
            self._scratch = Path(
                self._closing.enter_context(tempfile.TemporaryDirectory(prefix="pitkit-emu-"))
            )
            locks = [self._lock(board.state_dir) for board in boards.values() if board.state_dir]
            command = self._compose(boards, told, say)
            self._process = self._start(command, library.rp2040js(say), locks)
            self.boards = self._hear_ports()
        except BaseException:
            self._closing.close()
            raise

    def __enter__(self) -> "EmulatorBench":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def crashed(self) -> str | None:
        """Its last words, once the process has ended by itself."""
        code = self._process.poll()
        if code is None:
            return None
        killed = f"its process was killed (signal {-code})" if code < 0 else self._last_words()
        return f"the emulator stopped: {killed}"

    @property
    def log(self) -> Path:
        """What the emulator said on standard error; there until stop."""
        return self._scratch / "emulator.log"

    def stop(self) -> None:
        """Ends the process; what is in the flash is in the state folder already."""
        self._closing.close()

    def _lock(self, state_dir: Path) -> IO[str]:
        try:
            state_dir.mkdir(parents=True, exist_ok=True)
            lock = self._closing.enter_context((state_dir / "lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CannotRun(f"another board is using the state folder {state_dir}") from error
        except OSError as error:
            raise CannotRun(f"the state folder {state_dir} cannot be used: {error.strerror}") from error
        return lock

    def _compose(self, boards: Mapping[str, Board], told: dict[str, Any], say: Say) -> list[str]:
        for board in boards.values():
            board.check()
        node, rom = toolchain.node(say), library.bootrom(say)
        chips = [board.told(name) for name, board in boards.items()]
        path = self._scratch / "bench.json"
        path.write_text(json.dumps({**told, "bootrom": str(rom), "chips": chips}))
        return [str(node), str(MAIN), str(path)]

    def _start(self, command: list[str], modules: Path, locks: list[IO[str]]) -> subprocess.Popen[str]:
        with self.log.open("w") as log:
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                    env={**os.environ, "PITKIT_RP2040JS": str(modules)},
                    pass_fds=[lock.fileno() for lock in locks],
                    start_new_session=True,  # an interrupt at the terminal is the tool's to handle
                )
            except OSError as error:
                raise CannotRun(f"node does not start: {command[0]}: {error.strerror}") from error
        self._closing.callback(_end, process)
        return process

    def _hear_ports(self) -> dict[str, Place]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise CannotRun(f"the emulator does not start: {self._last_words()}")
        return {
            name: Place(f"socket://127.0.0.1:{ports['link']}", ("127.0.0.1", ports["fixture"]))
            for name, ports in json.loads(line).items()
        }

    def _last_words(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines()
        last = next((line for line in reversed(lines) if line.strip()), "it said nothing")
        return last.removeprefix("emulator: ").rstrip(".")


class Emulator(EmulatorBench):
    """A Pico on the bench; the options are those of Board."""

    def __init__(
        self,
        wiring: dict[str, Any],
        image: Path,
        state_dir: Path | None = None,
        realtime: bool = False,
        *,
        say: Say = progress.say,
        **options: Any,
    ) -> None:
        super().__init__({"board": Board(wiring, image, state_dir, **options)}, (), realtime, say=say)
        self.port = self.boards["board"].port
        self.fixture_address = self.boards["board"].fixture_address

    def __enter__(self) -> "Emulator":
        return self


def _end(process: subprocess.Popen[str]) -> None:
    """Closing its standard input is enough; a process that hangs is killed."""
    with process:
        assert process.stdin
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
