"""`pitkit settle`: order, manners and bad lines, through the command line as a script uses it."""

import io
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from host_tools import settle_stream
from host_tools.cli import main

GOOD = {
    "edition": "act1999",
    "game": "sic_bo",
    "result": [3, 3, 4],
    "wagers": [{"code": "small", "stake": 500}],
}
COMMAND = [sys.executable, "-m", "host_tools.cli", "settle"]


def settle(text: str | bytes, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["settle", *arguments], input=text)


def answers(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def error_of(line: str | bytes) -> dict[str, Any]:
    result = settle(line)
    assert result.exit_code == 2
    (answer,) = answers(result)
    assert list(answer) == ["error"]
    error: dict[str, Any] = answer["error"]
    return error


def test_the_example_of_the_interface() -> None:
    line = (
        '{"edition":"qld1985","game":"sic_bo","result":[3,3,4],"wagers":[{"code":"small","stake":500},'
        '{"code":"double:3","stake":200,"player":"p1"}]}'
    )
    result = settle(line)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout == (
        '{"result":[3,3,4],"call":"double 3, 4; total 10","settlements":[{"code":"small","stake":500,'
        '"outcome":"win","pays":500,"returned":1000,"odds":[1,1],"rule":"qld s75(a)"},{"code":"double:3",'
        '"stake":200,"player":"p1","outcome":"win","pays":2200,"returned":2400,"odds":[11,1],'
        '"rule":"qld s75(d)"}]}\n'
    )


def test_order_is_kept_and_a_bad_line_answered_in_its_place(tmp_path: Path) -> None:
    lines = [json.dumps({**GOOD, "result": [1, 2, face]}) for face in (3, 4, 5)]
    file = tmp_path / "lines"
    file.write_text("\n".join([lines[0], "nonsense", "", "   ", lines[1], "\t", lines[2]]))
    result = settle("", str(file))
    found = answers(result)
    assert [a.get("result") for a in found] == [[1, 2, 3], None, [1, 2, 4], [1, 2, 5]]
    assert found[1]["error"]["code"] == "bad_json"
    assert result.exit_code == 2
    assert result.stderr == "1 of 4 lines could not be settled; each says why in its place.\n"


def test_what_is_no_json_is_said_to_be_none() -> None:
    deep = "[" * 200_000
    bad: list[str | bytes] = [
        "{",
        "NaN",
        '{"a":Infinity}',
        b"\xff\xfe",
        b'{"game":"\xc3\x28"}',
        deep,
        "1e999",
        "9" * 5000,
        "{} {}",
        '{"a":"\\ud800"}',
        "\x00",
        json.dumps(GOOD)[:-1],
    ]
    for line in bad:
        assert error_of(line)["code"] == "bad_json", line[:40]


def test_a_key_said_twice_is_no_wager() -> None:
    for stakes in ('"stake":1,"stake":2', '"stake":1,"\\u0073take":2', '"x":{"y":{"z":1,"z":1}},"stake":2'):
        line = json.dumps(GOOD).replace('"stake": 500', stakes)
        assert "twice" in error_of(line)["message"]


def test_backslashes_alone_are_no_offence() -> None:
    wager = {"code": "small", "stake": 5, "note": 'a "quoted" \\ name \u00e9 \u0007'}
    result = settle(json.dumps({**GOOD, "wagers": [wager]}))
    assert result.exit_code == 0
    assert answers(result)[0]["settlements"][0]["note"] == wager["note"]


def test_nesting_that_can_be_read_but_not_written_is_answered_too() -> None:
    for depth in range(1, 400):
        nested = "[" * depth + "]" * depth
        out = io.BytesIO()
        line = json.dumps(GOOD).replace('"stake"', f'"x":{nested},"stake"').encode()
        settle_stream.settle_stream(io.BytesIO(line), out)
        assert out.getvalue().count(b"\n") == 1


def test_bad_heads_results_wagers_and_stakes() -> None:
    cases: list[tuple[Any, str, int | None]] = [
        ([], "bad_json", None),
        ({**GOOD, "game": "faro"}, "bad_game", None),
        ({**GOOD, "edition": "act1998"}, "bad_edition", None),
        ({**GOOD, "result": [3, 3, 7]}, "bad_result", None),
        ({**GOOD, "result": [3, 3, True]}, "bad_result", None),
        ({**GOOD, "result": "no_spin"}, "bad_result", None),
        ({**GOOD, "result": "no_spin", "cause": ["not_flat"]}, "bad_result", None),
        ({**GOOD, "result": "no_spin", "cause": {}}, "bad_result", None),
        ({**GOOD, "wagers": {}}, "bad_wager", None),
        ({**GOOD, "limits": {"smal": [1, 2]}}, "bad_wager", None),
        ({**GOOD, "wagers": [GOOD["wagers"][0], {"code": "total:18", "stake": 5}]}, "bad_wager", 1),
        ({**GOOD, "wagers": [{"code": "small", "stake": 5.0}]}, "bad_stake", 0),
        ({**GOOD, "wagers": [{"code": "small", "stake": True}]}, "bad_stake", 0),
        ({**GOOD, "wagers": [{"code": "small", "stake": 0}]}, "bad_stake", 0),
        ({**GOOD, "wagers": [{"code": "small", "stake": 10**400}]}, "bad_stake", 0),
    ]
    for line, code, wager in cases:
        error = error_of(json.dumps(line))
        assert (error["code"], error.get("wager")) == (code, wager), line


def test_no_spin_gives_every_stake_back_with_its_clause() -> None:
    line = {**GOOD, "result": "no_spin", "cause": "not_flat"}
    (answer,) = answers(settle(json.dumps(line)))
    assert answer["call"] == "no spin"
    (settled,) = answer["settlements"]
    assert (settled["outcome"], settled["returned"], settled["rule"]) == ("void", 500, "act sicbo 8.1")


def test_limits_cut_and_a_line_cannot_claim_to_have_been_cut() -> None:
    wagers = [
        {"code": "small", "stake": 900, "accepted": 1, "excess": 2},
        {"code": "big", "stake": 10, "player": "p", "accepted": 7},
        {"code": "big", "stake": 10, "player": "p"},
    ]
    line = {**GOOD, "wagers": wagers, "limits": {"*": [100, 600]}}
    over, once, again = answers(settle(json.dumps(line)))[0]["settlements"]
    assert (over["accepted"], over["excess"], over["pays"], over["returned"]) == (600, 300, 600, 1500)
    assert "accepted" not in once
    assert once["outcome"] == "lose"
    assert (again["outcome"], again["returned"], again["rule"]) == ("void", 10, "act sicbo 3.4")


def test_a_byte_order_mark_and_windows_line_ends_are_taken() -> None:
    text = b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r\n" + json.dumps(GOOD).encode() + b"\r\n\r\n"
    result = settle(text)
    assert result.exit_code == 0
    assert len(answers(result)) == 2


def test_a_line_beyond_all_measure_is_let_go_of(monkeypatch: Any) -> None:
    monkeypatch.setattr(settle_stream, "MOST_LINE_BYTES", 1 << 17)
    good = json.dumps(GOOD).encode()
    source = io.BufferedReader(io.BytesIO(good + b"\n" + b"x" * (1 << 20) + b"\n" + good))
    out = io.BytesIO()
    assert settle_stream.settle_stream(source, out) == (3, 1)
    assert b"too long" in out.getvalue().splitlines()[1]


def test_a_file_that_is_not_there_is_one_sentence_and_exit_2(tmp_path: Path) -> None:
    result = settle("", str(tmp_path / "gone"))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("pitkit: cannot read ")
    assert result.stderr.count("\n") == 1


def test_a_waiting_program_is_answered_line_by_line() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for _ in range(3):
            process.stdin.write(json.dumps(GOOD).encode() + b"\n")
            process.stdin.flush()
            assert b'"small"' in process.stdout.readline()
        process.stdin.close()
        assert process.wait(10) == 0


def test_a_reader_that_leaves_is_no_scene(tmp_path: Path) -> None:
    file = tmp_path / "many"
    file.write_text((json.dumps(GOOD) + "\n") * 20_000)
    with subprocess.Popen([*COMMAND, str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(10) == 1


def test_sixty_thousand_settlements_take_about_a_second(tmp_path: Path) -> None:
    wagers = [{"code": code, "stake": 100, "player": "p1"} for code in ("small", "total:10", "pair:3-4")] * 17
    file = tmp_path / "many"
    file.write_text((json.dumps({**GOOD, "wagers": wagers[:50]}) + "\n") * 1200)
    start = time.monotonic()
    done = subprocess.run([*COMMAND, str(file)], capture_output=True, check=True)
    assert done.stdout.count(b"\n") == 1200
    assert time.monotonic() - start < 5  # about 0.3 s by itself; the machine may be busy
