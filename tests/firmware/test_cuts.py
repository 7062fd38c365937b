"""A cut at every flash operation of three rounds; the long run is in make bench (tests/cuts.py)."""

import cuts


def test_no_cut_loses_or_doubles_a_round_or_leaves_a_dead_board():
    totals = cuts.run(1, 3)
    assert totals["tried"] >= 150
    assert (totals["lost"], totals["doubled"], totals["dead"]) == (0, 0, 0), totals
