"""Starts and stops the emulated chip: one node process behind two TCP ports of this machine.

The process ends when its standard input closes, so it never outlives the tool. The state folder is
locked for as long as the process lives, whatever becomes of the tool.
"""

import contextlib
import fcntl
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from host_tools import progress, toolchain
from host_tools.errors import CannotRun
from host_tools.progress import Say

from . import library

MAIN = Path(__file__).parent / "main.mjs"
STOP_SECONDS = 2.0
FLASH_MODES = ("typical", "worst", "instant")  # flash_times.mjs says what they mean
UNIQUE_ID = re.compile("[0-9a-f]{16}")


class Emulator:
    """A Pico on the bench, powered from the start. Stop it, or use it as a context manager.

    flash: how long its flash takes (typical, worst, instant). unique_id: 16 hex digits; else the state
    folder's own, else random. exact: waits for the flash are run instruction by instruction.
    """

    def __init__(
        self,
        wiring: dict[str, Any],
        image: Path,
        state_dir: Path | None = None,
        realtime: bool = False,
        *,
        flash: str = "typical",
        unique_id: str | None = None,
        exact: bool = False,
        say: Say = progress.say,
    ) -> None:
        self._closing = contextlib.ExitStack()
        try:
            self._scratch = Path(
                self._closing.enter_context(tempfile.TemporaryDirectory(prefix="pitkit-emu-"))
            )
            lock = self._lock(state_dir) if state_dir else None
            command = self._compose(wiring, image, state_dir, say)
            command += _options(flash, unique_id) + _flags(realtime=realtime, exact=exact)
            self._process = self._start(command, library.rp2040js(say), lock)
            self._hear_ports()
        except BaseException:
            self._closing.close()
            raise

    def __enter__(self) -> "Emulator":
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
        return None if self._process.poll() is None else f"the emulator stopped: {self._last_words()}"

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

    def _compose(self, wiring: dict[str, Any], image: Path, state_dir: Path | None, say: Say) -> list[str]:
        if not image.is_file():
            raise CannotRun(f"there is no image {image}")
        path = self._scratch / "wiring.json"
        path.write_text(json.dumps(wiring))
        command = [toolchain.node(say), MAIN, "--bootrom", library.bootrom(say)]
        files = ["--image", image.absolute(), "--wiring", path]
        state = ["--state", state_dir.absolute()] if state_dir else []
        return [str(word) for word in (*command, *files, *state)]

    def _start(self, command: list[str], modules: Path, lock: IO[str] | None) -> subprocess.Popen[str]:
        with self.log.open("w") as log:
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                    env={**os.environ, "PITKIT_RP2040JS": str(modules)},
                    pass_fds=[lock.fileno()] if lock else [],
                    start_new_session=True,  # an interrupt at the terminal is the tool's to handle
                )
            except OSError as error:
                raise CannotRun(f"node does not start: {command[0]}: {error.strerror}") from error
        self._closing.callback(_end, process)
        return process

    def _hear_ports(self) -> None:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise CannotRun(f"the emulator does not start: {self._last_words()}")
        ports = json.loads(line)
        self.port = f"socket://127.0.0.1:{ports['link']}"
        self.fixture_address: tuple[str, int] = ("127.0.0.1", ports["fixture"])

    def _last_words(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines()
        last = next((line for line in reversed(lines) if line.strip()), "it said nothing")
        return last.removeprefix("emulator: ").rstrip(".")


def _flags(**given: bool) -> list[str]:
    return [f"--{name}" for name, set_ in given.items() if set_]


def _options(flash: str, unique_id: str | None) -> list[str]:
    if flash not in FLASH_MODES:
        raise CannotRun(f"there is no flash mode {flash!r}; known: {', '.join(FLASH_MODES)}")
    if unique_id is not None and not UNIQUE_ID.fullmatch(unique_id):
        raise CannotRun(f"a board's unique id is 16 hex digits, not {unique_id!r}")
    return ["--flash", flash, *(["--id", unique_id] if unique_id else [])]


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
