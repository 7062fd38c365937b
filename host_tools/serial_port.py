"""Serial ports as the host uses them: opened with one owner, read without waiting for more.

Whoever comes second is told which program holds the port. Only here is pyserial opened; what
goes over the line is line_end.py's business.
"""

from __future__ import annotations

import errno
import os
import select
import socket
from pathlib import Path
from urllib.parse import urlsplit

import serial

from .errors import CannotRun, NoBoard

READ_BYTES = 65536
HOLDER_LETTERS = 80
LOCKS = Path("/proc/locks")


def open_serial(url: str) -> serial.SerialBase:
    """Any device or pyserial URL; a device that is held already is said to be."""
    if url.startswith(("socket://", "rfc2217://")) and not _has_address(url):
        raise CannotRun(f"{url} names no host and port, as socket://127.0.0.1:5000 does.")
    try:
        port = serial.serial_for_url(url, do_not_open=True, timeout=0.02, write_timeout=5)
        if hasattr(port, "exclusive") and "://" not in url:
            port.exclusive = True
        port.open()
        _hasten(port)
    except ValueError as error:
        raise CannotRun(f"{url} is no serial port or URL: {error}.") from error
    except (serial.SerialException, OSError) as error:
        held = plain_error(error) == PLAIN[errno.EAGAIN]
        holder = f", {_holder(url)}" if held and _holder(url) else ""
        raise NoBoard(f"cannot open {url}: {plain_error(error)}{holder}.") from error
    return port


def _hasten(port: serial.SerialBase) -> None:
    """A frame behind another is not to wait for the answer to the first (Nagle)."""
    if str(port.name or port.port).startswith("socket://"):
        with socket.socket(fileno=os.dup(port.fileno())) as line:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _holder(url: str) -> str:
    """Whose lock is on the device, where the system says so (Linux)."""
    try:
        seen = Path(url).stat()
        place = f"{os.major(seen.st_dev):02x}:{os.minor(seen.st_dev):02x}:{seen.st_ino}"
        rows = [row.split() for row in LOCKS.read_text().splitlines()]
        pid = next(int(row[4]) for row in rows if row[1] == "FLOCK" and row[5] == place)
        if pid == os.getpid():
            return f"this one itself (process {pid})"
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
        return f"{' '.join(' '.join(words).split())[:HOLDER_LETTERS]} (process {pid})"
    except (OSError, ValueError, StopIteration, IndexError):
        return ""


def read_some(port: serial.SerialBase, wait_s: float) -> bytes:
    """What has come, all of it; waits so long for the first byte and for no other."""
    try:
        number = port.fileno()
    except (AttributeError, OSError, ValueError):  # a port that is no file: Windows, rfc2217
        waiting: int = getattr(port, "in_waiting")  # noqa: B009 (SerialBase's stub lacks it)
        return bytes(port.read(max(1, waiting)))
    if not select.select([number], [], [], wait_s)[0]:
        return b""
    try:
        data = os.read(number, READ_BYTES)
    except BlockingIOError:
        return b""
    if not data:
        raise serial.SerialException("the other end closed it")
    return data


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


def plain_error(error: BaseException) -> str:
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
