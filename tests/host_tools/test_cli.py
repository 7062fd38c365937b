"""The command line's manners: help, usage errors, exit codes, one sentence for each failure."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import host_tools
from firmware import faults
from host_tools import cli, ports
from host_tools.commands import monitor
from host_tools.commands.options import plain
from host_tools.errors import BoardFault, CannotRun, NoBoard, PitkitError, Refused

IDENTITY = {"board": "rpi_pico", "table": "sic_bo", "edition": "act1999", "boot_nonce": 1, "next_event": 3}
VOIDED = {"round": 7, "cause": "exposed", "rule": "act sicbo 8.3", "wagers": 2, "returned": 123450}
EVENTS = [
    {"event": "opened", "seq": 3, "at_ms": 3_723_004, "round": 7, "game": "sic_bo", "edition": "act1999"},
    {"event": "voided", "seq": 4, "at_ms": 5, **VOIDED},
    {"event": "fault", "seq": 5, "at_ms": 6, "code": 21, "detail": ""},
    {"event": "event_77", "seq": 6, "at_ms": 7, "raw": "00\x1b[2J"},
]


def run(*arguments: str, **kwargs: Any) -> Result:
    return CliRunner().invoke(cli.main, list(arguments), **kwargs)


class FakeLink:
    """A board that answers from a list and can restart."""

    def __init__(self, events: list[dict[str, Any]], error: Exception | None = None) -> None:
        self.identity: dict[str, Any] = dict(IDENTITY)
        self.next_event: int | None = 0
        self.waiting = list(events)
        self.error = error
        self.followed: list[int | None] = []
        self.config = b'{"table":{"edition":"act1999","game":"sic_bo"}}'

    def follow(self, event: int | None = None) -> None:
        self.followed.append(event)

    def identify(self) -> dict[str, Any]:
        return self.identity

    def events(self, timeout_s: float) -> Iterator[dict[str, Any]]:
        if self.error:
            raise self.error
        while self.waiting:
            yield self.waiting.pop(0)

    def read_config(self) -> bytes:
        return self.config

    def write_config(self, data: bytes) -> dict[str, Any]:
        if self.error:
            raise self.error
        self.config = data
        return {"hash": "cafe", "due_ms": 0, "rule": "", "withdrawn": 0}


class FakeSession(SimpleNamespace):
    def __enter__(self) -> "FakeSession":
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> FakeSession:
    session = FakeSession(
        link=FakeLink(EVENTS), notices=["the board is not provisioned."], name="fake", closed=False
    )

    def open_port(text: str, role: str, realtime: bool) -> FakeSession:
        session.asked = (text, role)
        return session

    monkeypatch.setattr(ports, "open_port", open_port)
    return session


def every_command(command: click.Command, path: list[str]) -> Iterator[tuple[list[str], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child
            yield from every_command(child, [*path, name])


# -- help and usage


def test_every_command_has_help_with_an_example() -> None:
    paths = [path for path, _ in every_command(cli.main, [])]
    assert ["config", "apply"] in paths
    for path in paths:
        result = run(*path, "--help")
        assert result.exit_code == 0
        assert "Example" in result.stdout, path
        assert "pitkit" in result.stdout


def test_every_leaf_takes_json_and_every_board_command_port_and_role() -> None:
    talks = {"monitor", "conform", "get", "set", "apply", "diff"}
    for path, command in every_command(cli.main, []):
        options = {name for parameter in command.params for name in parameter.opts}
        if not isinstance(command, click.Group) and path != ["demo"]:
            assert "--json" in options, path
        if path and path[-1] in talks:
            assert {"--port", "--as"} <= options, path


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["settle", "--nonsense"],
        ["monitor", "--count", "0"],
        ["monitor", "--count", "many"],
        ["monitor", "--for", "0"],
        ["monitor", "--from", "-1"],
        ["config"],
        ["config", "set"],
        ["config", "apply"],
        ["conform", "--as", "king"],
        ["image", "build"],
        ["sim"],
        ["settle", "a", "b"],
    ],
)
def test_usage_errors_exit_2(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


def test_the_version_is_told() -> None:
    assert run("--version").stdout == f"pitkit {host_tools.__version__}\n"


def test_sim_and_image_refuse_what_is_no_table() -> None:
    for table in ("sic_bo?state=x", "faro", "sic_bo@cgr1993", "sic_bo@mars", ""):
        result = run("sim", table)
        assert result.exit_code == 2, table
        assert result.stderr.count("\n") == 1
    for table in ("sim:sic_bo", "faro", "roulette"):
        assert run("image", "build", "--board", "rpi_pico", "--table", table).exit_code == 2
    result = run("image", "build", "--board", "abacus")
    assert result.exit_code == 2
    assert "known: rpi_pico" in result.stderr


# -- errors become words


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (PitkitError("a case failed."), 1),
        (CannotRun("the file is bad."), 2),
        (NoBoard("the link was lost."), 3),
        (Refused("no wager now", "too_late", "act sicbo 4.5"), 4),
        (BoardFault("the seal is open."), 5),
    ],
)
def test_each_error_is_one_sentence_and_its_exit_code(
    board: FakeSession, error: PitkitError, code: int
) -> None:
    board.link = FakeLink([], error)
    result = run("monitor", "--for", "5")
    assert result.exit_code == code
    assert result.stderr == f"the board is not provisioned.\npitkit: {error}\n"
    assert board.closed


def test_a_defect_is_no_traceback_unless_asked_for(
    board: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    board.link = FakeLink([], ZeroDivisionError("division by zero"))
    result = run("monitor")
    assert result.exit_code == 1
    assert "Traceback" not in result.stderr
    assert "PITKIT_DEBUG=1" in result.stderr
    board.link = FakeLink([], ZeroDivisionError("division by zero"))
    monkeypatch.setenv("PITKIT_DEBUG", "1")
    assert "Traceback" in run("monitor").stderr


def test_what_the_system_refuses_is_one_sentence(board: FakeSession) -> None:
    board.link = FakeLink([], OSError(28, "No space left on device", "/dev/full"))
    result = run("monitor")
    assert result.exit_code == 2
    assert result.stderr.endswith("pitkit: /dev/full: No space left on device.\n")


def test_an_interrupt_is_130_and_closes_the_board(
    board: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: float) -> Iterator[dict[str, Any]]:
        raise KeyboardInterrupt

    monkeypatch.setattr(board.link, "events", interrupted)
    result = run("monitor")
    assert result.exit_code == 130
    assert board.closed


def test_a_message_cannot_move_the_cursor() -> None:
    assert plain("a\x1b[2Jb\n\u202e") == "a\\x1b[2Jb\\n\\u202e"


# -- monitor


def test_monitor_in_words(board: FakeSession) -> None:
    result = run("monitor", "--count", "4", "--from", "0")
    assert result.exit_code == 0
    assert board.link.followed == [0]
    assert board.asked == ("auto", "observe")
    assert result.stdout.splitlines() == [
        "     3  01:02:03.004  round 7 is open: sic_bo act1999",
        "     4  00:00:00.005  round 7 is void, exposed (act sicbo 8.3): 2 wagers, $1,234.50 back",
        "     5  00:00:00.006  FAULT seal_broken: " + faults.words(faults.SEAL_BROKEN),
        "     6  00:00:00.007  event_77 raw=00\\x1b[2J",
    ]


def test_monitor_in_json_lines(board: FakeSession) -> None:
    result = run("monitor", "--count", "2", "--json", "--as", "dealer", env={"PITKIT_PORT": "/dev/ttyX"})
    assert [json.loads(line) for line in result.stdout.splitlines()] == EVENTS[:2]
    assert board.asked == ("/dev/ttyX", "dealer")


def test_monitor_ends_in_time_and_follows_a_board_that_restarted(
    board: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = board.link
    link.next_event = 9
    monkeypatch.setattr(link, "identify", lambda: link.identity | {"boot_nonce": 2})
    result = run("monitor", "--for", "0.2", "--json")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == len(EVENTS)
    assert link.followed[:2] == [None, 9]
    assert "restarted" in result.stderr


def test_every_event_there_is_has_words() -> None:
    from firmware.protocol.messages import EVENTS as TABLE

    for name, fields in TABLE.values():
        event = {"event": name, "seq": 1, "at_ms": 0, **{field: 1 for field, _ in fields}}
        if name == "fault":
            event["detail"] = ""
        assert name in monitor.WORDS or name == "fault"
        assert monitor.words(event)


# -- config against a board


def test_config_get_in_both_forms(board: FakeSession) -> None:
    assert run("config", "get").stdout == '[table]\nedition = "act1999"\ngame = "sic_bo"\n'
    assert json.loads(run("config", "get", "--json").stdout) == {
        "table": {"game": "sic_bo", "edition": "act1999"}
    }
    board.link.config = b""
    assert run("config", "get").exit_code == 2


def test_config_set_and_apply_and_diff(board: FakeSession, tmp_path: Any) -> None:
    assert run("config", "set", "timing.turns=5", "limits.small=[100,200]").exit_code == 0
    assert json.loads(board.link.config)["timing"] == {"turns": 5}
    file = tmp_path / "table.toml"
    file.write_text(run("config", "get").stdout)
    assert run("config", "diff", str(file)).exit_code == 0
    file.write_text(file.read_text().replace("turns = 5", "turns = 6"))
    result = run("config", "diff", str(file), "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["differences"] == [{"key": "timing.turns", "board": 5, "file": 6}]
    applied = run("config", "apply", str(file), "--json")
    assert json.loads(applied.stdout) == {
        "applied": True,
        "hash": "cafe",
        "table": "sic_bo",
        "edition": "act1999",
    }
    assert run("config", "diff", str(file)).exit_code == 0


def test_a_bad_configuration_never_reaches_the_board(board: FakeSession, tmp_path: Any) -> None:
    before = board.link.config
    file = tmp_path / "table.toml"
    file.write_text('[table]\ngame = "sic_bo"\nedition = "act1999"\n[timing]\nturms = 4\n')
    for arguments in (["apply", str(file)], ["diff", str(file)], ["set", "timing.turms=4"]):
        result = run("config", *arguments)
        assert result.exit_code == 2
        assert "timing.turms: no such key" in result.stderr
    assert board.link.config == before


def test_a_board_under_play_refuses_with_4(board: FakeSession, tmp_path: Any) -> None:
    board.link.error = Refused("a round is under way: configure the table when it is over", "wrong_state")
    result = run("config", "set", "timing.turns=5")
    assert result.exit_code == 4
    assert result.stderr.endswith("pitkit: a round is under way: configure the table when it is over.\n")


# -- as a process


def test_a_polite_kill_unwinds() -> None:
    code = (
        "import host_tools.ports as p, os, signal\n"
        "def open_port(*a, **k): os.kill(os.getpid(), signal.SIGTERM)\n"
        "p.open_port = open_port\n"
        "from host_tools.cli import main\n"
        "main(['monitor'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=30)
    assert done.returncode == 128 + signal.SIGTERM
    assert done.stderr == b""


def test_settle_starts_without_what_it_does_not_need() -> None:
    code = (
        "import sys; from host_tools.cli import main; main.get_command(None, 'settle'); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "click" in done.stdout.split()
    assert not {"serial", "rich"} & set(done.stdout.split())
