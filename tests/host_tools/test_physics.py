"""The physics behind the soak: bounces within bounds, glitches that leave wires as they were, a drum."""

import itertools
import random

import pytest

from host_tools.conformance.drum import Drum
from host_tools.conformance.physics import NEW, Wear, Wires, bounce, together, type_keys

SEEDS = range(200)
WEAR = Wear()


@pytest.mark.parametrize("closed", [True, False])
def test_a_bounce_begins_at_once_ends_in_time_and_alternates(closed: bool) -> None:
    longest = 0
    for seed in SEEDS:
        edges = bounce(random.Random(seed), WEAR, 1000, "key1", closed)
        assert edges[0] == (1000, "key1", closed) and edges[-1][2] is closed
        assert [edge[2] for edge in edges] == [closed == (n % 2 == 0) for n in range(len(edges))]
        times = [edge[0] for edge in edges]
        assert times == sorted(set(times))
        longest = max(longest, times[-1] - 1000)
    assert 7000 < longest <= 8000
    assert bounce(random.Random(1), NEW, 0, "key1", True) == [(0, "key1", True)]


def test_glitches_come_at_their_share_and_leave_every_wire_as_it_was() -> None:
    names = [f"key{n}" for n in range(1, 7)]
    moves = added = 0
    for seed in SEEDS:
        dice = random.Random(seed)
        wires = Wires(dice, Wear(glitch_share=0.05), dict.fromkeys(names, False))
        edges = type_keys(dice, WEAR, dice.choices(names, k=12))
        found = wires.pick_up(edges)
        assert wires.closed == dict.fromkeys(names, False)
        pulses = sorted(set(found) - set(edges))
        assert len(found) == len(edges) + len(pulses)
        for name in names:
            levels = [closed for _, pin, closed in found if pin == name]
            assert levels == [n % 2 == 0 for n in range(len(levels))], "an edge that changes nothing"
        moves, added = moves + len(edges), added + len(pulses) // 2
    assert 0.04 < added / moves < 0.06


def test_a_key_is_let_go_before_it_comes_down_again() -> None:
    for seed in SEEDS:
        edges = type_keys(random.Random(seed), NEW, ["key3", "key3", "key4", "key3"])
        own = sorted((at_us, closed) for at_us, pin, closed in edges if pin == "key3")
        assert [closed for _, closed in own] == [True, False] * 3
        assert all(after[0] - before[0] >= 45_000 for before, after in itertools.pairwise(own))
    assert {edge[1] for edge in together(random.Random(1), NEW, ["key1", "key2"])} == {"key1", "key2"}


def spun(drum: Drum, stop_after: int = 4) -> list[tuple[int, str, bool]]:
    """A motor that is switched off after so many turns, or after 8 seconds."""
    edges: list[tuple[int, str, bool]] = []
    while not drum.is_still or (drum.turns < stop_after and drum.now_us < 8_000_000):
        start_us = drum.now_us
        found, lasting_us = drum.run(drum.turns < stop_after and start_us < 8_000_000)
        assert all(0 <= at_us <= lasting_us for at_us, _, _ in found)
        edges += [(start_us + at_us, pin, closed) for at_us, pin, closed in found]
    return edges


def test_a_drum_shows_its_mark_once_a_turn_and_coasts() -> None:
    coasted = 0
    for seed in SEEDS:
        drum = Drum(random.Random(seed), NEW)
        edges = spun(drum)
        marks = [at_us for at_us, pin, closed in edges if pin == "turn" and closed]
        assert len(marks) == drum.turns >= 4
        coasted += drum.turns > 4
        gaps = [after - before for before, after in itertools.pairwise(marks)]
        assert min(gaps) > 150_000
        rattles = sorted(at_us for at_us, pin, _ in edges if pin == "rest")
        assert max(after - before for before, after in itertools.pairwise(rattles)) < 500_000
    assert coasted > 20


def test_a_drum_that_jams_stays_where_it_is_and_may_rock_at_the_mark() -> None:
    rocked = 0
    for seed in SEEDS:
        drum = Drum(random.Random(seed), NEW, jam_after=2.4)
        marks = [edge for edge in spun(drum) if edge[1] == "turn" and edge[2]]
        assert drum.turns <= 3
        rocked += len(marks) > drum.turns
    assert rocked > 20


def test_the_same_seed_is_the_same_spin() -> None:
    assert spun(Drum(random.Random(9), WEAR)) == spun(Drum(random.Random(9), WEAR))
