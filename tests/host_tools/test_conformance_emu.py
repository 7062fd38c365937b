"""The same cases, unchanged, on the real image and the emulated chip."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from host_tools.cli import main
from host_tools.conformance import case_file
from host_tools.ports import open_port

# of the other editions, those that differ most; make bench-long runs every case of every edition
QUEENSLAND = ("qld-uncovered*", "qld-corrected*", "qld-power-cut-while-cleared", "qld1985-notice*")


def conform(folder: Path, port: str, *patterns: str) -> dict[str, Any]:
    chosen = [word for pattern in patterns for word in ("--case", pattern)]
    result = CliRunner().invoke(main, ["conform", "--port", port, "--report", str(folder), "--json", *chosen])
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_every_case_passes_on_the_emulated_chip(tmp_path: Path) -> None:
    ours = [case.id for case in case_file.load(case_file.HOME) if "act1999" in case.editions]
    found = conform(tmp_path, "emu:sic_bo@act1999", *ours)
    assert [row["id"] for row in found["cases"]] == ours
    assert {row["status"] for row in found["cases"]} == {"passed"}
    board = json.loads((tmp_path / "report.json").read_text())["board"]
    assert (board["board"], board["table"], board["edition"]) == ("rpi_pico", "sic_bo", "act1999")


def test_another_edition_passes_there_too(tmp_path: Path) -> None:
    found = conform(tmp_path, "emu:sic_bo@qld1985", *QUEENSLAND)
    assert {row["status"] for row in found["cases"]} == {"passed"} and len(found["cases"]) >= 8


def test_pixels_that_have_not_changed_for_ten_minutes_change_at_once() -> None:
    """Ticks come round after nine: a driver that waits for its last picture must not wait for that."""
    with open_port("emu:sic_bo@qld1985?parts=ws2812") as session:
        assert session.fixture
        boot = session.link.identity["boot"]
        session.link.command("open")
        session.fixture.run(600_000_000)
        session.link.command("activate")
        session.link.command("no_spin", cause="malfunction")
        assert session.link.identify()["boot"] == boot
