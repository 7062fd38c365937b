"""`pitkit rules`: the shape scripts read, the columns people read, and what names each clause."""

import json
from fractions import Fraction

from click.testing import CliRunner, Result

from host_tools.cli import main
from rules_min.settlement import GAMES, settle_line

KEYS = ["game", "edition", "variant", "code", "odds", "edge", "rule", "reading"]


def rules(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["rules", *arguments])


def test_every_row_has_the_promised_shape() -> None:
    rows = json.loads(rules("--json").stdout)
    assert len(rows) > 1000
    for row in rows:
        assert list(row) == KEYS
        assert all(isinstance(row[key], str) for key in ("game", "edition", "code", "rule"))
        assert row["variant"] is None or isinstance(row["variant"], str)
        share = Fraction(*row["edge"])
        assert [share.numerator, share.denominator] == row["edge"] and share < 1
        assert row["odds"] and all(len(pair) == 2 for pair in row["odds"])
    seen = {(row["game"], row["edition"]) for row in rows}
    for game in set(GAMES) - {"pai_gow_dice"}:  # dice that decide a box: nothing is wagered on them
        for edition in GAMES[game].EDITIONS:
            assert (game, edition) in seen or (game, edition) == ("keno", "qld1985")  # its schedule is given


def test_no_wager_stands_twice() -> None:
    rows = json.loads(rules("--json").stdout)
    keys = [tuple(row[key] for key in KEYS[:4]) for row in rows]
    assert len(set(keys)) == len(keys)


def test_the_rule_shown_is_the_one_settle_pays_by() -> None:
    rows = json.loads(rules("--json", "--game", "sic_bo", "--edition", "act1999").stdout)
    clauses = {row["code"]: row["rule"] for row in rows}
    wagers = [{"code": code, "stake": 1} for code in clauses]
    line = {"game": "sic_bo", "edition": "act1999", "result": [3, 3, 4], "wagers": wagers}
    for row in settle_line(line)["settlements"]:
        if row["outcome"] == "win":
            assert row["rule"] == clauses[row["code"]]


def test_columns_for_people() -> None:
    text = rules("--game", "roulette", "--edition", "cgr1993").stdout
    five = next(line for line in text.splitlines() if " five " in line)
    assert five.split() == [
        "roulette",
        "cgr1993",
        "five",
        "6:1",
        "3/38",
        "=",
        "7.8947",
        "%",
        "cgr",
        "6(2)",
        "*",
    ]
    assert "* our reading: " in text


def test_what_there_is_not_is_said() -> None:
    result = rules("--game", "poker")
    assert result.exit_code == 2 and "no such wagers" in result.stderr and not result.stdout
    assert rules("--game", "keno", "--edition", "cgr1993").exit_code == 2
    assert "Example" in rules("--help").stdout


def test_the_trace_names_code_and_tests() -> None:
    rows = {row["clause"]: row for row in json.loads(rules("--trace", "--json").stdout)}
    row = rows["qld s154(2)"]
    assert any(place.startswith("rules_min/wheel.py:") for place in row["code"])
    assert any(place.startswith("tests/rules_min/test_wheel.py:") for place in row["tests"])
    assert row["kind"] == "rule" and row["gap"] is None
    text = rules("--trace")
    assert text.exit_code == 0 and "qld s154(2)" in text.stdout
