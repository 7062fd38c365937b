"""The journal's ring: what may go and what stays, worn sectors gone round, spoilt headers, torn erases."""

import binascii
import struct

from fakes import FakeFlash, first_key

from firmware.faults import JOURNAL_FULL, JOURNAL_NEWER, JOURNAL_WRITE, Fault
from firmware.journal import records
from firmware.journal.journal import Journal


def clock():
    return 1234


def payloads(journal, seq=1):
    return [record[3] for record in journal.records(seq)]


def test_it_never_erases_by_itself_and_says_when_it_is_full():
    flash = FakeFlash(sectors=3)
    journal = Journal(flash, clock, first_key)
    try:
        for _ in range(10000):
            journal.append(1, bytes(100))
        raise AssertionError("a ring of three sectors cannot hold that")
    except Fault as fault:
        assert fault.code == JOURNAL_FULL
    assert flash.erases == 0


def test_the_ring_goes_round_when_room_is_made():
    flash = FakeFlash(sectors=12)
    journal = Journal(flash, clock, first_key)
    for n in range(2000):
        journal.round, journal.pending = n, 0
        while journal.make_room():
            pass
        journal.append(1, b"%d" % n)
    kept = payloads(Journal(flash, clock, first_key), journal.first_seq)
    assert kept[-1] == b"1999" and len(kept) > 400
    assert kept == [b"%d" % n for n in range(2000 - len(kept), 2000)]
    assert len(journal.spare) == journal.spare_most == 6


def test_wear_is_spread_over_all_sectors():
    flash = FakeFlash(sectors=12)
    journal = Journal(flash, clock, first_key)
    used = set()
    for n in range(1500):
        journal.round, journal.pending = n, 0
        while journal.make_room():
            pass
        journal.append(1, bytes(30))
        used.add(journal.order[-1][1])
    assert used == set(range(12))


def test_a_worn_sector_is_gone_round_and_nothing_is_lost():
    flash = FakeFlash()
    journal = Journal(flash, clock, first_key)
    written = [b"%d" % n * 20 for n in range(40)]
    for n, data in enumerate(written):
        if n == 20:
            flash.worn = (0,)
        journal.append(1, data)
    assert journal.worn == [0] and payloads(journal) == written
    again = Journal(flash, clock, first_key)
    assert payloads(again) == written and again.append(1, b"on") == 41


def test_sectors_that_are_worn_when_they_are_begun_or_erased_are_passed_over():
    flash = FakeFlash(sectors=12)
    flash.worn = (3, 4, 7)
    journal = Journal(flash, clock, first_key)
    for n in range(900):
        journal.round, journal.pending, journal.retention = n, 0, 5
        while journal.make_room():
            pass
        journal.append(1, b"%d" % n * 10)
    assert sorted(journal.worn) == [3, 4, 7]
    kept = payloads(Journal(flash, clock, first_key), journal.first_seq)
    assert kept == [b"%d" % n * 10 for n in range(900 - len(kept), 900)]
    assert not {row[1] for row in journal.order} & {3, 4, 7}


def test_a_flash_that_is_worn_all_over_is_a_fault_not_a_lie():
    flash = FakeFlash()
    journal = Journal(flash, clock, first_key)
    journal.append(1, b"good")
    flash.worn = tuple(range(8))
    try:
        journal.append(1, b"lost")
        raise AssertionError("it did not notice")
    except Fault as fault:
        assert fault.code == JOURNAL_WRITE
    assert payloads(Journal(flash, clock, first_key)) == [b"good"]


def filled(flash, **of):
    """A journal that has been written until there was no room: (journal, games it took)."""
    journal = Journal(flash, clock, first_key)
    for name, value in of.items():
        setattr(journal, name, value)
    games = 0
    while True:
        journal.round, journal.pending = games, 0
        while journal.make_room():
            pass
        try:
            journal.append(1, b"%d" % games * 10)
        except Fault as fault:
            assert fault.code == JOURNAL_FULL
            return journal, games
        games += 1
        if games > 3000:
            return journal, games


def test_what_nobody_pulled_is_dropped_only_past_the_retention():
    journal, games = filled(FakeFlash(sectors=8), retention=10000)
    assert payloads(journal) == [b"%d" % n * 10 for n in range(games)], "it dropped what nobody had pulled"
    journal, games = filled(FakeFlash(sectors=8), retention=100)
    kept = payloads(journal, journal.first_seq)
    assert games > 3000 and 100 <= len(kept) < 1000


