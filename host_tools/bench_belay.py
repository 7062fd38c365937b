"""Belay's round trip, for `make bench` to set ours beside it: python -m host_tools.bench_belay PORT COUNT.

Belay opens a device file; the emulated chip's port is a socket. It gets one that reads as a device
does, with no relay between. A process of its own, for it changes pyserial under Belay.
"""

from __future__ import annotations

import array
import fcntl
import json
import socket
import sys
import termios
import time
from typing import Any

import belay
import serial


class SocketDevice:
    """As much of serial.Serial as Belay uses."""

    def __init__(self, url: str, **_: Any) -> None:
        host, port = url.removeprefix("socket://").split(":")
        self._socket = socket.create_connection((host, int(port)))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    @property
    def in_waiting(self) -> int:
        count = array.array("i", [0])
        fcntl.ioctl(self._socket, termios.FIONREAD, count)
        return count[0]

    def read(self, size: int = 1) -> bytes:
        data = b""
        while len(data) < size:
            data += self._socket.recv(size - len(data))
        return data

    def write(self, data: bytes) -> int:
        self._socket.sendall(data)
        return len(data)

    def close(self) -> None:
        self._socket.close()


def main() -> None:
    setattr(serial, "Serial", SocketDevice)  # noqa: B010 (mypy)
    device = belay.Device(sys.argv[1])

    @device.task
    def answer():  # type: ignore[no-untyped-def]
        return 7

    took_ms = []
    for _ in range(int(sys.argv[2])):
        start = time.perf_counter()
        assert answer() == 7
        took_ms.append((time.perf_counter() - start) * 1000)
    print(json.dumps(took_ms))
    device.close()


if __name__ == "__main__":
    main()
