"""The fixture's client: moves wires and board time on a simulated or an emulated board.

One JSON line out, one back. An operation the bench refuses is a PitkitError with its sentence;
a bench that is gone is NoBoard. The operations are the ones INTERFACES names, one method each.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterable
from operator import itemgetter
from types import TracebackType
from typing import Any

from .errors import NoBoard, PitkitError

Edge = tuple[int, str, int]
RUN_LIMIT_S = 120.0
GROUP = 1000  # edges in a line: a board's memory holds a line at a time


class Fixture:
    def __init__(self, address: tuple[str, int], limit_s: float = 10.0) -> None:
        self._limit_s = limit_s
        try:
            self._socket = socket.create_connection(address, timeout=limit_s)
        except OSError as error:
            raise NoBoard(f"there is no fixture at {address[0]}:{address[1]}: {error.strerror}.") from error
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._answers = self._socket.makefile("rb")

    def __enter__(self) -> Fixture:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def op(self, name: str, *, limit_s: float | None = None, **fields: Any) -> dict[str, Any]:
        """Sends one operation and answers its fields; `limit_s` is how long it may take."""
        return self._ask(json.dumps({"op": name, **fields}), limit_s or self._limit_s)

    def _ask(self, request: str, limit_s: float) -> dict[str, Any]:
        answer = self._exchange(request, limit_s)
        if not answer.pop("ok", False):
            raise PitkitError(answer.get("error", "the fixture answered without a reason"))
        return answer

    def _exchange(self, request: str, limit_s: float) -> dict[str, Any]:
        try:
            self._socket.settimeout(limit_s)
            self._socket.sendall(request.encode() + b"\n")
            line = self._answers.readline()
        except TimeoutError as error:
            self.close()  # a late answer would be taken for the next one's
            raise NoBoard(f"the fixture did not answer within {limit_s:g} s.") from error
        except (OSError, ValueError) as error:
            raise NoBoard("the connection to the fixture is gone.") from error
        if not line.endswith(b"\n"):
            raise NoBoard("the connection to the fixture is gone.")
        return _parse(line)

    def set(self, pin: str, level: int | None) -> None:
        self.op("set", pin=pin, level=level)

    def schedule(self, edges: Iterable[Edge]) -> int:
        """Any number of edges. The soonest go first, so that where one lies in the past none is set."""
        ordered = sorted(edges, key=itemgetter(0))
        groups = [ordered[i : i + GROUP] for i in range(0, len(ordered), GROUP)] or [[]]
        return sum(int(self.op("schedule", edges=group)["count"]) for group in groups)

    def read(self, pin: str) -> int:
        return int(self.op("read", pin=pin)["level"])

    def lamps(self) -> list[str]:
        return list(self.op("lamps")["lamps"])

    def rgb(self) -> dict[str, list[int]]:
        """Colours of the lit lamps, where lamps have colours."""
        return dict(self.op("lamps").get("rgb", {}))

    def display(self) -> str:
        return str(self.op("display")["text"])

    def motor(self) -> dict[str, Any]:
        """way: 1, -1 or 0, it is not driven; brake; shorts: how often a bridge was turned round too fast."""
        return self.op("motor")

    def line(self) -> str:
        """All that went out on the result line since the power came."""
        return str(self.op("line")["text"])

    def lamp_fails(self, area: str, how: str = "dark") -> None:
        """Its lamp is dead (dark), or burns all the time (lit)."""
        self.op("lamp_fails", area=area, how=how)

    def lamp_works(self, area: str) -> None:
        self.op("lamp_works", area=area)

    def adc(self, pin: str, value: int, noise: int = 0, seed: int = 1) -> None:
        """16 bits; noise is the deviation of a normal noise around the value."""
        noisy = {"noise": noise, "seed": seed} if noise else {}
        self.op("adc", pin=pin, value=value, **noisy)

    def rosc(self, mode: str, **fields: Any) -> None:
        """The noise: healthy, stuck (level=), biased (ones=, seed=), sticky (stays=); sim: file (file=)."""
        self.op("rosc", mode=mode, **fields)

    def now(self) -> int:
        return int(self.op("now")["us"])

    def run(self, us: int, run_limit_s: float = RUN_LIMIT_S) -> int:
        """Lets board time pass; under a real-time clock that takes as long as it says.

        A run that takes more than run_limit_s of wall time fails, and says where the chip was.
        """
        request = json.dumps({"op": "run", "us": us, "limit_s": run_limit_s})
        return int(self._ask(request, run_limit_s + us / 1e6 + self._limit_s)["us"])

    def cut(self) -> None:
        self.op("cut")

    def unplug(self) -> None:
        """Pulls the USB cable; the board keeps its power, the link's client is closed."""
        self.op("unplug")

    def plug(self) -> None:
        self.op("plug")

    def cut_at(self, operation: int, bytes_done: int, seed: int = 1) -> None:
        """Cuts the power in a flash operation, counted from 1, with so many of its bytes done.

        A program leaves its first bytes written. Of an erase done to a share p, each 0 has become a 1
        with chance p, by the seed.
        """
        self.op("cut_at", operation=operation, bytes=bytes_done, seed=seed)

    def wear(self) -> dict[int, int]:
        """Erases by sector."""
        return {int(sector): int(erases) for sector, erases in self.op("wear")["erases"].items()}

    def power(self) -> None:
        self.op("power")

    def close(self) -> None:
        self._answers.close()
        self._socket.close()


def _parse(line: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise NoBoard("what answers there is no fixture.")
    return answer
