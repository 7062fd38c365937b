"""A table carried to a spare board: meters, round numbers, the open round; never on two boards at once."""

from fakes import FakeFlash, PowerCut
from hands import Bench

from firmware.journal.meters import ADOPTING, RETIRED
from firmware.protocol import messages
from firmware.protocol.session import Refusal
from firmware.swap import CARRIED, Swap
from firmware.tables.record import newest_round

NUMBER = messages.numbers(messages.EVENTS)


def hands(bench):
    return Swap(bench.journal, bench.log, lambda: None).handlers(bench.table)


def carried(bench):
    """What a host sends of this board's journal: the meters, then the records of an open round."""
    found = [("meters", bench.journal.meters.fields()), ("voids", bench.journal.meters.causes())]
    round_ = [(event, fields) for event, fields in newest_round(bench.journal) if event in CARRIED]
    over = any(event in ("settled", "voided") for event, _ in newest_round(bench.journal))
    return found + ([] if over else round_)


def adopt(bench, rows, round_):
    do = hands(bench)
    for event, fields in rows:
        packed = messages.pack(messages.EVENTS[NUMBER[event]][1], fields)
        do["adopt_record"]({"type": NUMBER[event], "payload": packed, "by": "inspector"})
    asked = {"board": "e66", "upto": 99, "mac": b"12345678", "round": round_, "records": len(rows)}
    asked["by"] = "inspector"
    return do["adopt"](asked)


def old_board():
    """Two games played, a third open with its wagers."""
    bench = Bench()
    for _ in range(2):
        bench.cover(1)
        bench.to_called()
        bench.cover(0)
        bench.enter(3, 4, 3)
    bench.cover(1)
    bench.to_called()
    hands(bench)["retire"]({"by": "inspector"})
    return bench


def test_an_open_round_is_ended_on_the_new_board_and_only_there():
    old, spare = old_board(), Bench()
    rows = carried(old)
    adopt(spare, rows, old.table.round)
    new = spare.restart()
    assert new.last("voided")["returned"] == 800 and new.last("voided")["cause"] == "power_lost"
    sums = new.journal.meters.sums
    assert (sums["games"], sums["paid"], sums["voided"], sums["refunded"]) == (2, 6800, 1, 800)
    new.act("open")
    assert new.table.round == 4
    assert old.journal.meters.flags == RETIRED and "voided" not in old.events()
    assert Bench(old.flash).journal.meters.flags == RETIRED


def test_a_result_without_its_settlement_is_settled_to_the_same_cent():
    bench = Bench()
    bench.to_called()
    bench.cover(0)
    programs = bench.flash.programs
    bench.flash.cut_after = 1  # the result is written, its settlement is not
    try:
        bench.enter(3, 4, 3)
    except PowerCut:
        bench.flash.cut_after = None
    assert bench.flash.programs > programs
    rows = carried(bench)
    assert rows[-1][0] == "result"
    spare = Bench()
    adopt(spare, rows, 1)
    assert spare.restart().last("settled")["returned"] == 3400


def test_a_table_between_rounds_goes_on_with_its_numbers():
    old, spare = Bench(), Bench()
    old.to_called()
    old.cover(0)
    old.enter(3, 4, 3)
    adopt(spare, carried(old), 1)
    new = spare.restart()
    assert new.table.round == 1 and new.journal.meters.sums["games"] == 1 and new.state()[0] == "closed"
    new.act("open")
    assert new.table.round == 2


def test_a_board_that_has_played_takes_no_table():
    old = old_board()
    other = Bench()
    other.act("open")
    other.act("no_spin", cause="invalidated")
    try:
        adopt(other, carried(old), 3)
        raise AssertionError("taken")
    except Refusal as refusal:
        assert refusal.code == "not_new"


def test_half_a_table_is_refused():
    for rows in ([], carried(old_board())[1:]):
        try:
            adopt(Bench(), rows, 3)
            raise AssertionError("taken")
        except Refusal as refusal:
            assert refusal.code == "bad_record"


def test_a_cut_anywhere_while_it_is_carried_over_and_once_more_it_is_whole():
    old = old_board()
    rows = carried(old)
    for cut in range(40):
        for keep in (0, 1, 128, 255, "random"):
            spare = Bench(FakeFlash())
            spare.flash.cut_after, spare.flash.keep = cut, keep
            try:
                adopt(spare, rows, 3)
                spare.flash.cut_after = None
                assert cut > len(rows)
            except PowerCut:
                spare.flash.cut_after = None
                spare = unfinished(spare.flash)
                if spare.journal.meters.flags & ADOPTING or not spare.journal.round:
                    adopt(spare, rows, 3)
            new = Bench(spare.flash)
            sums = new.journal.meters.sums
            assert new.journal.meters.flags == 0 and new.table.round == 3, (cut, keep)
            assert (sums["games"], sums["voided"], sums["refunded"]) == (2, 1, 800), (cut, keep)


def unfinished(flash):
    """A start as main.py makes it: no table is built on a journal that is half carried over."""
    from fakes import first_key

    from firmware.journal.journal import Journal
    from firmware.tables.record import Log, begin_meters

    class Half:
        table = None

    half = Half()
    half.flash = flash
    half.journal = Journal(flash, lambda: 0, first_key)
    begin_meters(half.journal)
    half.log = Log(half.journal, lambda: 0)
    return half
