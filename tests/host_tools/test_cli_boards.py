"""The commands against boards: the simulated one, one that is not ours, and none at all."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from host_tools import link
from host_tools.cli import main
from host_tools.fixture import Fixture
from host_tools.link import Link

PORT = "sim:sic_bo@act1999"
STAND = [sys.executable, "-m", "host_tools.cli"]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@contextmanager
def standing(*options: str, kind: str = "sim") -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """`pitkit sim` (or emu), up; its process and what it printed."""
    command = [*STAND, kind, "sic_bo@act1999", "--json", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield process, json.loads(process.stdout.readline())
        finally:
            process.kill()


@contextmanager
def stranger(data: bytes) -> Iterator[str]:
    """A port where something else lives: it sends this over and over, whatever it hears."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        done = threading.Event()

        def talk() -> None:
            with server.accept()[0] as connection:
                while not done.wait(0.05):
                    try:
                        connection.sendall(data)
                    except OSError:
                        return

        thread = threading.Thread(target=talk, daemon=True)
        thread.start()
        yield f"socket://127.0.0.1:{server.getsockname()[1]}"
        done.set()
        thread.join(5)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link.Link.connect.__func__, "__defaults__", ("dealer", 0.5))  # type: ignore[attr-defined]


# -- no board


def test_a_port_that_is_not_there_is_3() -> None:
    result = run("monitor", "--port", "/dev/no-such-port")
    assert result.exit_code == 3
    assert result.stderr.startswith("pitkit: cannot open /dev/no-such-port: ")
    assert result.stderr.count("\n") == 1


def test_a_port_that_hangs_up_is_3() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = f"socket://127.0.0.1:{server.getsockname()[1]}"
    assert run("monitor", "--port", port).exit_code == 3


@pytest.mark.parametrize("data", [b"", b"\x00\xff\x07garbage\x00", b"OK\r\n>>> "])
@pytest.mark.usefixtures("impatient")
def test_a_port_that_is_not_ours_is_3(data: bytes) -> None:
    with stranger(data) as port:
        result = run("config", "get", "--port", port)
    assert result.exit_code == 3
    assert result.stderr == f"pitkit: no pitkit board answered on {port}.\n"


def test_what_is_no_port_is_2() -> None:
    for port in ("nonsense://x", "sim:faro", "sim:sic_bo@act1999?colour=red", ""):
        assert run("monitor", "--port", port).exit_code == 2, port


# -- the simulated board


def test_monitor_tells_the_record_from_its_start() -> None:
    result = run("monitor", "--port", PORT, "--from", "0", "--count", "1", "--json")
    assert result.exit_code == 0
    (line,) = result.stdout.splitlines()
    assert json.loads(line) | {"at_ms": 0, "firmware": ""} == {
        "event": "boot", "seq": 1, "at_ms": 0, "count": 1, "cause": 1, "firmware": "", "config": "", "torn": 0
    }  # fmt: skip


def test_a_configuration_is_kept_from_run_to_run(tmp_path: Path) -> None:
    port = f"{PORT}?state={tmp_path / 'flash'}"
    assert run("config", "set", "timing.turns=7", "table.casino=Café", "--port", port).exit_code == 0
    got = run("config", "get", "--port", port, "--json")
    kept = json.loads(got.stdout)
    assert (kept["timing"]["turns"], kept["table"]["casino"]) == (7, "Café")
    file = tmp_path / "table.toml"
    file.write_text(run("config", "get", "--port", port).stdout)
    assert run("config", "diff", str(file), "--port", port).exit_code == 0


def test_sim_stays_up_for_others_until_it_is_told() -> None:
    with standing() as (process, facts):
        assert (facts["table"], facts["edition"]) == ("sic_bo", "act1999")
        host, _, number = facts["fixture"].partition(":")
        with Fixture((host, int(number))) as fixture:
            assert fixture.lamps() == []
        with Link.connect(facts["port"]) as board:
            assert board.identity["table"] == "sic_bo"
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    assert not alive(facts["pid"])


def test_ctrl_c_ends_sim_with_130_and_takes_the_board_along() -> None:
    with standing() as (process, facts):
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert process.stderr
        assert "Traceback" not in process.stderr.read()
    assert not alive(facts["pid"])


def test_a_configuration_is_refused_under_play() -> None:
    with standing() as (_, facts):
        with Link.connect(facts["port"]) as board:
            board.command("open")
        result = run("config", "set", "timing.turns=5", "--port", facts["port"])
    assert result.exit_code == 4
    assert "a round is under way" in result.stderr
    assert result.stdout == ""


def test_a_board_killed_mid_round_is_3_and_the_next_start_says_what_became_of_it(tmp_path: Path) -> None:
    with standing("--state", str(tmp_path / "my flash")) as (process, facts):
        with Link.connect(facts["port"]) as board:
            board.command("open")
            board.command("wager", ref=1, code="small", stake=1250, player="p1")
            board.command("activate")
        os.kill(facts["pid"], signal.SIGKILL)
        assert process.wait(10) == 3
        assert process.stderr
        assert process.stderr.read().splitlines()[-1].startswith("pitkit: the board stopped")
    result = run("monitor", "--port", f"{PORT}?state={tmp_path / 'my flash'}", "--for", "0.1")
    assert result.exit_code == 0
    assert "round 1 was cut short and is void (power_lost, act sicbo 10.4)" in result.stderr
    assert "$12.50" in result.stderr


def test_a_board_lost_while_watched_is_3() -> None:
    with standing() as (process, facts):
        command = [sys.executable, "-m", "host_tools.cli", "monitor", "--port", facts["port"]]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as watching:
            assert watching.stderr
            assert "provisioned" in watching.stderr.readline()
            process.terminate()
            process.wait(10)
            assert watching.wait(20) == 3
            assert watching.stderr.read().startswith("pitkit: ")


def test_emu_stays_up_and_a_chip_that_is_gone_is_3() -> None:
    with standing(kind="emu") as (process, facts):
        assert facts["port"].startswith("socket://127.0.0.1:")
        with Link.connect(facts["port"]) as board:
            assert board.identity["board"] == "rpi_pico"
        os.kill(facts["pid"], signal.SIGKILL)
        assert process.wait(10) == 3
        assert process.stderr
        assert "process" in process.stderr.read().splitlines()[-1]


def test_emu_ends_when_it_is_told() -> None:
    with standing(kind="emu") as (process, facts):
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    assert not alive(facts["pid"])


def alive(pid: int) -> bool:
    """Whether the process is still there, given a moment to leave."""
    for _ in range(20):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.05)
    return True
