"""The journal over the line: rounds recalled, pulls that make room, test mode, what is spoilt told."""

from fakes import FakeFlash
from hands import Bench

from firmware import faults
from firmware.access import RECORD, Watch
from firmware.protocol import messages
from firmware.protocol.session import Refusal


def rounds(bench, count):
    for _ in range(count):
        bench.cover(1)
        bench.to_called()
        bench.cover(0)
        bench.enter(3, 4, 3)


def recalled(bench, round_):
    """[(event, fields)] of a round, asked for piece by piece."""
    found, seq = [], 0
    while True:
        answer = bench.ask("recall", round=round_, seq=seq)
        assert len(answer["records"]) <= 215
        data = answer["records"]
        while data:
            record = messages.unpack(RECORD, data)
            data = data[len(messages.pack(RECORD, record)) :]
            name, fields = messages.EVENTS[record["type"]]
            found.append((name, messages.unpack(fields, record["payload"])))
        seq = answer["next"]
        if not seq:
            return found


def test_each_of_the_last_hundred_games_is_recalled_whole():
    bench = Bench(FakeFlash(40))
    rounds(bench, 130)
    bench = bench.restart()
    for round_ in range(31, 131):
        events = recalled(bench, round_)
        names = [name for name, _ in events]
        assert names[0] == "opened" and names[-1] == "settled", (round_, names)
        assert names.count("wager") == 3 and names.count("rested") == 1
        assert all(fields["round"] == round_ for _, fields in events)
        assert dict(events)["result"]["dice"] == [3, 3, 4] and dict(events)["settled"]["returned"] == 3400


def test_a_round_that_is_not_there_is_refused_by_name():
    bench = Bench()
    rounds(bench, 1)
    for round_ in (0, 2, 1 << 40):
        try:
            bench.ask("recall", round=round_, seq=0)
            raise AssertionError("recalled")
        except Refusal as refusal:
            assert refusal.code == "no_round"


def test_the_terminal_shows_the_games_before():
    bench = Bench()
    rounds(bench, 1)
    bench.cover(1)
    bench.act("open")
    bench.act("no_spin", cause="invalidated")
    bench.key("key_no_spin")
    assert bench.parts.display.now == (None, None, None, 1)  # a void one
    bench.key("key_no_spin")
    assert bench.parts.display.now == (3, 3, 4, 2) and bench.lit() == set()
    bench.key("key_open")
    assert bench.parts.display.now == () and bench.state() == ("open", "idle")


def test_a_full_journal_opens_no_round_until_it_is_pulled():
    bench = Bench(FakeFlash(8))
    bench.journal.retention = 10000
    played = 0
    while bench.refused("open") != "journal_full":
        bench.act("no_spin", cause="invalidated")
        played += 1
    assert bench.journal.room() <= 2 and played == bench.table.round
    again = bench.restart()
    again.journal.retention = 10000
    assert again.refused("open") == "journal_full"
    again.ask("pulled", upto=again.journal.next_seq - 1, digest="ab")
    while again.journal.make_room():
        pass
    again.act("open")
    assert again.table.round == played + 1 and again.journal.first_seq > 1


def test_a_full_journal_still_starts():
    bench = Bench(FakeFlash(8))
    bench.journal.retention = 10000
    for n in range(2000):
        bench.log("boot", count=n, cause=1, firmware="0.1.0")
    assert bench.journal.room() <= 2, "what ends a round still has its room"
    bench.restart().log("fault", code=1, detail="")
    try:
        bench.log("clock", utc_ms=1, how="host", back_ms=0)
        raise AssertionError("written")
    except faults.Fault as fault:
        assert fault.code == faults.JOURNAL_FULL


def test_a_pull_of_records_that_are_not_there_is_refused():
    bench = Bench()
    rounds(bench, 1)
    for upto in (bench.journal.next_seq, 1 << 40):
        try:
            bench.ask("pulled", upto=upto, digest="")
            raise AssertionError("taken")
        except Refusal as refusal:
            assert refusal.code == "bad_record"


def test_test_mode_moves_no_meter_and_outlives_the_power():
    bench = Bench()
    rounds(bench, 2)
    before = dict(bench.journal.meters.sums)
    bench.ask("test_mode", on=1)
    rounds(bench, 2)
    bench = bench.restart()
    assert bench.table.status(None)["test"] and bench.restart().journal.meters.sums == before
    bench.cover(1)
    bench.act("open")
    try:
        bench.ask("test_mode", on=0)
        raise AssertionError("changed in a round")
    except Refusal as refusal:
        assert refusal.code == "wrong_state"
    bench.act("no_spin", cause="invalidated")
    assert bench.journal.meters.sums == before
    bench.ask("test_mode", on=0)
    rounds(bench, 1)
    assert bench.journal.meters.sums["games"] == before["games"] + 1


def test_what_is_spoilt_or_worn_is_told_once_a_start_and_play_goes_on():
    bench = Bench(FakeFlash(16))
    rounds(bench, 12)
    watch = Watch(bench.journal, bench.log)
    for _ in range(10):
        watch.look()
    assert bench.journal.meters.faults == {}
    at = bench.journal.order[1][1] * 4096 + 600
    bench.flash.memory[at] ^= 4
    bench.journal.worn.append(3)
    for _ in range(10):
        watch.look()
    assert bench.journal.meters.faults == {faults.JOURNAL_SPOILT: 1, faults.JOURNAL_WORN: 1}
    rounds(bench, 1)