def test_a_pull_makes_room_in_a_full_journal():
    flash = FakeFlash(sectors=8)
    journal, games = filled(flash, retention=10000)
    assert journal.room() == 0 and not journal.make_room()
    journal.meters.pulled = games // 2
    assert journal.room() > 0
    while journal.make_room():
        pass
    journal.append(1, b"again")
    assert payloads(journal, games // 2 + 1)[-1] == b"again"
    assert journal.first_seq <= games // 2 + 1, "it dropped what was not pulled"


def test_the_newest_round_is_never_dropped_pulled_or_not():
    flash = FakeFlash(sectors=8)
    journal = Journal(flash, clock, first_key)
    journal.round, journal.pending = 1, 0
    journal.append(3, b"opened 0")
    journal.pending, journal.round = 1, 2
    journal.append(3, b"opened 1")
    try:
        while True:
            journal.meters.pulled = journal.next_seq - 1
            journal.make_room()
            journal.append(4, b"wager" * 20)
    except Fault as fault:
        assert fault.code == JOURNAL_FULL
    assert next(r[3] for r in journal.last_round(3)) == b"opened 1"


def test_a_journal_of_a_newer_version_is_left_as_it_is():
    flash = FakeFlash()
    journal = Journal(flash, clock, first_key)
    journal.append(1, b"of the newer firmware")
    newer = bytearray(flash.memory[: records.HEADER_BYTES - 4])
    newer[3] += 1
    flash.memory[: records.HEADER_BYTES] = newer + struct.pack("<I", binascii.crc32(newer) & 0xFFFFFFFF)
    kept = bytes(flash.memory)
    again = Journal(flash, clock, first_key)
    assert again.newer
    try:
        again.append(1, b"lost")
        raise AssertionError("written")
    except Fault as fault:
        assert fault.code == JOURNAL_NEWER
    while again.make_room():
        pass
    assert bytes(flash.memory) == kept and flash.erases == 0


def half_erase(flash, share, dice):
    """So many of a hundred bits of the first sector are set, as when the power goes in an erase."""
    for at in range(4096):
        for bit in range(8):
            dice = (dice * 1103515245 + 12345) & 0x7FFFFFFF
            if (dice >> 16) % 100 < share:
                flash.memory[at] |= 1 << bit
    return dice


def test_a_half_erased_segment_is_no_newer_firmwares_and_not_spoilt():
    dice = 1
    for share in (1, 3, 8, 20, 50, 90):
        for _ in range(6):
            flash = FakeFlash(sectors=8)
            journal = Journal(flash, clock, first_key)
            for n in range(140):
                journal.append(1, b"%d" % n * 30)
            dice = half_erase(flash, share, dice)
            again = Journal(flash, clock, first_key)
            again.meters.pulled = 140  # it was erased because it might go
            again.drop_half_erased()
            assert not again.newer, share
            assert all(again.spoilt_in(index) is None for index in range(len(again.order))), share
            assert again.append(1, b"on") == 141


def test_a_spoilt_header_costs_no_record():
    for sector in (0, 1, 2):
        for bit in range(0, records.HEADER_BYTES * 8, 13):
            flash = FakeFlash()
            journal = Journal(flash, clock, first_key)
            written = [b"%d" % n * 30 for n in range(110)]
            for data in written:
                journal.append(1, data)
            assert len(journal.order) == 3
            flash.memory[sector * 4096 + bit // 8] ^= 1 << bit % 8
            again = Journal(flash, clock, first_key)
            assert again.headless == 1 and not again.newer, (sector, bit)
            assert payloads(again) == written, (sector, bit)
            assert again.append(1, b"on") == 111


def test_a_journal_of_noise_is_an_empty_journal():
    flash = FakeFlash(sectors=4)
    for n in range(len(flash.memory)):
        flash.memory[n] = (n * 7919 >> 3) & 255
    journal = Journal(flash, clock, first_key)
    assert journal.next_seq == 1 and payloads(journal) == []
    while journal.make_room():
        pass
    assert journal.append(1, b"first") == 1
