"""The task queue under asyncio, on the virtual clock.

The built-in one (`_asyncio`) takes its times from the machine's clock behind everyone's back, so
start.py puts this module in its place; asyncio itself is the stock one. Called by asyncio only.
"""

from time import ticks_diff, ticks_ms


class TaskQueue:
    """Tasks by the time they are due; those due at the same time in the order they came."""

    def __init__(self):
        self._tasks = []

    def peek(self):
        return self._tasks[0] if self._tasks else None

    def push(self, task, key=None):
        task.data = None
        task.ph_key = ticks_ms() if key is None else key
        at = len(self._tasks)
        while at and ticks_diff(self._tasks[at - 1].ph_key, task.ph_key) > 0:
            at -= 1
        self._tasks.insert(at, task)

    def pop(self):
        return self._tasks.pop(0)

    def remove(self, task):
        self._tasks.remove(task)


class Task:
    """A coroutine with what asyncio keeps about it: the attributes' names and meanings are asyncio's.

    `state` is true while it runs (a TaskQueue once another task awaits it), false when it is over.
    `data` is what it waits on, or what it ended with.
    """

    def __init__(self, coro, asyncio_names):
        self.coro = coro
        self.data = None
        self.state = True
        self.ph_key = 0
        self._asyncio = asyncio_names

    def __iter__(self):
        if not self.state:
            self.state = False  # over, and somebody has asked
        elif self.state is True:
            self.state = TaskQueue()
        elif type(self.state) is not TaskQueue:
            raise RuntimeError("can't wait")
        return self

    def __next__(self):
        if not self.state:
            raise self.data
        waiter = self._asyncio["cur_task"]
        self.state.push(waiter)
        waiter.data = self

    def done(self):
        return not self.state

    def cancel(self):
        if not self.state:
            return False
        if self is self._asyncio["cur_task"]:
            raise RuntimeError("can't cancel self")
        innermost = self
        while isinstance(innermost.data, Task):
            innermost = innermost.data
        innermost._wake_cancelled()
        return True

    def _wake_cancelled(self):
        due = self._asyncio["_task_queue"]
        if hasattr(self.data, "remove"):
            self.data.remove(self)
            due.push(self)
        elif ticks_diff(self.ph_key, ticks_ms()) > 0:
            due.remove(self)
            due.push(self)
        self.data = self._asyncio["CancelledError"]
