"""Randomised rounds on worn contacts: none is wrong; a table that is wrong is found, and can be replayed."""

from pathlib import Path

import pytest

from host_tools import soak, trace
from host_tools.ports import open_port


def test_a_hundred_rounds_on_worn_contacts() -> None:
    outcome = soak.run(100, seed=2026)
    assert outcome.rounds == 100 and outcome.wrong == []
    assert len(outcome.plans) >= 12 and outcome.edges > 10_000


def test_rounds_with_a_tumbler_that_has_no_cover() -> None:
    outcome = soak.run(30, seed=5, port="sim:sic_bo@qld1985?clock=frozen", covered=False)
    assert outcome.rounds == 30 and outcome.wrong == []


def test_some_rounds_on_the_chip() -> None:
    outcome = soak.run(4, seed=3, port="emu:sic_bo@act1999")
    assert outcome.rounds == 4 and outcome.wrong == []


def test_a_wrong_round_is_told_with_its_seed_and_saved_as_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judge is made to see wrong lamps; the trace then shows what the board made of the round."""
    monkeypatch.setattr(soak.Stage, "lamps", lambda stage: ["small", "big"])
    monkeypatch.setattr(soak, "PLANS", soak.PLANS[:1])
    outcome = soak.run(1, seed=4, first=7, save=tmp_path)
    assert [sentence.split(" (")[0] for sentence in outcome.wrong] == [
        f"--port '{soak.PORT}' --seed 4 --first 7"
    ]
    saved = trace.read(tmp_path / "wrong-1.trace")
    with open_port(soak.PORT) as session:
        assert trace.play(session, saved)["result"]
