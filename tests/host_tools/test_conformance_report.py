"""The three reports: valid, complete, and nothing a board says can break out of them."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from host_tools.conformance import case_file, report, report_html
from host_tools.conformance.runner import Outcome, Run
from host_tools.errors import CannotRun

EVIL = "<script>alert(1)</script> & \"'\x00\x1b\ud800"
STEPS = "open a round\nmotor is on\npress ENTRY\n"


def case(name: str, clause: str) -> case_file.Case:
    head = f"case: {name}\nedition: act1999\nclause: {clause}\ntitle: {name} <i>title</i>\n--\n"
    return case_file.parse(head + STEPS, Path(f"{name}.case"))


ONE = case("one", "act sicbo 10.4, act sicbo 8.1")
TWO = case("two", "act sicbo 8.1")
THREE = case("three", "act sicbo 4.3(a)")
IDENTITY = {
    "table": "sic_bo",
    "edition": "act1999",
    "board": "unix",
    "unique_id": "ab<cd>",
    "firmware": "0.1.0",
    "rules_hash": "aaaa1111",
    "config_hash": "bbbb2222",
    "boot": 3,
}
RUN = Run(
    "sim:sic_bo@act1999",
    IDENTITY,
    [
        Outcome(ONE, "act1999", "passed", seconds=0.25),
        Outcome(TWO, "act1999", "failed", "line 7, " + EVIL, 7, "the motor's pin is 1", EVIL, 1.5),
        Outcome(THREE, "act1999", "skipped", "no <fixture>"),
    ],
    datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    1.75,
)


class Page(HTMLParser):
    """Every tag must close in order; collects text and looks for anything fetched or run."""

    VOID = ("meta", "br")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            assert name not in ("src", "href") or (value or "").startswith("#")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def page() -> Page:
    found = Page()
    found.feed(report_html.page(RUN))
    found.close()
    return found


def test_the_page_is_whole_and_needs_nothing(page: Page) -> None:
    assert page.open == []
    assert "script" not in page.tags
    assert not {"img", "link", "iframe"} & page.tags


def test_the_page_says_what_was_tested_and_what_came_of_it(page: Page) -> None:
    for words in ("ab<cd>", "aaaa1111", "bbbb2222", "pitkit 0.", "2026-01-02 03:04:05", "sim:sic_bo@act1999"):
        assert words in page.text
    assert "1 passed, 1 failed, 1 skipped" in page.text
    assert "Expected: the motor's pin is 1" in page.text
    assert "Seen: <script>alert(1)</script>" in page.text
    assert "no <fixture>" in page.text


def test_the_page_says_which_clause_is_covered_by_which_cases(page: Page) -> None:
    start = page.text.index("clausecases")
    rows = [line for line in page.text[start:].splitlines() if line.startswith("act sicbo")][:3]
    assert rows == [
        "act sicbo 4.3(a)three act1999 (skipped)",
        "act sicbo 8.1one act1999 (passed), two act1999 (failed)",
        "act sicbo 10.4one act1999 (passed)",
    ]


def test_the_failed_step_is_marked() -> None:
    text = report_html.page(RUN)
    assert '<li class="failed">motor is on</li><li class="after">press ENTRY</li>' in text


def test_junit_is_valid_and_counts() -> None:
    suites = ElementTree.fromstring(report.junit(RUN))
    (suite,) = suites
    assert {key: suite.get(key) for key in ("tests", "failures", "skipped", "errors")} == {
        "tests": "3",
        "failures": "1",
        "skipped": "1",
        "errors": "0",
    }
    one, two, three = suite
    assert list(one) == []
    failure = two.find("failure")
    assert failure is not None
    assert "<script>" in (failure.get("message") or "")
    assert three.find("skipped") is not None


def test_all_three_are_written_and_the_json_has_it_all(tmp_path: Path) -> None:
    assert report.write(RUN, tmp_path / "new") == tmp_path / "new" / "report.html"
    found = json.loads((tmp_path / "new" / "report.json").read_text())
    assert (found["passed"], found["failed"], found["skipped"]) == (1, 1, 1)
    assert found["board"]["unique_id"] == "ab<cd>"
    assert found["cases"][1]["steps"] == ["open a round", "motor is on", "press ENTRY"]
    assert found["cases"][1]["expected"] == "the motor's pin is 1"
    assert found["started"] == "2026-01-02T03:04:05+00:00"


def test_what_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotRun, match="the report cannot be written"):
        report.write(RUN, tmp_path / "file" / "x")


def test_the_shape_that_scripts_read() -> None:
    assert report.short(RUN)["cases"][0] == {
        "id": "one",
        "edition": "act1999",
        "clause": "act sicbo 10.4, act sicbo 8.1",
        "status": "passed",
        "detail": "",
    }


def test_the_rulebook_stands_in_both_reports(tmp_path: Path) -> None:
    report.write(replace(RUN, editions=("act1999",)), tmp_path)
    rows = {row["clause"]: row for row in json.loads((tmp_path / "report.json").read_text())["traceability"]}
    assert rows["act sicbo 8.3"]["code"] and rows["act sicbo 8.3"]["tests"]
    assert not any(row["gap"] for row in rows.values())
    page = (tmp_path / "report.html").read_text()
    assert "dice exposed before the announcement" in page
