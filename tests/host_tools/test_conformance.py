"""The conformance run on the simulated board: ours pass, wrong ones fail and say how, nothing leaks over."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from host_tools.cli import main
from host_tools.conformance import case_file, runner
from host_tools.conformance.bench import Bench
from host_tools.errors import NoBoard
from host_tools.ports import Session, open_port

PORT = "sim:sic_bo@act1999"
SPIN = "activate the tumbler\ntumbler turns until the motor stops\ndice come to rest\n"
TO_ENTRY = SPIN + "call no more bets\ncover is off\n"
ROUND = "open a round\nbet 500 on small as ref 1\n" + TO_ENTRY + "press 3 3 4 ENTRY\n"

# (steps, what is expected, what is seen): cases that a good board must fail, each at its last step
WRONG = [
    (ROUND + "wager 1 loses, citing act sicbo 4.3(a)", "wager 1: lose 0 0", "win 500 1000"),
    (ROUND + "wager 1 wins 501 and gets 1001 back, citing act sicbo 6.1(a)", "win 501 1001", "win 500 1000"),
    (ROUND + "wager 1 wins 500 and gets 1000 back, citing act sicbo 6.1(b)", "6.1(b)", "6.1(a)"),
    (ROUND + 'the result is 3 3 5, called "x", citing act sicbo 7.1', "dice 3 3 5", "dice 3 3 4"),
    (ROUND + "the round is settled: 1 wager, 500 staked, 0 won, 0 back", "pays 0", "pays 500"),
    (ROUND + "the round is void, not_flat, citing act sicbo 8.1", "voided with cause", "settled with round"),
    (ROUND + "lamps are lit on exactly small", "lamps lit: small", "double:3 pair:3-4 single:3"),
    (ROUND + "no lamp is lit", "lamps lit: none", "small"),
    (ROUND + "nothing is decided", "no result", "result with round"),
    (ROUND + "display shows 335", 'the display shows "335 "', '"334 "'),
    ("open a round\nbetting 5 on big is refused as too_late", "wager refused as too_late", "it was taken"),
    ("open a round\nopen a round", "open taken", "refused as wrong_state"),
    ("activating the tumbler is refused as cover_off", "refused as cover_off", "refused as wrong_state"),
    ("open a round\nmotor is on", "the motor is driven True", "False"),
    ("open a round\ntumbler turns 1 times", "the motor driving turn 1", "the motor is off"),
    ("open a round\nbetting is called and the device is idle", "called idle", "open idle"),
    ("open a round\nthe dice are uncovered", "uncovered", "only opened"),
    ("open a round\nseal is broken", "no fault but those the case speaks of", "fault with code 21"),
    ("wager 1 stays", "payout taken", "refused as no_wager"),
]  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with open_port(PORT, role="supervisor") as opened:
        yield opened


def case(name: str, steps: str, editions: str = "act1999") -> case_file.Case:
    head = f"case: {name}\nedition: {editions}\nclause: act sicbo 4.5\ntitle: <b>A & B</b>\n--\n"
    return case_file.parse(head + steps, Path(f"{name}.case"))


def run(session: Session, *cases: case_file.Case) -> list[runner.Outcome]:
    return runner.run(session, cases, lambda outcome: None).outcomes


@pytest.mark.parametrize(("steps", "expected", "seen"), WRONG)
def test_a_wrong_case_fails_and_says_what_was_expected_and_seen(
    session: Session, steps: str, expected: str, seen: str
) -> None:
    (outcome,) = run(session, case("wrong", steps))
    assert outcome.status == "failed"
    assert expected in outcome.expected
    assert seen in outcome.seen
    assert outcome.line == 5 + len(steps.splitlines())
    assert outcome.detail.startswith(f"line {outcome.line}, {steps.splitlines()[-1]}: expected ")


def test_a_case_left_anywhere_does_not_spoil_the_next(session: Session) -> None:
    good = ROUND + 'the result is 3 3 4, called "double 3, 4; total 10", citing act sicbo 7.1'
    left = [
        "open a round",
        "open a round\nactivate the tumbler\ntumbler turns 2 times\ncover is off",
        "open a round\n" + SPIN + "call no more bets",
        "open a round\n" + TO_ENTRY + "press 1 2",
        "seal is broken",
        "open a round\nseal is broken",
        "the sign says 700 to 800 cents on small",
        "open a round\npower is cut",
        "open a round\nactivate the tumbler\ntumbler is stuck",
    ]
    for number, steps in enumerate(left):
        outcomes = run(session, case("left", steps), case("good", good))
        assert outcomes[1].status == "passed", (number, outcomes[1].detail)


def test_a_case_of_another_edition_is_skipped(session: Session) -> None:
    outcomes = run(
        session, case("other", "open a round", "qld1985"), case("mine", "open a round", "qld1985, act1999")
    )
    assert [(outcome.status, outcome.detail) for outcome in outcomes] == [
        ("skipped", "the board runs act1999"),
        ("passed", ""),
    ]


def test_a_board_without_a_fixture_is_skipped_over(session: Session) -> None:
    bare = Session(session.name, session.link)
    (outcome,) = run(bare, case("any", "open a round"))
    assert outcome.status == "skipped"
    assert "no fixture" in outcome.detail


def test_a_board_that_is_lost_fails_the_case_and_skips_the_rest(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: Any) -> None:
        raise NoBoard("the link was lost.")

    monkeypatch.setattr(Bench, "press", gone)
    monkeypatch.setattr(Session, "reconnect", gone)
    found = runner.run(session, [case("a", "press OPEN"), case("b", "open a round")], lambda outcome: None)
    assert [outcome.status for outcome in found.outcomes] == ["failed", "skipped"]
    assert found.lost == "the link was lost."


# -- the command


def conform(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["conform", "--port", PORT, *arguments])


def test_every_case_of_ours_passes_in_the_shape_scripts_read(tmp_path: Path) -> None:
    port = "sim:sic_bo"  # of every edition in turn
    folder = tmp_path / "deep" / "report"
    result = CliRunner().invoke(main, ["conform", "--port", port, "--json", "--report", str(folder)])
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert list(found) == ["port", "table", "passed", "failed", "skipped", "cases"]
    assert (found["port"], found["table"], found["failed"], found["skipped"]) == (port, "sic_bo", 0, 0)
    ours = [(case.id, edition) for case in case_file.load(case_file.HOME) for edition in case.editions]
    assert found["passed"] == len(found["cases"])
    assert sorted((row["id"], row["edition"]) for row in found["cases"]) == sorted(ours)
    for row in found["cases"]:
        assert list(row) == ["id", "edition", "clause", "status", "detail"]
    assert {path.name for path in (tmp_path / "deep" / "report").iterdir()} == {
        "report.html",
        "report.json",
        "junit.xml",
    }


def test_a_failed_case_is_exit_1_and_words(tmp_path: Path) -> None:
    (tmp_path / "wrong.case").write_text(
        "case: wrong\nedition: act1999\nclause: act sicbo 5.1\ntitle: Wrong\n--\nopen a round\nmotor is on\n"
    )
    result = conform("--cases", str(tmp_path), "--report", str(tmp_path / "report"))
    assert result.exit_code == 1
    assert "1 failed" in result.stdout
    assert "line 7, motor is on: expected the motor is driven True; seen: False" in result.stderr
    assert result.stderr.endswith("pitkit: 1 of 1 cases failed.\n")


def test_a_report_that_cannot_be_written_is_2(tmp_path: Path) -> None:
    (tmp_path / "report").write_text("in the way")
    assert conform("--case", "broken-die", "--report", str(tmp_path / "report" / "x")).exit_code == 2


def test_cases_that_cannot_run_here_are_2(tmp_path: Path) -> None:
    (tmp_path / "other.case").write_text(
        "case: other\nedition: qld1985\nclause: qld s76\ntitle: Other\n--\nopen a round\n"
    )
    result = conform("--cases", str(tmp_path), "--report", str(tmp_path / "report"))
    assert result.exit_code == 2
    assert "none of the cases can run here" in result.stderr
