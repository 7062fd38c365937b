"""A firmware that fails or hangs with the motor on: it is off at once, or when the watchdog bites."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from host_tools.fixture import Fixture
from host_tools.link import Link
from host_tools.simulator import Simulator
from host_tools.targets import wiring

# It fails at the press of a key; and then all that a table would do about its devices fails too.
FAILS = """
import machine
from firmware import main

class Fails(main.Machine):
    def step(self):
        super().step()
        if hasattr(self.table, "parts") and self.table.parts.panel.closed("key1"):
            self.table.stop_devices = None
            HOW

if machine.reset_cause() != machine.WDT_RESET:  # at its first start only
    main.Machine = Fails
main.run()
"""


@contextmanager
def running(folder: Path, how: str, parts: tuple[str, ...] = ()) -> Iterator[tuple[Simulator, Fixture]]:
    """A table with its motor on that fails when key 1 is pressed."""
    script = folder / "fails.py"
    script.write_text(FAILS.replace("HOW", how))
    drive = b',"motor":{"drive":"h_bridge"}' if parts else b""
    with Simulator(wiring("unix", "sic_bo", parts), script=script) as board:
        link = Link.connect(board.port, patience_s=10)
        link.write_config(b'{"table":{"game":"sic_bo","edition":"act1999"}%s}' % drive)
        link.command("open")
        link.command("activate")
        link.close()
        fixture = Fixture(board.fixture_address)
        assert fixture.motor()["way"] == 1
        yield board, fixture
        fixture.close()


@pytest.mark.parametrize("parts", [(), ("h_bridge",)])
def test_an_error_of_our_own_switches_it_off_first(tmp_path: Path, parts: tuple[str, ...]) -> None:
    with running(tmp_path, "raise KeyError('loose wire')", parts) as (_, fixture):
        fixture.set("key1", 0)
        since_us = fixture.now()
        fixture.run(1_500_000)
        assert fixture.motor() == {"way": 0, "brake": False, "shorts": 0}
        assert fixture.now() - since_us < 4_000_000, "by the crash, not by the start after it"


def test_a_hang_ends_with_the_watchdog_and_the_motor_off(tmp_path: Path) -> None:
    with running(tmp_path, "while True: pass") as (board, fixture):
        fixture.set("key1", 0)
        time.sleep(3)
        again = Link.connect(board.port, patience_s=60)
        assert (again.identity["boot"], fixture.motor()["way"]) == (2, 0)
        again.close()
