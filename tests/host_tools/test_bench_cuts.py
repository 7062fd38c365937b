"""Cuts inside flash operations on the simulated board, through the fixture and the real firmware."""

import pytest

from host_tools import bench_cuts
from host_tools.errors import PitkitError
from host_tools.ports import open_port

SIC_BO = "sim:sic_bo@act1999"


def test_random_cuts_on_the_simulated_board_lose_and_double_nothing() -> None:
    found = bench_cuts.on_a_board(SIC_BO, 12, seed=3)
    assert found["tried"] == 12 and found["lost"] == found["doubled"] == 0


def test_a_cut_is_where_it_was_asked_for() -> None:
    with open_port(SIC_BO) as session:
        assert session.fixture
        session.fixture.cut_at(2, 0)
        session.link.command("open")
        with pytest.raises(PitkitError):
            session.link.command("wager", ref=1, code="small", stake=500, player="")
        with pytest.raises(PitkitError, match="the power is off"):
            session.fixture.lamps()
        session.fixture.power()
        session.reconnect()
        session.link.follow(1)
        told = [event["event"] for event in session.link.events(1.0)]
        assert "opened" in told and "wager" not in told and told[-1] == "voided"


@pytest.mark.parametrize(
    "fields", [{"operation": 0, "bytes": 1}, {"operation": 1}, {"operation": "1", "bytes": 1}]
)
def test_bad_cuts_are_refused(fields: dict[str, object]) -> None:
    with open_port(SIC_BO) as session, pytest.raises(PitkitError, match="must be"):
        assert session.fixture
        session.fixture.op("cut_at", **fields)
