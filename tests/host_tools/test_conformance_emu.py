"""The same cases, unchanged, on the real image and the emulated chip."""

import json
from pathlib import Path

from click.testing import CliRunner

from host_tools.cli import main
from host_tools.conformance import case_file

PORT = "emu:sic_bo@act1999"


def test_every_case_passes_on_the_emulated_chip(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["conform", "--port", PORT, "--report", str(tmp_path), "--json"])
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert [row["id"] for row in found["cases"]] == [case.id for case in case_file.load(case_file.HOME)]
    assert {row["status"] for row in found["cases"]} == {"passed"}
    board = json.loads((tmp_path / "report.json").read_text())["board"]
    assert (board["board"], board["table"], board["edition"]) == ("rpi_pico", "sic_bo", "act1999")
