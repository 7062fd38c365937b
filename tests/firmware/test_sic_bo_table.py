"""The sic-bo round: what may happen when, and what is on flash before it is shown."""

from fakes import FakeFlash
from hands import Bench

from firmware import faults
from firmware.protocol.session import Refusal
from rules_min import sic_bo as rules


def test_a_whole_round():
    bench = Bench()
    bench.to_called()
    bench.cover(0)
    bench.enter(3, 4, 3)
    assert bench.state() == ("closed", "result")
    assert bench.lit() == set(rules.winners((3, 3, 4)))
    assert bench.last("result")["call"] == "double 3, 4; total 10"
    settled = bench.last("settled")
    assert (settled["staked"], settled["pays"], settled["returned"]) == (800, 2700, 3400)
    assert bench.table.book.payout(1)["rule"] == "act sicbo 6.1(a)"
    assert bench.table.book.payout(3)["outcome"] == "lose"


def test_every_result_lights_exactly_the_areas_that_win():
    bench = Bench(FakeFlash(sectors=64))
    for a in range(1, 7):
        for b in range(a, 7):
            for c in range(b, 7):
                bench.act("open")
                assert bench.lit() == set()
                bench.cover(1)
                bench.act("activate")
                bench.tumble()
                bench.act("no_more_bets")
                bench.cover(0)
                bench.enter(c, a, b)
                assert bench.lit() == set(rules.winners((a, b, c)))


def test_the_result_is_on_flash_before_a_lamp_lights():
    seen = []
    bench = Bench(watch=lambda lit: seen.append((len(lit), bench.events()[-1])) if lit else None)
    bench.to_called()
    bench.cover(0)
    bench.enter(1, 2, 3)
    assert seen == [(len(rules.winners((1, 2, 3))), "result")]


def test_no_pair_of_act_and_state_outside_the_table_does_anything():
    acts = ("open", "wager", "activate", "no_more_bets", "number", "entry", "no_spin")
    devices = ("idle", "running", "at_rest", "result", "no_spin", "fault")
    states = [(betting, device) for betting in ("closed", "open", "called") for device in devices]
    bench = Bench()
    for act in acts:
        for state in states:
            if state in bench.table.transitions[act]:
                continue
            bench.table.betting, bench.table.device = state
            assert bench.refused(act) in ("wrong_state", "too_late"), (act, state)
            assert bench.state() == state
    assert bench.parts.motor.levels == [] and bench.parts.lamps.now == ()


def test_no_wager_after_the_call():
    bench = Bench()
    bench.to_called()
    before = bench.table.book.staked
    assert bench.refused("wager", ref=9, code="big", stake=100, player="") == "too_late"
    assert bench.table.book.staked == before
    assert bench.last("refused")["rule"] == "act sicbo 4.5"


def test_wagers_go_on_while_the_covered_dice_tumble():
    bench = Bench()
    bench.act("open")
    bench.act("activate")
    bench.wager(1, "big", 100)
    assert bench.table.book.staked == 100


def test_the_same_wager_sent_twice_is_one_wager_and_another_under_its_ref_is_refused():
    bench = Bench()
    bench.act("open")
    bench.wager(1, "big", 100)
    bench.wager(1, "big", 100)
    assert bench.table.book.staked == 100
    assert bench.refused("wager", ref=1, code="big", stake=200, player="") == "ref_taken"


def test_bad_wagers_are_refused_by_name():
    bench = Bench(limits={"big": [500, 1000]})
    bench.act("open")
    for code, stake, why in (
        ("huge", 100, "bad_wager"),
        ("big", 0, "bad_stake"),
        ("small", 10**13, "bad_stake"),
        ("big", 499, "outside_limits"),
        ("big", 1001, "outside_limits"),
    ):
        assert bench.refused("wager", ref=1, code=code, stake=stake, player="") == why
    assert bench.table.book.wagers == {}


def test_a_round_takes_no_more_wagers_than_memory_holds():
    bench = Bench(FakeFlash(sectors=16))
    bench.act("open")
    for ref in range(250):
        bench.wager(ref, "big", 100)
    assert bench.refused("wager", ref=250, code="big", stake=100, player="") == "table_full"


def test_the_tumbler_is_not_activated_without_its_cover():
    bench = Bench()
    bench.act("open")
    bench.cover(0)
    assert bench.refused("activate") == "cover_off"
    assert bench.parts.motor.levels == []
    bench.cover(1)
    bench.act("activate")
    assert bench.parts.motor.levels == [1]


