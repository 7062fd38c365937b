"""A host's own log of one board's events: JSON lines, each event once and in order, whatever restarts.

    {"board": "e66038b713…", "session": 1234567}       a process began; its session
    {"event": "opened", "seq": 17, "at_ms": 5012, …}   an event

An event is on the disk before it is acknowledged to the board, so what the board lets go is here.
A process that takes over finds the last number and the session before its own.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from .errors import CannotRun


class EventLog:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.last_seq = 0
        self.session = 0
        self.board = ""
        self._read()
        self._file = path.open("ab")

    def _read(self) -> None:
        """What is there; half a line at the end was never acknowledged, and goes."""
        if not self.path.exists():
            return
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            os.truncate(self.path, len(whole))
        for number, line in enumerate(whole.splitlines(), 1):
            self._take(line, number)

    def _take(self, line: bytes, number: int) -> None:
        try:
            row: dict[str, Any] = json.loads(line)
            self.last_seq = row.get("seq", self.last_seq)
            if "session" in row and "seq" not in row:
                self.session, self.board = row["session"], row["board"]
        except (ValueError, AttributeError, KeyError) as error:
            raise CannotRun(f"{self.path} is no event log (line {number}).") from error

    def begin(self, board: str, session: int) -> None:
        if self.board and board != self.board:
            raise CannotRun(f"{self.path} is the log of board {self.board}: name another file.")
        if not self.board or session != self.session:
            self.board, self.session = board, session
            self.write([{"board": board, "session": session}])

    def write(self, rows: list[dict[str, Any]]) -> None:
        """On the disk when it returns."""
        self._file.write("".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows).encode())
        self._file.flush()
        os.fsync(self._file.fileno())
        self.last_seq = next((row["seq"] for row in reversed(rows) if "seq" in row), self.last_seq)

    def close(self) -> None:
        self._file.close()
