"""A result taken back after ENTRY and entered anew (qld s78(5)-(6)): superseded, paid once a revision."""

from fakes import FakeFlash
from hands import Bench

from firmware.tables.record import newest_round
from rules_min import sic_bo as rules


def with_result(*dice, flash=None):
    bench = Bench(flash)
    bench.to_called()
    bench.cover(0)
    bench.enter(*dice)
    return bench


def test_entry_a_second_time_clears_and_the_right_numbers_supersede():
    bench = with_result(3, 4, 3)
    assert bench.table.book.payout(1)["returned"] == 1000
    bench.key("key_entry")
    assert bench.state() == ("called", "at_rest") and bench.lit() == set()
    assert bench.parts.display.now == () and bench.table.book.payout(1)["outcome"] == "stays"
    bench.enter(6, 6, 6)
    assert bench.last("result")["revision"] == bench.last("settled")["revision"] == 2
    assert bench.lit() == set(rules.winners((6, 6, 6)))
    assert bench.table.book.payout(1)["outcome"] == "lose"
    assert bench.table.book.payout(3)["returned"] == 18100
    sums = bench.journal.meters.sums
    assert (sums["games"], sums["turnover"], sums["paid"]) == (1, 800, 18100)


def test_the_evidence_goes_with_every_revision_over_a_restart_too():
    bench = with_result(3, 4, 3)
    bench.key("key_entry")
    bench = bench.restart()
    bench.cover(0)
    bench.enter(1, 2, 3)
    assert bench.last("result")["turns"] == 3


def test_a_cut_while_it_is_cleared_waits_for_the_right_numbers():
    bench = with_result(3, 4, 3)
    bench.key("key_entry")
    for _ in range(3):
        bench = bench.restart()
        assert bench.state() == ("called", "at_rest") and bench.lit() == set()
        assert bench.refused("open") == "wrong_state" and bench.refused("wager", **WAGER) == "too_late"
    bench.cover(0)
    bench.enter(1, 2, 3)
    assert bench.last("settled")["revision"] == 2 and bench.journal.meters.sums["games"] == 1


WAGER = {"ref": 9, "code": "small", "stake": 500, "player": ""}


def test_a_cleared_result_may_turn_out_void():
    bench = with_result(3, 4, 3)
    bench.key("key_entry")
    bench.act("no_spin", cause="not_flat")
    sums = bench.journal.meters.sums
    assert (sums["games"], sums["turnover"], sums["voided"], sums["refunded"]) == (0, 0, 1, 800)
    again = bench.restart()
    assert again.table.book.payout(1)["outcome"] == "void" and again.state()[0] == "closed"
    again.cover(1)
    again.act("open")


def test_corrected_twice_it_is_still_one_game():
    bench = with_result(3, 4, 3)
    for _ in range(2):
        bench.key("key_entry")
        bench.enter(1, 2, 3)
    names = [event for event, _ in newest_round(bench.journal)]
    assert names.count("settled") == 3 and bench.table.revision == 3
    assert bench.journal.meters.sums["games"] == 1


def test_the_next_round_ends_it():
    bench = with_result(3, 4, 3)
    bench.cover(1)
    bench.act("open")
    assert bench.refused("entry") == "wrong_state"


def test_a_result_that_a_start_would_not_find_is_not_taken_back():
    bench = with_result(3, 4, 3, flash=FakeFlash(32))
    for n in range(300):
        bench.log("boot", count=n, cause=1, firmware="0.1.0")
    assert bench.refused("entry") == "too_late" and bench.state() == ("closed", "result")
