"""The sic-bo round: what may happen when, what is on flash before it is shown, what a cut leaves."""

from fakes import Clock, FakeFlash, Parts, PowerCut, first_key

from firmware import faults
from firmware.journal.journal import Journal
from firmware.protocol.session import Refusal
from firmware.tables import sic_bo
from firmware.tables.record import Log, newest_round
from rules_min import sic_bo as rules


class Bench:
    """A table on fakes, with hands."""

    def __init__(self, flash=None, limits=None, watch=None):
        self.flash = flash or FakeFlash()
        self.clock = Clock()
        self.journal = Journal(self.flash, self.clock.now_ms, first_key)
        self.parts = Parts(self.clock, watch)
        self.table = sic_bo.SicBo("act1999", limits or {}, self.parts, self.journal, self.clock.now_us)

    def restart(self):
        return Bench(self.flash)

    def act(self, name, **fields):
        self.table.act(name, fields)

    def wager(self, ref, code, stake, player=""):
        self.act("wager", ref=ref, code=code, stake=stake, player=player)

    def refused(self, name, **fields):
        try:
            self.act(name, **fields)
        except Refusal as refusal:
            return refusal.code
        return None

    def key(self, name):
        self.parts.panel.change(name, 1)
        self.parts.panel.change(name, 0)
        self.table.poll()

    def cover(self, on):
        self.parts.panel.change("cover", on)
        self.table.poll()

    def tumble(self, turns=3):
        for _ in range(turns):
            self.clock.us += 400000
            self.parts.panel.changes.append(("turn", 1, self.clock.us))
            self.table.poll()
        self.clock.us += 4000000
        self.table.poll()

    def to_called(self):
        self.act("open")
        self.wager(1, "small", 500, "p1")
        self.wager(2, "double:3", 200)
        self.wager(3, "triple:6", 100)
        self.act("activate")
        self.tumble()
        self.act("no_more_bets")

    def enter(self, *numbers):
        for number in numbers:
            self.key("key%d" % number)
        self.key("key_entry")

    def events(self):
        return [event for event, _ in newest_round(self.journal)]

    def last(self, event):
        found = [fields for name, fields in newest_round(self.journal) if name == event]
        return found[-1] if found else None

    def lit(self):
        return {rules.AREAS[n] for n in self.parts.lamps.now}

    def state(self):
        return self.table.betting, self.table.device


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
            if state in sic_bo.SicBo.TRANSITIONS[act]:
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
        bench = Bench()
        bench.to_called()
        bench.act("no_spin", cause=cause)
        assert bench.last("voided")["rule"] == clause
    bench = Bench()
    bench.to_called()
    assert bench.refused("no_spin", cause="bad_luck") == "bad_cause"


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


def play(bench, done):
    """A round step by step; `done` says how far it got."""
    for name, step in (
        ("open", lambda: bench.act("open")),
        ("wager 1", lambda: bench.wager(1, "small", 500)),
        ("wager 2", lambda: bench.wager(2, "total:10", 300)),
        ("activate", lambda: bench.act("activate")),
        ("rest", bench.tumble),
        ("call", lambda: bench.act("no_more_bets")),
        ("uncover", lambda: bench.cover(0)),
        ("result", lambda: bench.enter(3, 3, 4)),
    ):
        step()
        done.append(name)


def test_a_cut_at_every_write_leaves_the_round_void_or_settled_to_the_cent():
    whole = Bench()
    play(whole, [])
    programs = whole.flash.programs
    for cut in range(programs):
        for keep in (0, 1, 16, 40, 256):
            bench = Bench()
            bench.flash.cut_after, bench.flash.keep = cut, keep
            done = []
            try:
                play(bench, done)
            except PowerCut:
                pass
            bench.flash.cut_after = None
            again = bench.restart()
            assert again.state()[0] == "closed", (cut, keep)
            if again.last("opened") is None:
                continue
            staked = sum(stake for name, stake in (("wager 1", 500), ("wager 2", 300)) if name in done)
            if again.last("result"):
                settled = again.last("settled")
                money = settled["staked"], settled["pays"], settled["returned"]
                assert money == (800, 2300, 3100), (cut, keep)
                assert again.lit() == set(rules.winners((3, 3, 4)))
                assert again.events().count("settled") == 1
            else:
                voided = again.last("voided")
                assert voided["cause"] == "power_lost" and voided["returned"] >= staked, (cut, keep)
                assert again.lit() == set()
            third = again.restart()
            assert third.events() == again.events(), "a second start changed what the first had decided"
            third.act("open")
            assert third.table.round == again.table.round + 1


