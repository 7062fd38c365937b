"""`pitkit io` on a board: pins told by name and GPIO, lamps and digits in turn, the tumbler run once."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from host_tools.board_io import BoardIo
from host_tools.commands.io import io
from host_tools.conformance import tumbler
from host_tools.conformance.bench import Bench
from host_tools.errors import PitkitError, Refused
from host_tools.fixture import Fixture
from host_tools.ports import Session, open_port
from rules_min.sic_bo import AREAS

PORT = "sim:sic_bo@act1999"


@pytest.fixture
def session() -> Iterator[Session]:
    with open_port(PORT, role="supervisor") as session:
        yield session


def pins(session: Session) -> Fixture:
    assert session.fixture
    return session.fixture


def tried(session: Session, *words: str) -> list[dict[str, Any]]:
    """A command of `pitkit io` on a board that is up already, and its JSON lines."""
    fixture = pins(session)
    session.link.close()
    assert session.backend
    done = CliRunner().invoke(io, [*words, "--port", session.backend.port, "--json"], catch_exceptions=False)
    session.reconnect()
    assert fixture.lamps() == [] and fixture.display().strip() == "" and fixture.read("motor") == 0
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_edges_come_with_name_gpio_time_and_count(session: Session) -> None:
    fixture = pins(session)
    with BoardIo(session.link) as board:
        at_us = fixture.now() + 200_000
        fixture.schedule([(at_us, "key3", 0), (at_us + 700, "key3", 1), (at_us + 900, "key3", 0)])
        fixture.run(300_000)
        edges = board.fetch()
        assert [(e.pin.name, e.pin.gpio, e.level, e.closed, e.edges) for e in edges] == [
            ("key3", 4, 0, 1, 1),
            ("key3", 4, 1, 0, 2),
            ("key3", 4, 0, 1, 3),
        ]
        assert [e.at_us - edges[0].at_us for e in edges] == [0, 700, 900]
        assert board.closed()[board.pins.index(edges[0].pin)] == 1
        assert board.lost == 0


def test_a_key_on_the_wrong_pin_is_named_by_its_gpio(session: Session) -> None:
    """The configuration says GPIO 26, the wire is on 13."""
    link = session.link
    config = json.loads(link.read_config())
    link.write_config(json.dumps({**config, "pins": {"key1": 26}}).encode())
    fixture = pins(session)
    press = threading.Timer(1.0, lambda: fixture.set("key1", 0))
    press.start()
    told = tried(session, "name", "--count", "1", "--for", "20")
    assert told == [{"pin": None, "gpio": 2, "closed": True}]


def test_watch_tells_each_pin_and_then_its_edges(session: Session) -> None:
    fixture = pins(session)
    threading.Timer(1.0, lambda: fixture.set("key5", 0)).start()
    told = tried(session, "watch", "--for", "2")
    first = {row["gpio"]: row for row in told if not row["edges"]}
    assert first[13] == {"pin": "cover", "gpio": 13, "closed": True, "level": 0, "edges": 0}
    assert first[28]["pin"] is None and len(first) == 20
    moved = [row for row in told if row["edges"]]
    assert [(row["pin"], row["level"], row["edges"]) for row in moved] == [("key5", 0, 1)]


def test_every_lamp_in_turn(session: Session) -> None:
    fixture = pins(session)
    with BoardIo(session.link) as board:
        for output, area in enumerate(AREAS):
            board.light([output])
            assert fixture.lamps() == [area]
    assert fixture.lamps() == []
    told = tried(session, "lamp", "all", "--each", "0")
    assert [row["lamp"] for row in told] == list(AREAS)
    assert tried(session, "lamp", "double:3", "--each", "0") == [{"lamp": "double:3", "output": 11}]


def test_every_digit_in_turn(session: Session) -> None:
    fixture = pins(session)
    with BoardIo(session.link) as board:
        board.show([10, 8])
        assert fixture.display() == " 8  "
    told = tried(session, "digit", "--each", "0")
    assert [row["display"] for row in told][:5] == ["8", " 8", "  8", "   8", "0000"] and len(told) == 14


def tumbles(session: Session) -> dict[str, Any]:
    fixture = pins(session)
    bench = Bench(session, fixture)
    with BoardIo(session.link) as board:
        session.link.command("io_tumble", start=1)
        assert fixture.read("motor") == 1
        tumbler.turn_until_the_motor_stops(bench)
        bench.run_ms(1000)
        return board.link.command("io_tumble", start=0)


@pytest.mark.parametrize("port", [PORT, "emu:sic_bo@act1999"])
def test_the_tumbler_runs_once(port: str) -> None:
    with open_port(port, role="supervisor") as session:
        told = tumbles(session)
        assert (told["state"], told["turns"], told["trouble"]) == ("rested", 4, "")
        session.link.follow(0)
        names = [event["event"] for event in session.link.events(1.0)]
        assert names[-2:] == ["io_entered", "io_left"]


def test_a_stuck_tumbler_is_told_and_the_motor_is_off(session: Session) -> None:
    assert [row["trouble"] for row in tried(session, "tumble")] == ["stalled"]


def test_the_motor_for_a_moment(session: Session) -> None:
    assert tried(session, "motor", "--ms", "200") == [{"motor_ms": 200, "turns": 0}]


def test_io_leaves_a_round_alone_and_no_round_opens_in_it(session: Session) -> None:
    link = session.link
    with BoardIo(link), pytest.raises(Refused, match="out of play") as refusal:
        link.command("open")
    assert refusal.value.code == "out_of_play"
    link.command("open")
    with pytest.raises(Refused, match="under way"):
        link.command("io", on=1)


def test_a_lost_host_and_a_cut_leave_it_dark(session: Session) -> None:
    fixture = pins(session)
    board = BoardIo(session.link).__enter__()
    board.light([0])
    session.link.command("io_motor", ms=5000)
    fixture.run(11_000_000)
    assert fixture.lamps() == [] and fixture.read("motor") == 0
    with pytest.raises(PitkitError, match="enter io first"):
        board.closed()
    board = BoardIo(session.link).__enter__()
    board.light([0])
    fixture.cut()
    fixture.power()
    session.reconnect()
    assert fixture.lamps() == [] and session.link.command("open")["round"] == 1


def test_other_parts_are_tried_alike() -> None:
    """A matrix has no pin for each key; display and lamps of another make; lamps whose current is watched."""
    with open_port(f"{PORT}?parts=matrix,ws2812,ht16k33,h_bridge,shunt", role="supervisor") as session:
        fixture = pins(session)
        with BoardIo(session.link) as board:
            for level in (0, 1):
                fixture.set("key3", level)
                fixture.run(50_000)
            assert [(e.pin.name, e.pin.gpio, e.closed) for e in board.fetch()] == [
                ("key3", None, 1),
                ("key3", None, 0),
            ]
            board.light([11])
            board.show([10, 8])
            fixture.run(3_000_000)
            assert fixture.lamps() == ["double:3"] and fixture.display() == " 8  "  # nobody else lights them
            assert {0, 9, 28} <= {pin.gpio for pin in board.pins if not pin.name}  # free with these parts
        assert fixture.lamps() == [] and fixture.display().strip() == ""


def test_nobody_else_lights_lamps_that_are_being_tried() -> None:
    """A lamp that burns though dark would be searched for among all of them, were the table in play."""
    with open_port(f"{PORT}?parts=shunt", role="supervisor") as session:
        fixture = pins(session)
        with BoardIo(session.link) as board:
            fixture.lamp_fails("small", "lit")
            for _ in range(100):
                fixture.run(20_000)
                assert fixture.lamps() in ([], ["small"])
            board.closed()
