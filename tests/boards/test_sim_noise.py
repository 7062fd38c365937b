"""The simulated board's noise source, as the fixture says; and what a draw table makes of it."""

from itertools import pairwise
from pathlib import Path

import pytest

from firmware import faults
from host_tools.errors import BoardFault, PitkitError, Refused
from host_tools.ports import open_port

BAD = (
    {"mode": "stuck"},
    {"mode": "stuck", "level": 0},
    {"mode": "biased", "ones": 0.6},
    {"mode": "biased", "ones": 0.4, "seed": 7},
    {"mode": "sticky", "stays": 0.9},
)


@pytest.fixture
def session(tmp_path: Path):
    with open_port(f"sim:keno@act1999?state={tmp_path / 'board'}", "supervisor") as opened:
        yield opened


def raw(session, size: int = 1024) -> str:
    found = b"".join(session.link.command("rng_raw", source=0, bytes=128)["part"] for _ in range(size // 128))
    return "".join(f"{byte:08b}" for byte in found)


def test_raw_samples_are_as_the_fixture_says(session, tmp_path: Path) -> None:
    fixture = session.fixture
    assert 0.45 < raw(session).count("1") / 8192 < 0.55
    fixture.rosc("biased", ones=0.9)
    assert 0.86 < raw(session).count("1") / 8192 < 0.94
    fixture.rosc("sticky", stays=0.9)
    text = raw(session)
    assert 0.86 < sum(a == b for a, b in pairwise(text)) / 8191 < 0.94
    (tmp_path / "noise").write_bytes(bytes(range(256)))
    fixture.rosc("file", file=str(tmp_path / "noise"))
    assert raw(session, 512) == "".join(f"{byte:08b}" for byte in range(256)) * 2


@pytest.mark.parametrize(
    "fields", [{}, {"mode": "tired"}, {"mode": "stuck", "level": 2}, {"mode": "biased", "ones": 2}]
)
def test_no_other_noise(session, fields) -> None:
    with pytest.raises(PitkitError, match="must be"):
        session.fixture.op("rosc", **fields)
    with pytest.raises(PitkitError, match="cannot be read"):
        session.fixture.op("rosc", mode="file", file="/nowhere")


def test_the_desk_is_open_between_games_and_asks_for_no_more_than_it_has_time_for(session) -> None:
    for fields in ((0, 80, 1), (81, 80, 1), (20, 256, 1), (20, 80, 10), (1, 80, 21), (193, 0, 1)):
        with pytest.raises(Refused, match="at most"):
            session.link.command("rng_final", **dict(zip(("count", "of", "games"), fields, strict=True)))
    assert session.link.command("rng_final", count=2, of=3, games=0)["part"] == b""
    session.link.command("game_open")
    for name, fields in (("rng_final", {"count": 20, "of": 80, "games": 1}), ("rng_raw", {"bytes": 8})):
        with pytest.raises(Refused, match="under way"):
            session.link.command(name, **fields)
    assert session.link.command("rng_status")["healthy"]


@pytest.mark.parametrize("noise", BAD, ids=str)
def test_bad_noise_is_refused_before_a_number_leaves_and_over_the_power(session, noise) -> None:
    session.fixture.op("rosc", **noise)
    with pytest.raises(BoardFault):
        session.link.command("game_open")
    with pytest.raises(BoardFault):
        session.link.command("rng_final", count=20, of=80, games=1)
    session.fixture.cut()
    session.fixture.power()
    session.reconnect()
    assert session.link.identity["fault"] == faults.NOISE_UNHEALTHY
    with pytest.raises(Refused):
        session.link.command("clear_fault")
    session.fixture.rosc("healthy")
    session.fixture.cut()
    session.fixture.power()
    session.reconnect()
    assert session.link.identity["fault"] == faults.NOISE_UNHEALTHY
    with pytest.raises(Refused):
        session.link.command("game_open")
    session.link.command("clear_fault")
    session.link.command("game_open")


@pytest.mark.parametrize("noise", BAD[:3], ids=str)
def test_a_board_that_starts_with_bad_noise_says_so(tmp_path: Path, noise) -> None:
    """The very first start: its journal has no key yet."""
    state = tmp_path / "board"
    with open_port(f"sim:keno@act1999?state={state}", "supervisor") as session:
        session.fixture.op("rosc", **noise)
        session.fixture.cut()
        (state / "flash.bin").unlink()
        session.fixture.power()
        session.reconnect()
        assert session.link.identity["next_event"] > 1
        told = session.link.command("meters")
        assert told["standing"] == faults.NOISE_UNHEALTHY


def test_a_noise_circuit_on_its_pin_is_a_source_beside_the_boards_own(tmp_path: Path) -> None:
    port = f"sim:keno@act1999?parts=noise_circuit&state={tmp_path / 'board'}"
    with open_port(port, "supervisor") as session:
        assert session.link.identity["fault"] == faults.NOISE_UNHEALTHY  # nothing is on the pin yet
        session.fixture.adc("noise", 32768, 400, 3)
        session.link.command("clear_fault")
        assert session.link.command("rng_status")["sources"] == "system:950:4096 circuit:500:96"
        session.link.command("game_open")
        session.link.command("no_spin", cause="malfunction")
        session.fixture.adc("noise", 32768)
        with pytest.raises(BoardFault, match="circuit"):
            session.link.command("game_open")
