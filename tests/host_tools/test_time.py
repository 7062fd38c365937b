"""The board's clock: not known until set, set with its record, dated records, going back is noticed."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from host_tools import journal_board, journal_file
from host_tools.cli import main
from host_tools.errors import Refused
from host_tools.ports import open_port

SIC_BO = "sim:sic_bo@act1999"
NOON_MS = 1_795_003_200_000


def test_a_fresh_board_does_not_know_the_time() -> None:
    done = CliRunner().invoke(main, ["time", "get", "--port", SIC_BO, "--json"])
    assert done.exit_code == 0 and json.loads(done.stdout)["utc"] is None


def test_setting_it_dates_the_record_and_a_clock_going_back_is_noticed(tmp_path: Path) -> None:
    with open_port(SIC_BO) as session:
        assert session.link.command("time_set", utc_ms=NOON_MS)["back_ms"] == 0
        assert session.fixture
        session.fixture.run(5_000_000)
        told = session.link.command("time")
        assert told["how"] == "host" and 5000 <= told["utc_ms"] - NOON_MS < 9000
        session.link.command("open")
        assert session.link.command("time_set", utc_ms=NOON_MS)["back_ms"] >= 5000
        journal = journal_board.pull(session.link, tmp_path / "t.journal")
    events = list(journal_file.events(journal))
    opened = next(event for event in events if event["event"] == "opened")
    assert 5000 <= opened["utc_ms"] - NOON_MS < 9000
    assert [event["back_ms"] > 0 for event in events if event["event"] == "clock"] == [False, True]
    boot = next(event for event in events if event["event"] == "boot")
    assert boot["utc_ms"] < NOON_MS


def test_the_time_goes_with_the_power_and_is_not_guessed(tmp_path: Path) -> None:
    with open_port(SIC_BO) as session:
        session.link.command("time_set", utc_ms=NOON_MS)
        assert session.fixture
        session.fixture.cut()
        session.fixture.power()
        session.reconnect()
        assert session.link.command("time")["how"] == ""
        events = list(journal_file.events(journal_board.pull(session.link, tmp_path / "t.journal")))
    assert events[-1]["utc_ms"] is None and events[0]["utc_ms"] is not None
    assert (events[0]["boot"], events[-1]["boot"]) == (1, 2)
    assert (events[0]["utc_how"], events[-1]["utc_how"]) == ("host", None)


@pytest.mark.parametrize("utc_ms", [0, 1, 10**15])
def test_an_impossible_time_is_refused(utc_ms: int) -> None:
    with open_port(SIC_BO) as session, pytest.raises(Refused, match="no time of this century"):
        session.link.command("time_set", utc_ms=utc_ms)


def test_bad_times_on_the_command_line() -> None:
    for text in ("yesterday", "2026-11-18T10:00:00"):
        assert CliRunner().invoke(main, ["time", "set", "--port", SIC_BO, "--utc", text]).exit_code == 2
    done = CliRunner().invoke(
        main, ["time", "set", "--port", SIC_BO, "--utc", "2026-11-18T10:00:00Z", "--json"]
    )
    assert json.loads(done.stdout)["utc"] == "2026-11-18T10:00:00.000+00:00"


def test_show_prints_the_date(tmp_path: Path) -> None:
    path = tmp_path / "dated.journal"
    with open_port(SIC_BO) as session:
        session.link.command("time_set", utc_ms=NOON_MS)
        session.link.command("open")
        journal_board.pull(session.link, path)
    done = CliRunner().invoke(main, ["journal", "show", str(path)])
    assert done.exit_code == 0 and "2026-11-18 12:00:00" in done.output
