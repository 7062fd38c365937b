"""Ten thousand commands and as many events over the worst line there is: none lost, none twice, in order."""

import pytest

from host_tools.hostile_line import Harm, Trial


def test_ten_thousand_commands_and_events_come_through_once_and_in_order() -> None:
    found = Trial(10_000, 10_000, seed=20).run()
    assert (found.commands, found.events) == (10_000, 20_000)
    assert (found.lost, found.doubled, found.out_of_order) == (0, 0, 0)
    assert found.cuts > 50 and found.board_restarts > 20 and found.host_restarts > 20
    assert found.bad_frames > 100 and found.repeated > 100


@pytest.mark.parametrize(
    "harm",
    [
        Harm(bit=0, drop=0, double=0, overtake=0, cut_ms=0, board_restart_ms=0, host_restart_ms=0),
        Harm(bit=1e-3, drop=0.1, double=0.2, overtake=0.3),
        Harm(bit=0, drop=0.5, cut_ms=0, board_restart_ms=0, host_restart_ms=0),
        Harm(cut_ms=400, board_restart_ms=600, host_restart_ms=900),
    ],
    ids=["good", "bad in every way", "half is lost", "hardly ever up"],
)
def test_lines_of_every_kind(harm: Harm) -> None:
    found = Trial(400, 400, harm, seed=21).run()
    assert (found.commands, found.events) == (400, 800)
    assert (found.lost, found.doubled, found.out_of_order) == (0, 0, 0)
    if not harm.drop:
        assert found.repeated == 0, "a good line was sent something twice"


def test_a_seed_is_the_same_trial_each_time() -> None:
    assert Trial(200, 200, seed=5).run() == Trial(200, 200, seed=5).run()
