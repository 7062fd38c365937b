"""Parts that are not lamps or digits: keys as a matrix, a motor, the shunt, a display on a serial line.

Models for parts.py, which fits them by their kind in board.json. They know no game.
"""

from clock import board_clock
from pins import by_name
from serial_parts import UART

FULL_SCALE_MV = 3300
DEAD_US = 500  # a bridge that is turned round sooner shorts the supply


class KeyMatrix:
    """Switches between rows and columns, no diodes: what is closed conducts both ways."""

    def __init__(self, part):
        self._rows = [by_name[name] for name in part["rows"]]
        self._columns = [by_name[name] for name in part["columns"]]
        self._keys = [by_name[name] for name in part["keys"]]
        for pin in self._rows:
            pin.pulled_up = True  # let go, a row is high through a column's pull-up
            pin.settle()
        for wire in self._rows + self._keys:
            wire.listener = self._conduct

    def _conduct(self, _):
        width = len(self._columns)
        closed = [divmod(n, width) for n, key in enumerate(self._keys) if not key.level]
        rows = {n for n, pin in enumerate(self._rows) if not pin.level}
        columns = set()
        while True:
            reached = {c for r, c in closed if r in rows}
            back = rows | {r for r, c in closed if c in reached}
            if reached == columns and back == rows:
                break
            columns, rows = reached, back
        for n, pin in enumerate(self._columns):
            pin.held_low = n in columns
            pin.settle()

    def state(self):
        return None

    def restore(self, state):
        pass


class MotorDrive:
    """A gate, or the two inputs of an H-bridge: which way it drives, and how often it was shorted."""

    def __init__(self, part):
        self._first = by_name[part.get("gate") or part["forward"]]
        self._second = by_name[part["back"]] if "back" in part else None
        self._drove, self._ended_us, self._shorts = 0, 0, 0
        for pin in (self._first, self._second):
            if pin:
                pin.listener = self._moved

    def way(self):
        """1, -1, or 0: it is not driven."""
        return self._first.level - (self._second.level if self._second else 0)

    def _moved(self, _):
        now_us, way = board_clock.now_us(), self.way()
        if way == 0:
            self._ended_us = now_us
        elif self._drove and way != self._drove and now_us - self._ended_us < DEAD_US:
            self._shorts += 1
        self._drove = way or self._drove

    def told(self):
        both = bool(self._second and self._first.level and self._second.level)
        return {"way": self.way(), "brake": both, "shorts": self._shorts}

    def state(self):
        return None

    def restore(self, state):
        pass


class Shunt:
    """The lamps' common return: a voltage for as many lamps as draw current."""

    def __init__(self, part, drawing):
        self._drawing = drawing  # function() -> how many
        self._mv = part["lamp_ma"] * part["shunt_mohm"] / 1000
        by_name[part["sense"]].noisy = self

    def sample(self):
        return min(int(self._drawing() * self._mv * 65535 / FULL_SCALE_MV), 65535)

    def state(self):
        return None

    def restore(self, state):
        pass


class LineDisplay:
    """Hears what goes out on the wire."""

    def __init__(self, part):
        self._tx = by_name[part["tx"]]

    def told(self):
        text, baud = UART.sent.get(self._tx.id, (b"", 0))
        return {"text": bytes(text).decode(), "baud": baud}

    def state(self):
        return None

    def restore(self, state):
        pass