def test_dice_exposed_before_the_call_void_the_round():
    for tumbled in (False, True):
        bench = Bench()
        bench.act("open")
        bench.wager(1, "big", 700)
        bench.act("activate")
        if tumbled:
            bench.tumble()
        bench.cover(0)
        voided = bench.last("voided")
        assert (voided["cause"], voided["rule"], voided["returned"]) == ("exposed", "act sicbo 8.3", 700)
        assert bench.parts.motor.levels[-1] == 0
        assert bench.table.book.payout(1)["returned"] == 700


def test_numbers_count_only_after_the_call_with_the_cover_off_and_the_dice_at_rest():
    bench = Bench()
    bench.act("open")
    bench.enter(1, 2, 3)
    bench.act("activate")
    bench.enter(1, 2, 3)
    bench.tumble()
    bench.enter(1, 2, 3)
    bench.act("no_more_bets")
    bench.enter(1, 2, 3)
    assert bench.state() == ("called", "at_rest") and bench.parts.display.now == ()
    bench.cover(0)
    bench.key("key_entry")
    bench.key("key5")
    bench.key("key_entry")
    assert bench.state() == ("called", "at_rest")
    bench.enter(1, 2, 3)
    assert bench.table.dice == (1, 2, 3)


def test_a_wrong_number_is_put_right_by_pressing_three_more():
    bench = Bench()
    bench.to_called()
    bench.cover(0)
    for number in (1, 1, 6, 2, 5):
        bench.key("key%d" % number)
    assert bench.parts.display.now == (6, 2, 5)
    bench.key("key_entry")
    assert bench.table.dice == (2, 5, 6)


def test_no_spin_by_the_key_is_dice_not_flat():
    bench = Bench()
    bench.to_called()
    bench.cover(0)
    bench.key("key_no_spin")
    voided = bench.last("voided")
    assert (voided["cause"], voided["rule"]) == ("not_flat", "act sicbo 8.1")
    assert (voided["returned"], voided["wagers"]) == (800, 3)
    assert bench.state() == ("closed", "no_spin") and bench.lit() == set()
    bench.act("open")
    assert bench.state() == ("open", "idle")


def test_no_spin_takes_every_cause_of_the_edition_and_no_other():
    for cause, clause in rules.NO_SPIN["act1999"].items():
        if cause in ("power_lost", "exposed"):
            continue
        bench = Bench()
        bench.to_called()
        bench.act("no_spin", cause=cause)
        assert bench.last("voided")["rule"] == clause
    bench = Bench()
    bench.to_called()
    for cause in ("bad_luck", "power_lost"):  # that the power went is no dealer's word
        assert bench.refused("no_spin", cause=cause) == "bad_cause"
    assert bench.refused("no_spin", cause="exposed") == "wrong_state"  # act sicbo 8.3: before the call only


def test_a_round_may_be_called_off_before_the_spin_but_no_spin_declared():
    bench = Bench()
    bench.act("open")
    bench.wager(1, "big", 300)
    assert bench.refused("no_spin") == "wrong_state"
    assert bench.refused("no_spin", cause="not_flat") == "wrong_state"
    bench.act("no_spin", cause="invalidated")
    assert (bench.last("voided")["rule"], bench.last("voided")["returned"]) == ("act sicbo 10.5", 300)


def test_a_stalled_tumbler_voids_the_round_and_closes_the_table_until_cleared():
    bench = Bench()
    bench.act("open")
    bench.wager(1, "big", 700)
    bench.act("activate")
    bench.clock.us += 3000001
    bench.table.poll()
    assert bench.last("voided")["rule"] == "act sicbo 8.4"
    assert bench.table.fault == faults.TUMBLER_STALLED and bench.parts.motor.levels[-1] == 0
    assert bench.refused("open") == "fault"
    bench.table.clear_fault({})
    bench.act("open")


def test_a_broken_seal_voids_the_round_but_not_a_result():
    bench = Bench()
    bench.to_called()
    bench.parts.panel.change("seal", 0)
    bench.table.poll()
    assert bench.last("voided")["rule"] == "act sicbo 8.4" and bench.table.fault == faults.SEAL_BROKEN
    try:
        bench.table.clear_fault({})
        raise AssertionError("cleared with the seal open")
    except Refusal:
        pass
    bench = Bench()
    bench.to_called()
    bench.cover(0)
    bench.enter(1, 2, 3)
    bench.parts.panel.change("seal", 0)
    bench.table.poll()
    assert bench.last("voided") is None and bench.table.dice == (1, 2, 3)


def test_lost_edges_are_never_passed_over():
    bench = Bench()
    bench.act("open")
    bench.parts.panel.lost_edges = 3
    bench.table.poll()
    assert bench.table.fault == faults.EDGES_LOST and bench.last("voided")["cause"] == "malfunction"


def test_a_key_held_against_the_rules_wears_no_flash():
    bench = Bench()
    before = bench.flash.programs
    for _ in range(100):
        bench.key("key_spin")
    assert bench.flash.programs - before <= 2
