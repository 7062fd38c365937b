"""The journal: on flash when append returns, found again at start, torn tails passed over."""

from fakes import FakeFlash, PowerCut, first_key

from firmware.journal import chain, records
from firmware.journal.journal import Journal


def clock():
    return 1234


def payloads(journal, seq=1):
    return [record[3] for record in journal.records(seq)]


def test_what_was_appended_is_there_after_a_restart():
    flash = FakeFlash()
    journal = Journal(flash, clock, first_key)
    written = [bytes([n]) * (n % 40) for n in range(150)]
    numbers = [journal.append(7, data) for data in written]
    assert numbers == list(range(1, 151))
    again = Journal(flash, clock, first_key)
    assert payloads(again) == written
    assert again.read(150) == (150, 1234, 7, written[-1])
    assert again.append(7, b"next") == 151
    assert again.read(151)[3] == b"next"
    assert again.read(152) is None and again.read(0) is None


def test_one_record_is_one_page_programmed():
    flash = FakeFlash()
    journal = Journal(flash, clock, first_key)
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
            journal = Journal(flash, clock, first_key)
            flash.cut_after, flash.keep = cut, keep
            done = []
            try:
                for n in range(40):
                    journal.append(2, bytes([n]) * 190)
                    done.append(bytes([n]) * 190)
            except PowerCut:
                pass
            flash.cut_after = None
            again = Journal(flash, clock, first_key)
            while again.make_room():
                pass
            found = payloads(again)
            assert found[: len(done)] == done, (cut, keep)
            assert len(found) - len(done) in (0, 1)
            again.append(2, b"after the cut")
            assert payloads(Journal(flash, clock, first_key)) == found + [b"after the cut"], (cut, keep)


