"""Traces: read and written as INTERFACES says, bad ones named by their line, played to a decision."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from host_tools import trace as traces
from host_tools.cli import main
from host_tools.errors import CannotRun
from host_tools.ports import open_port
from host_tools.trace_record import record

SIC_BO = "sim:sic_bo@act1999"


def whole_round(numbers: tuple[int, ...] = (3, 3, 4), end: str = "key_entry") -> traces.Trace:
    """A round from the pins alone: every key, turn and cover of it."""
    edges: list[tuple[int, str, int]] = []
    at_us = 0

    def pulse(pin: str, length_us: int = 40_000, gap_us: int = 100_000) -> None:
        nonlocal at_us
        edges.extend([(at_us, pin, 0), (at_us + length_us, pin, 1)])
        at_us += length_us + gap_us

    pulse("key_open")
    pulse("key_spin")
    for _ in range(4):
        pulse("turn", 10_000, 390_000)
    at_us += 1_000_000
    pulse("key_no_more_bets")
    edges.append((at_us, "cover", 1))
    at_us += 100_000
    for number in numbers:
        pulse(f"key{number}")
    pulse(end)
    return traces.Trace("sic_bo", "act1999", edges)


def test_a_trace_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "round.trace"
    traces.write(path, whole_round())
    assert traces.read(path) == whole_round()
    assert path.read_text().splitlines()[1] == '{"t_us":0,"pin":"key_open","level":0}'


@pytest.mark.parametrize("kind", ["sim", "emu"])
def test_a_round_from_the_pins_alone(kind: str) -> None:
    with open_port(f"{kind}:sic_bo@act1999") as session:
        answer = traces.play(session, whole_round())
    assert (answer["result"], answer["no_spin"], answer["rule"]) == ([3, 3, 4], None, "act sicbo 7.1")
    assert answer["evidence"]["turns"] == 4


def test_a_no_spin_and_no_decision() -> None:
    with open_port(SIC_BO) as session:
        answer = traces.play(session, whole_round((), "key_no_spin"))
        assert (answer["result"], answer["no_spin"], answer["rule"]) == (None, "not_flat", "act sicbo 8.1")
    with open_port(SIC_BO) as session:
        answer = traces.play(session, whole_round((1, 2)))
        assert (answer["result"], answer["no_spin"]) == (None, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1"),
        ("[]\n", "line 1"),
        ('{"trace":2,"table":"sic_bo"}\n', "line 1"),
        ('{"trace":1}\n', "line 1"),
        ('{"trace":1,"table":"sic_bo"}\n{"t_us":-1,"pin":"cover","level":0}\n', "line 2"),
        ('{"trace":1,"table":"sic_bo"}\n{"t_us":1.5,"pin":"cover","level":0}\n', "line 2"),
        ('{"trace":1,"table":"sic_bo"}\n{"t_us":5,"pin":"cover","level":2}\n', "line 2"),
        ('{"trace":1,"table":"sic_bo"}\n{"t_us":5,"pin":"cover"\n', "line 2"),
        (
            '{"trace":1,"table":"sic_bo"}\n{"t_us":5,"pin":"cover","level":1}\n\n{"t_us":4,"pin":"a","level":1}\n',
            "line 4",
        ),
    ],
)
def test_a_bad_trace_is_named_by_its_line(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "bad.trace"
    path.write_text(text)
    with pytest.raises(CannotRun, match=words):
        traces.read(path)


def test_a_trace_of_another_table_is_refused() -> None:
    with open_port(SIC_BO) as session, pytest.raises(CannotRun, match="the trace is of roulette"):
        traces.play(session, traces.Trace("roulette", "act1999", []))


def test_a_pin_the_board_has_not_is_refused() -> None:
    with open_port(SIC_BO) as session, pytest.raises(CannotRun, match="rim1"):
        traces.play(session, traces.Trace("sic_bo", "act1999", [(0, "rim1", 1)]))


@pytest.mark.parametrize("kind", ["sim", "emu"])
def test_a_round_recorded_at_the_pins_plays_again_to_the_same_result(kind: str, tmp_path: Path) -> None:
    """Recorded from one board while its table plays, over the line alone; played at another's pins."""
    path = tmp_path / "round.trace"
    with open_port(f"{kind}:sic_bo@act1999") as session:
        fixture = session.fixture
        assert fixture
        start_us = fixture.now() + 1_500_000
        fixture.schedule([(start_us + at_us, pin, level) for at_us, pin, level in whole_round().edges])
        with path.open("w") as out:
            count = record(session.link, out, 7.0)
    assert count == len(whole_round().edges)
    recorded = traces.read(path)
    moved = [edge for edge in recorded.edges if edge[0] or edge[1:] == ("key_open", 0)]
    assert [edge[1:] for edge in moved] == [edge[1:] for edge in whole_round().edges]
    late_us = [seen[0] - made[0] for seen, made in zip(moved, whole_round().edges, strict=True)]
    assert max(map(abs, late_us)) <= (0 if kind == "sim" else 200)
    with open_port(SIC_BO) as session:
        assert traces.play(session, recorded)["result"] == [3, 3, 4]


def test_the_command_records_and_says_how_much(tmp_path: Path) -> None:
    path = tmp_path / "quiet.trace"
    done = CliRunner().invoke(
        main, ["trace", "record", str(path), "--for", "0.2", "--port", SIC_BO, "--json"]
    )
    assert done.exit_code == 0 and json.loads(done.stdout) == {"file": str(path), "edges": 0}
    assert (0, "cover", 0) in traces.read(path).edges
