"""What a cut, a restart or a full journal leaves of a sic-bo round."""

from fakes import FakeFlash, PowerCut, first_key
from hands import Bench

from firmware import faults
from firmware.journal.journal import Journal
from firmware.protocol.session import Refusal
from firmware.tables.record import Log, recover
from rules_min import sic_bo as rules


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
        bench.log("boot", count=n, cause=1, firmware="0.1.0")
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
        journal.meters.pulled = journal.next_seq - 1
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
    for sector in bench.journal.spare[1:]:
        bench.flash.memory[sector * 4096] = 0
    del bench.journal.spare[1:]
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
        Log(journal, lambda: 0)("boot", count=2, cause=1, firmware="0.1.0")
        again = bench.restart()
        assert again.last("voided")["returned"] == 500, fill
        assert again.table.round == 1


def test_a_result_is_told_again_after_a_cut_and_not_after_a_change():
    bench = Bench()
    bench.to_called()
    bench.cover(0)
    bench.enter(3, 4, 3)
    again, heard = bench.restart(), []
    again.log.listener = lambda event, fields: heard.append(event)
    for is_start, told in ((False, []), (True, ["result"])):
        again.log.is_start = is_start
        recover(again.table)
        assert heard == told
