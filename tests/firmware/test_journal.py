"""The journal: on flash when append returns, found again at start, torn tails passed over."""

from fakes import FakeFlash, PowerCut

from firmware.faults import JOURNAL_FULL, JOURNAL_WRITE, Fault
from firmware.journal import records
from firmware.journal.journal import Journal


def clock():
    return 1234


def payloads(journal, seq=1):
    return [record[3] for record in journal.records(seq)]


def test_what_was_appended_is_there_after_a_restart():
    flash = FakeFlash()
    journal = Journal(flash, clock)
    written = [bytes([n]) * (n % 40) for n in range(150)]
    numbers = [journal.append(7, data) for data in written]
    assert numbers == list(range(1, 151))
    again = Journal(flash, clock)
    assert payloads(again) == written
    assert again.read(150) == (150, 1234, 7, written[-1])
    assert again.append(7, b"next") == 151
    assert again.read(151)[3] == b"next"
    assert again.read(152) is None and again.read(0) is None


def test_one_record_is_one_page_programmed():
    flash = FakeFlash()
    journal = Journal(flash, clock)
    journal.append(1, b"first")
    before = flash.programs
    for _ in range(8):
        journal.append(1, bytes(20))
    assert flash.programs - before == 8 and flash.erases == 0


def test_a_cut_at_any_byte_of_any_program_loses_only_the_record_under_way():
    # 60 records fill four pages and start a second segment when they are long
    for cut in range(24):
        for keep in (0, 1, 5, 13, 14, 60, 128, 255, 256):
            flash = FakeFlash(sectors=4)
            journal = Journal(flash, clock)
            flash.cut_after, flash.keep = cut, keep
            done = []
            try:
                for n in range(40):
                    journal.append(2, bytes([n]) * 190)
                    done.append(bytes([n]) * 190)
            except PowerCut:
                pass
            flash.cut_after = None
            again = Journal(flash, clock)
            while again.make_room():
                pass
            found = payloads(again)
            assert found[: len(done)] == done, (cut, keep)
            assert len(found) - len(done) in (0, 1)
            again.append(2, b"after the cut")
            assert payloads(Journal(flash, clock)) == found + [b"after the cut"], (cut, keep)


def test_every_flipped_bit_in_a_record_is_noticed():
    data = records.pack(3, 9, 55, b"payload")
    page = bytearray(b"\xff" * 256)
    page[: len(data)] = data
    assert records.unpack(page, 0)[0] == (9, 55, 3, b"payload")
    for bit in range(len(data) * 8):
        page[bit // 8] ^= 1 << bit % 8
        assert records.unpack(page, 0) is None, bit
        page[bit // 8] ^= 1 << bit % 8


def test_it_never_erases_by_itself_and_says_when_it_is_full():
    flash = FakeFlash(sectors=3)
    journal = Journal(flash, clock)
    try:
        for _ in range(10000):
            journal.append(1, bytes(100))
        raise AssertionError("a ring of three sectors cannot hold that")
    except Fault as fault:
        assert fault.code == JOURNAL_FULL
    assert flash.erases == 0


def test_the_ring_goes_round_when_room_is_made():
    flash = FakeFlash(sectors=12)
    journal = Journal(flash, clock)
    for n in range(2000):
        while journal.make_room():
            pass
        journal.append(1, b"%d" % n)
    kept = payloads(Journal(flash, clock), journal.first_seq)
    assert kept[-1] == b"1999" and len(kept) > 400
    assert kept == [b"%d" % n for n in range(2000 - len(kept), 2000)]
    assert journal.spare == journal.spare_most == 6


def test_wear_is_spread_over_all_sectors():
    flash = FakeFlash(sectors=12)
    journal = Journal(flash, clock)
    used = set()
    for _ in range(1500):
        while journal.make_room():
            pass
        journal.append(1, bytes(30))
        used.add(journal.order[-1][1])
    assert used == set(range(12))


def test_a_worn_sector_is_a_fault_not_a_lie():
    flash = FakeFlash()
    journal = Journal(flash, clock)
    journal.append(1, b"good")
    flash.worn = 0
    try:
        journal.append(1, b"lost")
        raise AssertionError("it did not notice")
    except Fault as fault:
        assert fault.code == JOURNAL_WRITE


def test_the_newest_round_is_found_without_reading_everything():
    flash = FakeFlash(sectors=12)
    journal = Journal(flash, clock)
    for round_ in range(1, 30):
        journal.round, journal.pending = round_, 1
        journal.append(3, b"open %d" % round_)
        for n in range(40 if round_ == 29 else 5):
            journal.append(4, b"wager with some length %d" % n * 3)
        if round_ < 29:
            journal.append(10, b"settled")
            journal.pending = 0
        while journal.make_room():
            pass
    found = [record[3] for record in Journal(flash, clock).last_round(3)]
    assert found[0] == b"open 29" and len(found) == 41


def test_a_journal_of_noise_is_an_empty_journal():
    flash = FakeFlash(sectors=4)
    for n in range(len(flash.memory)):
        flash.memory[n] = (n * 7919 >> 3) & 255
    journal = Journal(flash, clock)
    assert journal.next_seq == 1 and payloads(journal) == []
    while journal.make_room():
        pass
    assert journal.append(1, b"first") == 1


def test_a_torn_record_at_the_start_of_a_page_is_never_written_over():
    for length in (0, 10, 100, 200):
        flash = FakeFlash(sectors=4)
        journal = Journal(flash, clock)
        for n in range(3):
            journal.append(2, bytes([n]) * 190)  # each leaves a little room on its page
        flash.cut_after, flash.keep = 0, 20
        try:
            journal.append(2, b"\x01" * 190)
        except PowerCut:
            pass
        flash.cut_after = None
        again = Journal(flash, clock)
        assert again.torn == 1
        for _ in range(4):
            again.append(2, bytes(length))
        assert len(payloads(Journal(flash, clock))) == 7
