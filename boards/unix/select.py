"""MicroPython's `select.poll` on the virtual clock: the wait of the firmware and of asyncio.

It ends when a stream is ready, an interrupt was served, or the virtual time-out passed; fixture
lines are served meanwhile. Unlike the rp2 port, a wait with a time-out may answer early with nothing.
"""

import fixture
import uselect
from clock import board_clock
from uselect import POLLERR, POLLHUP, POLLIN, POLLOUT  # noqa: F401


class poll:  # noqa: N801 (MicroPython's name)
    def __init__(self):
        self._streams = uselect.poll()
        self._streams.register(fixture.stream, POLLIN)
        self._ready = []

    def register(self, stream, mask=POLLIN | POLLOUT):
        self._streams.register(stream, mask)

    def unregister(self, stream):
        self._streams.unregister(stream)

    def modify(self, stream, mask):
        self._streams.modify(stream, mask)

    def poll(self, timeout_ms=-1):
        if timeout_ms == 0:
            board_clock.glance(self._look)
        elif timeout_ms < 0:
            board_clock.wait_for_ever(self._look)
        else:
            board_clock.wait(board_clock.now_us() + timeout_ms * 1000, self._look)
        return self._ready

    def ipoll(self, timeout_ms=-1):
        return iter(self.poll(timeout_ms))

    def _look(self, ms):
        if ms:
            fixture.report_wires()
        ready, fixture_spoke = [], False
        for stream, mask in self._streams.ipoll(ms):
            if stream is fixture.stream:
                fixture_spoke = True
            else:
                ready.append((stream, mask))
        if fixture_spoke:
            fixture.serve()
        self._ready = ready
        return bool(ready)
