"""Case files and their steps: how they are read, and everything that can be wrong with one."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from host_tools.cli import main
from host_tools.conformance import case_file
from host_tools.conformance.patterns import Table
from host_tools.conformance.sic_bo_expectations import TABLE
from host_tools.errors import CannotRun

OURS = case_file.load(case_file.HOME)
HEAD = "case: a-case\nedition: act1999\nclause: act sicbo 4.5\ntitle: A title\n"
GOOD = HEAD + "--\nopen a round\n"


def parse(text: str) -> case_file.Case:
    return case_file.parse(text, Path("x.case"))


def test_a_case_is_read_with_its_line_numbers() -> None:
    case = parse(
        "# what an inspector reads\n\n" + HEAD + "\n--\n\n  open a round\n# then\ncall no more bets\n"
    )
    assert (case.id, case.editions, case.clause, case.title) == (
        "a-case",
        ("act1999",),
        "act sicbo 4.5",
        "A title",
    )
    assert [(line.number, line.text) for line in case.steps] == [
        (10, "open a round"),
        (12, "call no more bets"),
    ]


def test_editions_and_clauses_are_lists() -> None:
    case = parse(GOOD.replace("act1999", "act1999, qld1985").replace("4.5", "4.5, act sicbo 5.2"))
    assert case.editions == ("act1999", "qld1985")
    assert case.clauses == ("act sicbo 4.5", "act sicbo 5.2")


@pytest.mark.parametrize(
    "text",
    [
        "",
        HEAD,
        HEAD + "--\n",
        HEAD + "--\nopen a round\n--\n",
        GOOD.replace("title: A title\n", ""),
        GOOD.replace("A title", ""),
        GOOD.replace("title", "tilte"),
        GOOD.replace("title", "case"),
        GOOD.replace("a-case", "A Case"),
        GOOD.replace("a-case", "../../etc"),
        GOOD.replace("clause:", "clause"),
    ],
)
def test_a_bad_head_cannot_run(text: str) -> None:
    with pytest.raises(CannotRun, match=r"x\.case"):
        parse(text)


def test_a_step_nobody_knows_names_file_and_line() -> None:
    for wrong in (
        "spin the wheel",
        "cover is sideways",
        "press 7",
        "press 1  2",
        "lamps are lit on exactly SMALL",
    ):
        case = parse(GOOD + wrong + "\n")
        with pytest.raises(CannotRun, match=r"x\.case, line 7: there is no such step: "):
            TABLE.steps_of(case)


def test_a_step_that_can_be_read_twice_cannot_run() -> None:
    table = Table({})
    table.step("bet {cents:number}", "bet {what:word}")(lambda play, **_: None)
    with pytest.raises(CannotRun, match="can be read as"):
        table.find(parse(GOOD), case_file.Line(1, "bet 5"))


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("press 3 3 ENTRY", {"keys": ["key3", "key3", "key_entry"]}),
        ("cover is off", {"on": False}),
        ("bet 500 on pair:3-4 as ref 12", {"cents": 500, "code": "pair:3-4", "ref": 12}),
        ("betting 5 on big is refused as too_late", {"cents": 5, "code": "big", "why": "too_late"}),
        (
            "betting 5 on big is refused as too_late citing act sicbo 4.5",
            {"cents": 5, "code": "big", "why": "too_late", "clause": "act sicbo 4.5"},
        ),
        (
            'the result is 3 3 4, called "double 3, 4; total 10", citing act sicbo 7.1',
            {"dice": [3, 3, 4], "words": "double 3, 4; total 10", "clause": "act sicbo 7.1"},
        ),
        ("lamps are lit on exactly small, pair:3-4", {"areas": ["pair:3-4", "small"]}),
        ("the table reports the fault seal_broken", {"code": 21}),
        ("display shows 14", {"digits": "14  "}),
    ],
)
def test_steps_read_their_arguments(text: str, arguments: dict[str, Any]) -> None:
    assert TABLE.find(parse(GOOD), case_file.Line(1, text)).arguments == arguments


def test_our_own_cases_are_sound() -> None:
    assert len(OURS) >= 60
    for case in OURS:
        assert case.path.stem.split("-", 1)[1] == case.id
        assert TABLE.steps_of(case)
        for clause in case.clauses:
            assert clause.startswith("act sicbo " if case.editions == ("act1999",) else "qld"), case.id


def test_every_step_there_is_stands_in_some_case() -> None:
    lines = [line.text for case in OURS for line in case.steps]
    unused = {p.act for p in TABLE.patterns} - {
        p.act for p in TABLE.patterns if any(p.read(line) is not None for line in lines)
    }
    assert unused == set()


def test_two_cases_of_one_name_cannot_run(tmp_path: Path) -> None:
    (tmp_path / "1.case").write_text(GOOD)
    (tmp_path / "2.case").write_text(GOOD)
    with pytest.raises(CannotRun, match="already"):
        case_file.load(tmp_path)


def test_a_case_that_is_no_text_cannot_run(tmp_path: Path) -> None:
    (tmp_path / "1.case").write_bytes(b"\xff")
    with pytest.raises(CannotRun, match="UTF-8"):
        case_file.load(tmp_path)


def test_the_list_needs_no_board() -> None:
    result = CliRunner().invoke(main, ["conform", "--list", "--case", "power-*", "--case", "full-round"])
    assert result.exit_code == 0
    heads = [line for line in result.stdout.splitlines() if not line.startswith(" ")]
    assert heads[0].startswith("full-round  (act1999; act sicbo 5.1")
    assert all(line.startswith("power-") for line in heads[1:])


def test_no_case_matched_is_2(tmp_path: Path) -> None:
    for arguments in (["--case", "nothing-*"], ["--cases", str(tmp_path)]):
        result = CliRunner().invoke(main, ["conform", "--port", "sim:sic_bo@act1999", *arguments])
        assert result.exit_code == 2
        assert result.stdout == ""
