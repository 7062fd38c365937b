"""A board on the emulated chip, as the tests of this folder use it: fixture and raw REPL in one hand."""

from pathlib import Path
from typing import Any

from mpremote.transport_serial import SerialTransport

from host_tools.emulator import Emulator
from host_tools.fixture import Fixture


class Bench:
    """One emulated board with its fixture; `python` runs lines on it and answers what they printed."""

    def __init__(self, wiring: dict[str, Any], uf2: Path, **options: Any) -> None:
        self.emulator = Emulator(wiring, uf2, **options)
        self.fixture = Fixture(self.emulator.fixture_address)
        self._transport: SerialTransport | None = None

    def python(self, code: str) -> str:
        if self._transport is None:
            self._transport = SerialTransport(self.emulator.port, 115200)
            self._transport.enter_raw_repl(soft_reset=False)
        return self._transport.exec(code).decode().strip()

    def start_python(self, code: str) -> None:
        """Starts lines that do not end by themselves, or end the chip."""
        self.python("")
        assert self._transport
        self._transport.exec_raw_no_follow(code)

    def hang_up(self) -> None:
        """Closes the port; the next lines open it anew."""
        if self._transport:
            self._transport.close()
            self._transport = None

    def close(self) -> None:
        self.hang_up()
        self.fixture.close()
        self.emulator.stop()
