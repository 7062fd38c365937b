"""What a newcomer runs into: each costs one plain sentence and the right exit code."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from host_tools.errors import CannotRun, NoBoard
from host_tools.link import open_serial
from host_tools.ports import open_port

SIC_BO = "sim:sic_bo@act1999"
PITKIT = [sys.executable, "-c", "from host_tools.start import main; main()"]


def pitkit(*words: str, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PITKIT, *words],
        capture_output=True,
        text=True,
        timeout=120,
        **more,  # type: ignore[call-overload]
    )


@pytest.mark.parametrize(
    ("port", "words"),
    [
        ("/dev/no-such-port", "there is no such port"),
        ("/dev/null", "it is no serial port"),
        ("socket://127.0.0.1:1", "nobody listens there"),
    ],
)
def test_a_port_that_does_not_open_is_said_in_plain_words(port: str, words: str) -> None:
    with pytest.raises(NoBoard) as gone:
        open_serial(port)
    assert str(gone.value) == f"cannot open {port}: {words}."


def test_a_killed_board_is_said_to_be_killed() -> None:
    with open_port(SIC_BO) as session:
        assert session.backend and session.backend.pid
        os.kill(session.backend.pid, signal.SIGKILL)
        started = time.monotonic()
        with pytest.raises(NoBoard, match=r"killed \(signal 9\)"):
            session.reconnect()
        assert time.monotonic() - started < 10


def test_a_flash_of_another_size_is_not_written_over(tmp_path: Path) -> None:
    flash = tmp_path / "flash.bin"
    flash.write_bytes(b"somebody's record")
    with pytest.raises(CannotRun, match="not this board's flash"):
        open_port(f"{SIC_BO}?state={tmp_path}")
    assert flash.read_bytes() == b"somebody's record"


def test_the_list_of_cases_is_lines() -> None:
    done = pitkit("conform", "--list")
    assert done.returncode == 0 and "\\n" not in done.stdout
    assert len(done.stdout.splitlines()) >= 46


def test_a_report_that_cannot_be_written_is_said_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = pitkit("conform", "--port", SIC_BO, "--report", str(tmp_path / "file" / "report"))
    assert done.returncode == 2 and "no report can be written" in done.stderr
    assert "passed" not in done.stderr


def test_a_closed_standard_output_is_no_defect() -> None:
    command = " ".join([*map(repr, PITKIT), "conform", "--list", ">&-"])
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == ""


def test_demo_answers_in_json_too(tmp_path: Path) -> None:
    done = pitkit("demo", "--json", env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert done.returncode == 0 and done.stdout.startswith(
        '{"result": [3, 3, 4], "call": "double 3, 4; total 10"'
    )
