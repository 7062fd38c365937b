"""A serial line of so many baud before a board that has none: a pty that gives bytes out at its pace.

For measuring what a slow line carries. Ten bits a byte, both ways at once, as on a UART; nothing is
lost, for the pty behind it holds what waits.
"""

from __future__ import annotations

import os
import select
import threading
import time
import tty

BITS_A_BYTE = 10
LOOK_S = 0.002
MOST_WAITING = 4096


class _Way:
    """One direction."""

    def __init__(self, source: int, sink: int, bytes_per_s: float) -> None:
        self.source, self.sink, self.rate = source, sink, bytes_per_s
        self.waiting = b""
        self.free_s = time.monotonic()  # when the wire has sent all that it was given

    def take(self) -> None:
        if not self.waiting:
            self.free_s = max(self.free_s, time.monotonic())
        self.waiting += os.read(self.source, MOST_WAITING - len(self.waiting))

    def give(self) -> None:
        """What the wire has carried by now."""
        count = min(len(self.waiting), int((time.monotonic() - self.free_s) * self.rate))
        if count > 0:
            try:
                count = os.write(self.sink, self.waiting[:count])
            except BlockingIOError:
                return
            self.free_s += count / self.rate
            self.waiting = self.waiting[count:]


class PacedLine:
    def __init__(self, device: str, baud: int) -> None:
        self._board = os.open(device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        rate = baud / BITS_A_BYTE
        self._ways = [_Way(self._master, self._board, rate), _Way(self._board, self._master, rate)]
        self._stopped = False
        self._thread = threading.Thread(target=self._serve, name="paced line", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while not self._stopped:
            room = [way.source for way in self._ways if len(way.waiting) < MOST_WAITING]
            ready = select.select(room, [], [], LOOK_S)[0]
            for way in self._ways:
                if way.source in ready:
                    way.take()
                way.give()
            if ready:
                time.sleep(LOOK_S)  # a byte that is there is not read one by one

    def close(self) -> None:
        self._stopped = True
        self._thread.join()
        for number in (self._board, self._master, self._slave):
            os.close(number)

    def __enter__(self) -> PacedLine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