def time_passes(bench, records=300):
    """Starts and idleness: so many records that the newest segment knows no round."""
    for n in range(records):
        Log(bench.journal)("boot", count=n, cause=1, firmware="0.1.0")
        bench.journal.make_room()


def test_a_round_settled_long_ago_is_not_voided_by_a_start():
    bench = Bench(FakeFlash(sectors=32))
    bench.to_called()
    bench.cover(0)
    bench.enter(3, 4, 3)
    time_passes(bench)
    last = bench.journal.next_seq
    again = bench.restart()
    assert again.journal.next_seq == last, "the start wrote of a round that was over"
    assert again.state() == ("closed", "idle") and again.table.round == 1
    again.act("open")
    assert again.table.round == 2


def test_a_broken_seal_outlives_the_power_and_any_number_of_starts():
    bench = Bench(FakeFlash(sectors=32))
    bench.parts.panel.change("seal", 0)
    bench.parts.panel.change("seal", 1)
    bench.table.poll()
    for _ in range(3):
        time_passes(bench)
        bench = bench.restart()
        assert bench.table.fault == faults.SEAL_BROKEN and bench.refused("open") == "fault"
    bench.table.clear_fault({})
    for _ in range(2):
        bench = bench.restart()
        assert bench.table.fault == 0
        time_passes(bench)
    bench.act("open")


def test_no_fault_is_cleared_while_the_seal_is_open():
    bench = Bench()
    bench.parts.panel.change("seal", 0)
    bench.table.poll()
    bench.parts.panel.lost_edges = 1
    bench.table.poll()
    try:
        bench.table.clear_fault({})
        raise AssertionError("cleared")
    except Refusal as refusal:
        assert "seal" in refusal.message
    bench.parts.panel.change("seal", 1)
    bench.table.poll()
    bench.table.clear_fault({})
    bench.act("open")


def worn_in():
    """A flash whose journal has been round its ring."""
    flash = FakeFlash(sectors=32)
    journal = Journal(flash, lambda: 0, first_key)
    for _ in range(32 * 16):
        journal.make_room()
        journal.append(12, b"x" * 200)
    return flash


def test_the_longest_round_has_room_to_its_end():
    bench = Bench(worn_in())
    bench.act("open")
    erases = bench.flash.erases
    for ref in range(250):
        bench.wager((1 << 69) + ref, "any_triple", 10**12, "y" * 40)
    for act in ("open", "number", "entry", "no_more_bets"):
        assert bench.refused(act)
    bench.act("activate")
    bench.tumble()
    bench.act("no_more_bets")
    bench.cover(0)
    bench.enter(3, 4, 3)
    assert bench.last("settled")["wagers"] == 250 and bench.flash.erases == erases


def test_rounds_on_rounds_without_a_pause_never_fill_the_journal():
    bench = Bench(worn_in())
    for _ in range(1500):
        bench.act("open")
        bench.act("no_spin", cause="invalidated")
    assert bench.table.round == 1500


def test_a_wager_the_journal_has_no_room_for_is_refused_and_the_round_goes_on():
    bench = Bench(worn_in())
    bench.act("open")
    bench.journal.spare = 1
    assert bench.refused("wager", ref=1, code="small", stake=500, player="") == "table_full"
    bench.act("activate")


def test_a_name_that_no_record_holds_is_refused():
    bench = Bench()
    bench.act("open")
    assert bench.refused("wager", ref=1, code="small", stake=500, player="x" * 41) == "bad_wager"
    assert bench.refused("wager", ref=1, code="y" * 3000, stake=500, player="") == "bad_wager"
    assert bench.table.book.wagers == {}


def test_a_round_is_found_though_the_start_itself_began_a_segment():
    for fill in range(40):
        bench = Bench(FakeFlash(sectors=8))
        while bench.journal.at_page in (0, 16) or bench.journal.at_page < 14:
            bench.journal.append(12, b"x" * 200)
        for _ in range(fill):
            bench.journal.append(12, b"")
        bench.act("open")
        bench.wager(1, "small", 500)
        journal = Journal(bench.flash, lambda: 0, first_key)
        Log(journal)("boot", count=2, cause=1, firmware="0.1.0")
        again = bench.restart()
        assert again.last("voided")["returned"] == 500, fill
        assert again.table.round == 1
