"""What a simulated board stands on: its process, its pty and its state folder.

Lines in, lines out, and the process's life; which line goes where is simulator.py's business.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import socket
import subprocess
import tempfile
import tty
from pathlib import Path

from .errors import CannotRun

SEND_LIMIT_S = 5.0


def open_state(state_dir: Path | None, closing: contextlib.ExitStack) -> Path:
    """The folder of a board's flash, locked until `closing`; without a name, one that goes away then."""
    if state_dir is None:
        state_dir = Path(tempfile.mkdtemp(prefix="pitkit-sim-"))
        closing.callback(shutil.rmtree, state_dir, ignore_errors=True)
    try:
        state_dir.mkdir(parents=True, exist_ok=True)
        lock = closing.enter_context((state_dir / "lock").open("w"))
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise CannotRun(f"another simulator is using the state folder {state_dir}.") from error
    except OSError as error:
        raise CannotRun(f"the state folder {state_dir} cannot be used: {error.strerror}.") from error
    return state_dir.absolute()


class Pty:
    """The board's USB port. Both ends stay open here, so neither side sees the other hang up."""

    def __init__(self) -> None:
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self.master, False)  # a host that does not read must not stop the board
        self.port = os.ttyname(self._slave)

    def __enter__(self) -> Pty:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.master)
        os.close(self._slave)

    def drain(self) -> None:
        """What the host sent while nobody listened goes nowhere."""
        with contextlib.suppress(BlockingIOError):
            while os.read(self.master, 4096):
                pass


class Board:
    """One process, from power-on until it ends."""

    exit_code: int

    def __init__(self, command: list[str], pty_master: int, log: Path) -> None:
        self.socket, theirs = socket.socketpair()
        self.socket.settimeout(SEND_LIMIT_S)
        theirs.setblocking(False)
        self._log = log
        with theirs, log.open("ab") as log_file:
            self._log_start = log_file.tell()
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
        try:
            self.socket.sendall(f"{client} {request}\n".encode())
        except TimeoutError:  # it is stuck, and half a line is worse than none
            self.kill()
        except OSError:
            pass  # it has just ended; `lines` will say so

    def lines(self) -> list[bytes] | None:
        """What it said since; None once it has ended."""
        chunk = b""
        with contextlib.suppress(OSError):
            chunk = self.socket.recv(1 << 16)
        *lines, self._unread = (self._unread + chunk).split(b"\n")
        return lines if chunk else None

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        self.exit_code = self._process.wait()
        self.socket.close()

    def last_words(self) -> str:
        """The last line it logged in this life; one that was killed had no time to say why."""
        if self.exit_code < 0:
            return f"its process was killed (signal {-self.exit_code})"
        said = self._log.read_bytes()[self._log_start :].decode(errors="replace").split("\n")
        return next(
            (line for line in reversed(said) if line.strip()), f"its process ended with {self.exit_code}"
        )
