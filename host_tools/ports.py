"""What `--port` may say, opened: a device, a serial URL, `auto`, `sim:TABLE`, `emu:TABLE`.

A session is a link to a board and, where the board is simulated or emulated, the fixture
that moves its pins. The tool starts and stops those itself. A fresh one is configured over
its own line with the table's defaults, as a person would configure a new board.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from serial.tools import list_ports

from firmware import faults
from firmware.journal.meters import TEST

from .errors import CannotRun, NoBoard
from .fixture import Fixture
from .link import Link
from .targets import BOARDS_DIR, TABLES, Target, parse_target, wiring


class Backend(Protocol):
    """A board this tool started: host_tools.simulator or host_tools.emulator."""

    port: str
    fixture_address: tuple[str, int]

    @property
    def crashed(self) -> str | None: ...

    @property
    def pid(self) -> int | None: ...

    def stop(self) -> None: ...


@dataclass
class Session:
    name: str
    link: Link
    fixture: Fixture | None = None
    backend: Backend | None = None
    notices: list[str] = field(default_factory=list)

    @property
    def port(self) -> str:
        return self.backend.port if self.backend else self.name

    @property
    def fixture_address(self) -> tuple[str, int] | None:
        return self.backend.fixture_address if self.backend else None

    def reconnect(self) -> None:
        """A new link to the same board, after it was without power."""
        role = self.link.role
        self.link.close()
        if self.backend:
            self.link = _connect_started(self.backend, role)
        else:
            self.link = Link.connect(self.port, role, patience_s=20)

    def close(self) -> None:
        self.link.close()
        if self.fixture:
            self.fixture.close()
        if self.backend:
            self.backend.stop()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_port(text: str | None, role: str = "dealer", realtime: bool = False) -> Session:
    if not text:
        raise CannotRun("say which board: --port (or PITKIT_PORT); sim:sic_bo@act1999 needs none.")
    if text.startswith(("sim:", "emu:")):
        return _open_started(text, parse_target(text), role, realtime)
    if text == "auto":
        text = only_board()
    session = Session(text, Link.connect(text, role))
    _notices(session)
    return session


def only_board() -> str:
    """The one board found; a clear list where there are several."""
    found = [port.device for port, _ in attached()]
    if len(found) == 1:
        return str(found[0])
    if not found:
        raise NoBoard("no board is attached; --port names a device, sim:sic_bo@act1999 needs none.")
    raise CannotRun(f"several boards are attached: {', '.join(found)}; name one with --port.")


def attached() -> list[tuple[Any, str]]:
    """(serial port, board name) of everything whose USB id a board.json knows; boards may share one."""
    known: dict[tuple[int, int], str] = {}
    for path in sorted(BOARDS_DIR.glob("*/board.json")):
        for row in json.loads(path.read_text(encoding="utf-8")).get("usb", []):
            id_ = int(row["vid"], 16), int(row["pid"], 16)
            known[id_] = f"{known[id_]} or {path.parent.name}" if id_ in known else path.parent.name
    ids = [((port.vid, port.pid), port) for port in list_ports.comports()]
    return [(port, known[id_]) for id_, port in ids if id_ in known]


def start(target: Target, realtime: bool = False) -> Backend:
    """The board itself, running, not yet spoken to."""
    if target.kind == "sim":
        from .simulator import Simulator

        return Simulator(
            wiring("unix", target.table, target.parts),
            state_dir=target.state,
            realtime=realtime,
            frozen=target.frozen,
        )
    from .emulator import Emulator
    from .image import build

    return Emulator(
        wiring("rpi_pico", target.table, target.parts),
        build("rpi_pico").uf2,
        state_dir=target.state,
        realtime=realtime,
        flash=target.flash,
    )


def _open_started(text: str, target: Target, role: str, realtime: bool) -> Session:
    backend = start(target, realtime)
    try:
        link = _connect_started(backend, role)
        session = Session(text, link, Fixture(backend.fixture_address), backend)
        _configure(session, target)
        _notices(session)
        return session
    except BaseException:
        backend.stop()
        raise


def _connect_started(backend: Backend, role: str) -> Link:
    """A board we started has half a minute to answer, unless it is known to have stopped."""
    for _ in range(15):
        try:
            return Link.connect(backend.port, role, patience_s=2)
        except NoBoard:
            if backend.crashed:
                raise NoBoard(f"the board does not run: {backend.crashed}.") from None
    raise NoBoard(f"the board behind {backend.port} started but does not answer.")


def _configure(session: Session, target: Target) -> None:
    identity = session.link.identity
    if not identity["table"]:
        text = json.dumps(target.config, sort_keys=True, separators=(",", ":"))
        session.link.write_config(text.encode())
        return
    held = identity["table"], identity["edition"]
    if held != (TABLES[target.table], target.edition):
        asked = f"{target.table}@{target.edition}"
        raise CannotRun(f"{target.state} holds a board set up as {held[0]}@{held[1]}, not {asked}.")


# what an event of the last start says of a round that the power cut short
AFTER_A_CUT: dict[str, Callable[[dict[str, Any]], str]] = {
    "voided": lambda e: (
        f"round {e['round']} was cut short and is void ({e['cause']}, {e['rule']}): "
        f"{e['wagers']} wagers, ${e['returned'] / 100:,.2f} go back."
    ),
    "settled": lambda e: (
        f"round {e['round']} had its result before the cut and is settled: "
        f"{e['wagers']} wagers, ${e['returned'] / 100:,.2f} go back."
    ),
}


def _notices(session: Session) -> None:
    identity = session.link.identity
    if not identity["provisioned"]:
        session.notices.append("the board is not provisioned: every role may do everything.")
    if identity["fault"]:
        detail = session.link.command("status")["detail"]
        session.notices.append(f"the board has a fault: {faults.words(identity['fault'], detail)}.")
    if session.link.command("meters")["flags"] & TEST:
        session.notices.append("the board is in test mode: no meter moves (pitkit test off).")
    if identity["boot"] > 1:
        session.notices.extend(_after_a_cut(session.link))


def _after_a_cut(link: Link) -> list[str]:
    """What this start made of the round before: the events right behind its boot record."""
    said: list[str] = []
    rounds_before = False  # what a later round came to is no matter of the cut
    link.follow(max(link.identity["first_event"], link.identity["next_event"] - 8))
    for event in link.events(0.5):
        if event["event"] == "boot":
            said, rounds_before = [], True
        elif event["event"] == "opened":
            rounds_before = False
        elif rounds_before and event["event"] in AFTER_A_CUT:
            said.append(AFTER_A_CUT[event["event"]](event))
        if event["seq"] >= link.identity["next_event"] - 1:
            break
    link.next_event = None
    return said
