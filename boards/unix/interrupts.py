"""Interrupts: hard handlers with the heap locked, soft ones from a queue as deep as the rp2's.

Sources (pins, timers) raise a flag; the clock dispatches at the instant it happened. A handler
that fails ends the board with its traceback on standard error: on silicon it would go unseen.
"""

import sys

import bench
import micropython

QUEUE_DEPTH = 8  # MICROPY_SCHEDULER_DEPTH of the rp2 port


class Irq:
    """What Pin.irq answers; a timer has one too. Calls handler(parent)."""

    def __init__(self, parent, handler, trigger, hard):
        self._parent = parent
        self._trigger = trigger
        self._flags = 0
        self._raised = 0
        self.handler = handler
        self.hard = hard

    def flags(self):
        return self._flags

    def trigger(self, new=None):
        old = self._trigger
        if new is not None:
            self._trigger = new
        return old

    def __call__(self):
        self.handler(self._parent)

    def raise_flag(self, flag):
        flag &= self._trigger
        if flag and self.handler:
            self._raised |= flag
            if self not in _lines.raised:
                _lines.raised.append(self)

    def forget(self):
        self._raised = 0

    def take(self):
        """Whether there is something to call the handler for; its flags say what."""
        self._flags, self._raised = self._raised, 0
        return bool(self._flags and self.handler)


class _Lines:
    def __init__(self):
        self.enabled = True
        self.raised = []
        self.soft = []
        self.lost = 0
        self.woken = False
        self.heap_locked = False


_lines = _Lines()


def disable():
    was, _lines.enabled = _lines.enabled, False
    return was


def enable(state):
    _lines.enabled = state


def dispatch():
    """Serves what was raised, each line once with all its flags. The clock calls it."""
    while _lines.raised and _lines.enabled:
        irq = _lines.raised.pop(0)
        if irq.take():
            _lines.woken = True
            if irq.hard:
                call_hard(irq)
            else:
                _schedule(irq)


def take_wake():
    woken, _lines.woken = _lines.woken, False
    return woken


def call_hard(irq):
    failure = None
    _lines.heap_locked = True
    micropython.heap_lock()
    try:
        irq()
    except BaseException as e:
        failure = e
    unlock_heap()
    if failure:
        fail(failure)


def unlock_heap():
    if _lines.heap_locked:
        micropython.heap_unlock()
        _lines.heap_locked = False


def _schedule(irq):
    if len(_lines.soft) < QUEUE_DEPTH:
        _lines.soft.append(irq)
    else:
        _lines.lost += 1
        print(f"soft interrupt lost, {_lines.lost} so far: the queue is full", file=sys.stderr)


def lost():
    return _lines.lost


def run_soft():
    """The queue, at a moment when the firmware waits."""
    while _lines.soft:
        irq = _lines.soft.pop(0)
        try:
            irq()
        except Exception as e:
            fail(e)


def fail(failure):
    sys.print_exception(failure, sys.stderr)
    bench.vanish(bench.EXIT_HANDLER_FAILED)