def test_every_flipped_bit_in_a_record_is_noticed():
    data = records.pack(3, 9, 55, b"payload", chain.pads(first_key()), chain.START)
    page = bytearray(b"\xff" * 256)
    page[: len(data)] = data
    assert records.unpack(page, 0)[0] == (9, 55, 3, b"payload")
    for bit in range(len(data) * 8):
        page[bit // 8] ^= 1 << bit % 8
        assert records.unpack(page, 0) is None, bit
        page[bit // 8] ^= 1 << bit % 8


def test_a_flip_in_any_length_hides_no_record_behind_it():
    flash = FakeFlash(sectors=4)
    journal = Journal(flash, clock, first_key)
    for n in range(9):
        journal.append(1, b"%d" % n * 30)
    at = records.FIRST_RECORD
    for bit in range(8):
        flash.memory[at] ^= 1 << bit
        again = Journal(flash, clock, first_key)
        assert again.next_seq == 10 and payloads(again) == [b"%d" % n * 30 for n in range(1, 9)], bit
        assert again.spoilt_in(0) == 1
        flash.memory[at] ^= 1 << bit


def test_a_spoilt_record_is_found_by_its_number():
    flash = FakeFlash()
    journal = Journal(flash, clock, first_key)
    for n in range(110):
        journal.append(1, b"%d" % n * 30)
    assert [journal.spoilt_in(index) for index in range(3)] == [None, None, None]
    at = 4096 + 300
    flash.memory[at] ^= 16
    spoilt = journal.spoilt_in(1)
    assert spoilt is not None and journal.read(spoilt) is None and journal.read(spoilt + 1)


def test_the_newest_round_is_found_without_reading_everything():
    flash = FakeFlash(sectors=12)
    journal = Journal(flash, clock, first_key)
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
    found = [record[3] for record in Journal(flash, clock, first_key).last_round(3)]
    assert found[0] == b"open 29" and len(found) == 41


def test_a_torn_record_at_the_start_of_a_page_is_never_written_over():
    for length in (0, 10, 100, 200):
        flash = FakeFlash(sectors=4)
        journal = Journal(flash, clock, first_key)
        for n in range(3):
            journal.append(2, bytes([n]) * 190)  # each leaves a little room on its page
        flash.cut_after, flash.keep = 0, 20
        try:
            journal.append(2, b"\x01" * 190)
        except PowerCut:
            pass
        flash.cut_after = None
        again = Journal(flash, clock, first_key)
        assert again.torn == 1
        for _ in range(4):
            again.append(2, bytes(length))
        assert len(payloads(Journal(flash, clock, first_key))) == 7


def links(flash):
    """Every mac of the ring checked from the first key on: where the chain breaks, or None."""
    last, expected = chain.START, 1
    journal = Journal(flash, clock, first_key)
    for number, sector, *_ in journal.order:
        page = bytearray(256)
        key = chain.pads(chain.key_of(first_key(), number))
        flash.readblocks(sector, page, 0)
        header = records.unpack_header(page)
        content = bytes(page[: records.HEADER_CONTENT_BYTES])
        if header[5] != last or header[6] != chain.mac(key, last, content):
            return "header of segment %d" % number
        last = header[6]
        for record, content, mac in whole_records(flash, sector):
            if mac != chain.mac(key, last, content) or record[0] != expected:
                return "record %d" % expected
            last, expected = mac, record[0] + 1
    return None


def whole_records(flash, sector):
    page = bytearray(256)
    for number in range(16):
        flash.readblocks(sector, page, number * 256)
        at = 0 if number else records.FIRST_RECORD
        found = records.unpack(page, at)
        while found:
            end = found[1]
            yield found[0], bytes(page[at : end - records.TAIL_BYTES]), records.mac_before(page, end)
            at, found = end, records.unpack(page, end)


def test_the_chain_holds_over_segments_and_restarts():
    flash = FakeFlash()
    for start in range(4):
        journal = Journal(flash, clock, first_key)
        for n in range(60):
            journal.append(2, b"record %d of start %d" % (n, start) * 3)
    assert len(journal.order) >= 4 and links(flash) is None


def test_only_the_newest_key_is_on_the_flash():
    flash = FakeFlash()
    journal = Journal(flash, clock, first_key)
    for _ in range(150):
        journal.append(2, bytes(100))
    newest = journal.order[-1][0]
    assert newest >= 4
    memory = bytes(flash.memory)
    for number in range(1, newest):
        assert chain.key_of(first_key(), number) not in memory
    assert memory.count(chain.key_of(first_key(), newest)) == 1


def test_a_record_forged_without_its_key_breaks_the_chain():
    flash = FakeFlash()
    journal = Journal(flash, clock, first_key)
    for _ in range(5):
        journal.append(2, b"stake 100")
    at = bytes(flash.memory).find(b"stake 100") - records.HEAD_BYTES
    forged = records.pack(2, 1, 1234, b"stake 900", chain.pads(bytes(32)), chain.START)
    flash.memory[at : at + len(forged)] = forged
    assert payloads(Journal(flash, clock, first_key))[0] == b"stake 900"  # the crc is right
    assert links(flash) is not None  # the chain is not


def test_a_cut_while_a_key_is_wiped_is_made_good_at_the_next_start():
    for keep in (0, 20, 60, 80):
        flash = FakeFlash()
        journal = Journal(flash, clock, first_key)
        while len(journal.order) < 2:
            before = flash.programs
            flash.cut_after = None
            journal.append(2, bytes(200))
            if len(journal.order) == 1 and journal.at_page == 15:
                flash.cut_after, flash.keep = 1, keep  # the header is whole, the wiping is not
                try:
                    journal.append(2, bytes(200))
                except PowerCut:
                    break
        flash.cut_after = None
        assert before and Journal(flash, clock, first_key).order
        assert chain.key_of(first_key(), 1) not in bytes(flash.memory), keep


def test_hmac_is_rfc_4231s():
    digest = chain.hmac(chain.pads(b"\x0b" * 20), b"Hi There")
    assert digest[:8] == b"\xb0\x34\x4c\x61\xd8\xdb\x38\x53"
    digest = chain.hmac(chain.pads(b"Jefe"), b"what do ya want for nothing?")
    assert digest[:8] == b"\x5b\xdc\xc1\x46\xbf\x60\x75\x4e"


def test_a_segment_begun_early_leaves_the_next_records_one_program_each():
    flash = FakeFlash()
    journal = Journal(flash, clock, first_key)
    for _ in range(200):
        journal.append(2, bytes(100))
        journal.get_ready()
        before, segments = flash.programs, len(journal.order)
        journal.append(9, bytes(100))
        journal.append(10, bytes(100))
        assert flash.programs == before + 2 and len(journal.order) == segments
        if len(journal.order) == 7:
            return
    raise AssertionError("the ring was never filled")
