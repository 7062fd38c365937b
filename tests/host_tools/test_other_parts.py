"""A table of other parts (matrix keys, WS2812, HT16K33, H-bridge) plays the same, simulated and emulated."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from host_tools import config_file, targets
from host_tools.cli import main
from host_tools.conformance import tumbler
from host_tools.conformance.bench import Bench
from host_tools.errors import CannotRun, Refused
from host_tools.ports import open_port

PARTS = "parts=matrix,ws2812,ht16k33,h_bridge,shunt,uart"
BOTH = ["sim:sic_bo@act1999?" + PARTS, "emu:sic_bo@act1999?" + PARTS]
ON_CHIP = ("full-round", "lamp-fails-the-result-stands", "lamp-burns-all-the-time", "result-line")


def conform(port: str, folder: Path, *patterns: str) -> set[str]:
    chosen = [word for pattern in patterns for word in ("--case", pattern)]
    result = CliRunner().invoke(main, ["conform", "--port", port, "--report", str(folder), "--json", *chosen])
    assert result.exit_code == 0, result.stderr
    return {row["status"] for row in json.loads(result.stdout)["cases"]}


def test_every_case_passes_with_other_parts_simulated(tmp_path: Path) -> None:
    assert conform(BOTH[0], tmp_path) == {"passed", "skipped"}


def test_cases_pass_with_other_parts_on_the_emulated_chip(tmp_path: Path) -> None:
    assert conform(BOTH[1], tmp_path, *ON_CHIP) == {"passed"}


@pytest.fixture(scope="module", params=BOTH, ids=["sim", "emu"])
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    with open_port(request.param, "supervisor") as session:
        assert session.fixture
        yield Bench(session, session.fixture)


def spin(bench: Bench) -> None:
    bench.link.command("open")
    bench.link.command("activate")
    tumbler.turn_until_the_motor_stops(bench)


def to_entry(bench: Bench) -> None:
    bench.reset()
    spin(bench)
    bench.wait_for(("rested",), 0)
    bench.link.command("no_more_bets")
    bench.move("cover", False)


def hold(bench: Bench, *keys: str) -> None:
    bench.play([(n, key, True) for n, key in enumerate(keys)], 100)


def let_go(bench: Bench, *keys: str) -> None:
    bench.play([(n, key, False) for n, key in enumerate(keys)], 100)


def test_three_keys_on_a_rectangle_are_no_key(bench: Bench) -> None:
    to_entry(bench)
    hold(bench, "key1", "key2", "key4")  # key 5 is on the fourth corner
    assert bench.fixture.display() == "    "
    let_go(bench, "key1", "key2", "key4")
    bench.press("key5")
    assert bench.fixture.display() == "5   "
    hold(bench, "key1", "key6")  # two at once are two
    let_go(bench, "key1", "key6")
    assert sorted(bench.fixture.display()) == [" ", "1", "5", "6"]


def test_the_bridge_goes_both_ways_with_its_dead_time_and_its_brake(bench: Bench) -> None:
    bench.reset()
    kept = bench.config
    bench.configure({**kept, "motor": {**kept["motor"], "both_ways": 1, "brake_ms": 400}})
    ways = []
    for _ in range(3):
        bench.link.command("open")
        bench.link.command("activate")
        ways.append(bench.fixture.motor()["way"])
        bench.link.command("no_spin", cause="malfunction")
        assert bench.fixture.motor()["brake"]
    assert ways == [1, -1, 1]
    bench.run_ms(500)
    assert bench.fixture.motor() == bench.fixture.motor() | {"way": 0, "brake": False, "shorts": 0}
    bench.configure(kept)


def test_the_checked_line_at_its_rate(bench: Bench) -> None:
    bench.reset()
    kept = bench.config
    bench.configure({**kept, "results": {"line": "checked", "baud": 19200}})
    before = bench.fixture.line()
    spin(bench)
    bench.move("cover", False)
    bench.run_ms(200)
    text = f"V {bench.link.command('status')['round']:06} 0 exposed"
    check = 0
    for character in text.encode():
        check ^= character
    assert bench.fixture.line().removeprefix(before) == f"{text} *{check:02X}\r\n"
    assert abs(bench.fixture.op("line")["baud"] - 19200) < 100
    bench.configure(kept)


def test_a_dead_lamp_stays_dead_when_the_power_goes(bench: Bench) -> None:
    to_entry(bench)
    bench.break_lamp("big", "dark")
    for key in ("key2", "key3", "key6", "key_entry"):
        bench.press(key)
    bench.run_ms(300)
    assert "big" not in bench.fixture.lamps() and "total:11" in bench.fixture.lamps()
    bench.cut()
    bench.power()
    bench.run_ms(1000)
    assert "big" not in bench.fixture.lamps() and "total:11" in bench.fixture.lamps()
    bench.collect()
    told = [event["name"] for event in bench.events if event["event"] == "lamp_failed"]
    assert told == ["big", "big"], "a start knows of no lamp, and tells anew"


def test_the_line_says_what_became_of_a_round_cut_short(bench: Bench) -> None:
    bench.reset()
    spin(bench)
    bench.cut()
    bench.power()
    bench.run_ms(200)
    assert bench.fixture.line() == f"V {bench.link.command('status')['round']:06} 0 power_lost\r\n"


def test_the_fixture_breaks_no_lamp_that_there_is_not(bench: Bench) -> None:
    with pytest.raises(Exception, match="no lamp"):
        bench.fixture.lamp_fails("medium")
    with pytest.raises(Exception, match="dark or lit"):
        bench.fixture.lamp_fails("small", "green")


def test_a_pin_that_cannot_do_it_is_refused_and_the_table_stays_as_it_was(bench: Bench) -> None:
    bench.reset()
    kept = bench.link.read_config()
    with pytest.raises(Refused, match="bad TX pin"):
        bench.link.write_config(config_file.to_board({**bench.config, "pins": {"result_tx": 1}}))
    assert bench.link.read_config() == kept and bench.link.command("status")["fault"] == 0


def test_parts_that_there_are_not_are_named() -> None:
    with pytest.raises(CannotRun, match="no kind of part 'neon'; known: 74hc595, h_bridge"):
        targets.parse_target("sim:sic_bo@act1999?parts=neon")
    assert targets.parse_target("emu:sic_bo@act1999?parts=h_bridge,uart").config == {
        "table": {"game": "sic_bo", "edition": "act1999"},
        "motor": {"drive": "h_bridge"},
        "results": {"line": "ascii"},
    }


def test_a_display_that_is_not_there_changes_no_result() -> None:
    with open_port(
        "sim:sic_bo@act1999", "supervisor"
    ) as session:  # a TM1637 hangs there, and answers no address
        assert session.fixture
        bench = Bench(session, session.fixture)
        bench.configure({**bench.config, "display": {"kind": "ht16k33"}})
        bench._first_config = bench.config
        to_entry(bench)
        for key in ("key2", "key3", "key6", "key_entry"):
            bench.press(key)
        assert bench.link.command("status")["dice"] == [2, 3, 6]
        assert "big" in bench.fixture.lamps()
