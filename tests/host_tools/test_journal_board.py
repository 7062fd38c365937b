"""The record between board and host: pulled on and on, marked, recalled, carried to a spare board."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from host_tools import journal_board, journal_check, journal_file
from host_tools.cli import main
from host_tools.errors import NoBoard, Refused
from host_tools.link import Link
from host_tools.ports import Session, open_port

SIC_BO = "sim:sic_bo@act1999"


def play(session: Session, rounds: int) -> None:
    for _ in range(rounds):
        session.link.command("open")
        session.link.command("wager", ref=1, code="small", stake=500, player="Ada")
        session.link.command("activate")
        session.link.command("no_spin", cause="malfunction")


class Flaky(Link):
    """A cable that comes loose after so many commands."""

    left = 10**9

    def command(self, name: str, **fields: Any) -> dict[str, Any]:
        self.left -= 1
        if self.left < 0:
            raise NoBoard("the link was lost.")
        return super().command(name, **fields)


def test_a_pull_that_breaks_off_keeps_what_came_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "t.journal"
    with open_port(SIC_BO, role="inspector") as session:
        key = session.link.command("journal_key")["key"]
        play(session, 60)
        session.link.__class__ = Flaky
        session.link.left = 30  # type: ignore[attr-defined]
        with pytest.raises(NoBoard, match="broke off with 1 of"):
            journal_board.pull(session.link, path)
        half = journal_file.read(path)
        assert journal_file.damage(path) is None and len(half.segments) == 1
        assert journal_check.verify(half, key).problem is None
        session.link.left = 10**9  # type: ignore[attr-defined]
        whole = journal_board.pull(session.link, path)
    verdict = journal_check.verify(whole, key)
    assert verdict.problem is None and verdict.segments >= 3 and verdict.first == 1


def test_a_second_pull_fetches_only_what_is_new(tmp_path: Path) -> None:
    path = tmp_path / "t.journal"
    with open_port(SIC_BO) as session:
        play(session, 60)
        segments = len(journal_board.pull(session.link, path).segments)
        play(session, 2)
        session.link.__class__ = Flaky
        session.link.left = 60  # type: ignore[attr-defined]
        again = journal_board.pull(session.link, path)
    assert segments >= 3 and len(again.segments) >= segments
    assert journal_check.verify(again, None).problem is None


def test_a_file_of_another_board_or_a_damaged_one_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.journal"
    for hurt in (False, True):
        with open_port(SIC_BO) as session:
            journal_board.pull(session.link, path)
        lines = path.read_text().splitlines()
        row = json.loads(lines[0])
        row["unique_id"] = row["unique_id"] if hurt else "another"
        path.write_text("\n".join([json.dumps(row), *lines[1:]]) + "\n")
        before = path.read_bytes()
        done = CliRunner().invoke(main, ["journal", "pull", str(path), "--port", SIC_BO])
        assert done.exit_code == 2 and path.read_bytes() == before
        path.unlink()


def test_what_was_pulled_is_on_the_boards_record(tmp_path: Path) -> None:
    state = tmp_path / "state"
    port = f"{SIC_BO}?state={state}"
    with open_port(port) as session:
        play(session, 3)
    path = tmp_path / "t.journal"
    assert CliRunner().invoke(main, ["journal", "pull", str(path), "--copy", "--port", port]).exit_code == 0
    told = CliRunner().invoke(main, ["journal", "meters", "--port", port, "--json"])
    assert json.loads(told.stdout)["pulled"] == 0
    assert CliRunner().invoke(main, ["journal", "pull", str(path), "--port", port]).exit_code == 0
    last = journal_check.verify(journal_file.read(path), None).last
    told = CliRunner().invoke(main, ["journal", "meters", "--port", port, "--json"])
    assert json.loads(told.stdout)["pulled"] == last


def test_a_live_board_may_write_on_while_it_is_pulled(tmp_path: Path) -> None:
    path = tmp_path / "t.journal"
    with open_port(SIC_BO) as session:
        play(session, 5)
        journal_board.pull(session.link, path, lambda done, total: play(session, 1))
    assert journal_check.verify(journal_file.read(path), None).problem is None


def test_games_are_recalled_from_the_board(tmp_path: Path) -> None:
    port = f"{SIC_BO}?state={tmp_path}"
    with open_port(port) as session:
        play(session, 12)
    done = CliRunner().invoke(main, ["journal", "recall", "--games", "10", "--port", port, "--json"])
    games = [json.loads(line) for line in done.stdout.splitlines()]
    assert [game["round"] for game in games] == list(range(12, 2, -1))
    names = [event["event"] for event in games[0]["events"]]
    assert names == ["opened", "wager", "activated", "voided"]
    plain = CliRunner().invoke(main, ["journal", "recall", "--games", "1", "--port", port])
    assert "$5.00 on small Ada" in plain.stdout


def test_a_conformance_run_moves_no_meter(tmp_path: Path) -> None:
    port = f"{SIC_BO}?state={tmp_path}"
    done = CliRunner().invoke(main, ["conform", "--port", port, "--case", "full-round", "--json"])
    assert json.loads(done.stdout)["passed"] == 1
    told = json.loads(CliRunner().invoke(main, ["journal", "meters", "--port", port, "--json"]).stdout)
    assert (told["games"], told["turnover"], told["voided"]) == (0, 0, 0)
    with open_port(port) as session:
        assert session.link.command("status")["test"] == 0


def carry(tmp_path: Path, old: str, new: str, *options: str) -> Any:
    path = tmp_path / "table.journal"
    retired = CliRunner().invoke(main, ["journal", "retire", str(path), "--port", old])
    assert retired.exit_code == 0, retired.output
    return CliRunner().invoke(main, ["journal", "adopt", str(path), "--port", new, "--json", *options])


def test_a_table_is_carried_to_a_spare_board_and_recorded_on_both(tmp_path: Path) -> None:
    old, new = (f"{SIC_BO}?state={tmp_path / name}" for name in ("old", "new"))
    with open_port(old) as session:
        text = session.link.read_config().replace(b'"sic_bo"', b'"sic_bo","name":"pit 3"')
        session.link.write_config(text)
        play(session, 3)
        session.link.command("open")
        session.link.command("wager", ref=1, code="small", stake=700, player="Ada")
        # the power is gone in the middle of the round: the next start must not settle it before it is retired
        assert session.fixture
        session.link.command("retire")
    done = carry(tmp_path, old, new)
    assert done.exit_code == 0 and json.loads(done.stdout)["round"] == 4, done.output
    with open_port(new) as session:
        told = session.link.command("meters")
        assert (told["voided"], told["refunded"]) == (4, 1500 + 700)
        assert b"pit 3" in session.link.read_config()
        session.link.command("open")
        assert session.link.command("status")["round"] == 5
        session.link.follow(1)
        assert "adopted" in [event["event"] for event in session.link.events(1.0)]
    with open_port(old) as session:
        assert session.link.identity["fault"] == 45
        with pytest.raises(Refused):
            session.link.command("open")
        session.link.follow(1)
        names = [event["event"] for event in session.link.events(1.0)]
        assert "retired" in names and names.count("voided") == 3


def test_a_board_that_was_not_retired_is_not_carried_in_silence(tmp_path: Path) -> None:
    path = tmp_path / "t.journal"
    with open_port(f"{SIC_BO}?state={tmp_path / 'old'}") as session:
        play(session, 1)
        journal_board.pull(session.link, path)
    adopt = ["journal", "adopt", str(path), "--port", f"{SIC_BO}?state={tmp_path / 'new'}"]
    refused = CliRunner().invoke(main, adopt)
    assert refused.exit_code == 2 and "not retired" in refused.output
    assert CliRunner().invoke(main, [*adopt, "--dead"]).exit_code == 0
    again = CliRunner().invoke(main, [*adopt, "--dead"])
    assert again.exit_code == 4 and "games of its own" in again.output


def test_a_raised_minimum_is_announced_and_waits_for_its_twenty_minutes(tmp_path: Path) -> None:
    with open_port("sim:sic_bo@qld1985", role="supervisor") as session:
        assert session.fixture
        session.link.write_config(QLD % b"500")
        session.link.command("open")
        session.link.command("activate")
        session.link.command("no_spin", cause="malfunction")
        session.link.command("time_set", utc_ms=1_800_000_000_000)
        answer = session.link.write_config(QLD % b"1000")
        assert answer["rule"] == "qld s74(3)" and 0 <= answer["due_ms"] - 1_800_001_200_000 < 2000
        session.fixture.run(19 * 60 * 1_000_000)
        assert session.link.read_config() == QLD % b"500"
        assert session.link.read_config("config_waiting") == QLD % b"1000"
        session.fixture.run(2 * 60 * 1_000_000)
        assert session.link.read_config() == QLD % b"1000"
        assert session.link.read_config("config_waiting") == b""


QLD = b'{"limits":{"*":[%b,20000]},"table":{"edition":"qld1985","game":"sic_bo"}}'


def test_config_apply_says_that_it_waits(tmp_path: Path) -> None:
    port = f"sim:sic_bo@qld1985?state={tmp_path / 'state'}"
    with open_port(port, role="supervisor") as session:
        session.link.write_config(QLD % b"500")
        session.link.command("open")
        session.link.command("activate")
        session.link.command("no_spin", cause="malfunction")
    nothing = CliRunner().invoke(main, ["config", "waiting", "--port", port])
    assert nothing.stdout == "nothing waits.\n"
    told = CliRunner().invoke(main, ["config", "set", "limits.*=[900,20000]", "--port", port, "--json"])
    answer = json.loads(told.stdout)
    assert (answer["applied"], answer["rule"], answer["due"]) == (False, "qld s74(3)", None)
    waits = CliRunner().invoke(main, ["config", "waiting", "--port", port])
    assert "limits.*: [500, 20000] now, [900, 20000] then" in waits.stdout
    assert "pitkit time set" in waits.stdout
