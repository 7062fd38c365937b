"""The window, both ways: what is lost is found; what was applied is known after a restart."""

import struct

from fakes import FakeFlash, first_key

from firmware.journal.journal import Journal
from firmware.protocol import frames, messages
from firmware.protocol.session import Session
from firmware.protocol.window import WINDOW, Patience, marked, pack_marks

NUMBER = messages.numbers(messages.COMMANDS)
OPENED, REFUSED = 3, 14


class Line:
    """A board whose `open` writes a record, on a flash that a restart leaves as it is."""

    def __init__(self):
        self.flash = FakeFlash()
        self.opened = 0
        self.start()

    def start(self):
        self.journal = Journal(self.flash, lambda: 5, first_key)
        handlers = {"open": self.open, "status": lambda asked: {"round": 99}, "activate": self.refuse}
        handlers["clear_fault"] = lambda asked: None
        self.session = Session(handlers, self.journal, lambda: {"major": 1, "minor": 1})

    def open(self, asked):
        self.opened += 1
        fields = {"round": self.opened, "game": "sic_bo", "edition": "act1999"}
        self.journal.append(OPENED, messages.pack(messages.EVENTS[OPENED][1], fields))
        return {"round": self.opened}

    def refuse(self, asked):
        from firmware.protocol.session import Refusal

        fields = {"round": 1, "act": "activate", "why": "cover_off", "rule": "act sicbo 5.1"}
        self.journal.append(REFUSED, messages.pack(messages.EVENTS[REFUSED][1], fields))
        raise Refusal("cover_off", "the cover is off", "act sicbo 5.1")

    def frame(self, number, name, **fields):
        type_ = NUMBER[name]
        return frames.encode(
            frames.COMMAND, number, type_, messages.pack(messages.COMMANDS[type_][2], fields)
        )

    def send(self, number, name, **fields):
        return self.raw(self.frame(number, name, **fields))

    def raw(self, data, now_ms=0):
        return frames.Deframer().feed(self.session.feed(data, now_ms))

    def hello(self, before=100, session=77, resumed=0, previous=0):
        fields = {"major": 1, "minor": 1, "session": session, "role": "dealer", "before": before}
        answer = self.send(1, "identify", resumed=resumed, previous=previous, **fields)[0][3]
        return messages.unpack(messages.IDENTITY, answer[1:])


def status_of(answers):
    return [(number, body[0]) for _, number, _, body in answers]


def test_marks_there_and_back():
    for numbers in ([], [12], [12, 13, 19, 20, 40]):
        assert marked(10, pack_marks(10, numbers)) == numbers
    assert marked(10, b"\x01") == [12]


def test_patience_is_learned_and_doubles_in_vain():
    patience = Patience()
    assert patience.ms() == 200
    patience.in_vain()
    assert patience.ms() == 400
    for _ in range(20):
        patience.in_vain()
    assert patience.ms() == 2000
    for _ in range(30):
        patience.heard(100)
    assert 100 <= patience.ms() <= 130
    for _ in range(50):
        patience.heard(1)
    assert patience.ms() == 60


def test_commands_that_come_out_of_order_are_applied_in_order():
    line = Line()
    line.hello()
    ((kind, upto, _, marks),) = line.send(103, "open")
    assert (kind, upto, marked(upto, marks)) == (frames.ACK, 100, [103]) and line.opened == 0
    line.send(102, "open")
    answers = line.send(101, "open")
    assert status_of(answers) == [(101, 0), (102, 0), (103, 0)] and line.opened == 3
    assert line.send(102, "open")[0][3] == b"\0\x02" and line.opened == 3


def test_what_is_beyond_the_window_or_long_past_is_dropped():
    line = Line()
    line.hello()
    assert line.send(101 + WINDOW, "open") == []
    for number in range(101, 120):
        line.send(number, "open")
    assert line.send(119 - WINDOW, "open") == [] and line.opened == 19
    assert len(line.session.replies) == WINDOW


def test_a_window_of_events_is_told_and_only_the_lost_one_again():
    line = Line()
    line.hello()
    for _ in range(20):
        line.journal.append(OPENED, b"\x01")
    line.send(101, "follow", event=1)
    told = []
    while True:
        frame = line.session.next_event(1000)
        if frame is None:
            break
        told.append(frames.Deframer().feed(frame)[0][:2])
    assert told == [(frames.STREAMED, seq) for seq in range(1, WINDOW + 1)]
    line.raw(acknowledge(1, [3, 4]), 1010)  # 2 is missing
    assert frames.Deframer().feed(line.session.next_event(1010))[0][1] == 2
    assert frames.Deframer().feed(line.session.next_event(1010))[0][1] == 9
    assert line.session.next_event(1010) is None
    line.raw(acknowledge(9, []), 1020)
    assert frames.Deframer().feed(line.session.next_event(1020))[0][1] == 10


def acknowledge(upto, came, session=77):
    return frames.encode(frames.ACK, upto, 0, struct.pack("<I", session) + pack_marks(upto, came))


def test_an_old_acknowledgement_of_another_session_counts_for_nothing():
    line = Line()
    line.hello()
    line.journal.append(OPENED, b"\x01")
    line.send(101, "follow", event=1)
    line.session.next_event(0)
    line.raw(acknowledge(1, [], session=78))
    assert line.session.teller.upto == 0
    line.raw(acknowledge(1, []))
    assert line.session.teller.upto == 1


def test_a_host_that_follows_from_before_what_it_has_is_not_told_for_ever():
    line = Line()
    line.hello()
    for _ in range(30):
        line.journal.append(OPENED, b"\x01")
    line.send(101, "follow", event=2)
    while line.session.next_event(0):
        pass
    line.raw(acknowledge(20, []))
    assert frames.Deframer().feed(line.session.next_event(0))[0][1] == 21
    line.raw(acknowledge(999, []))
    assert line.session.teller.upto == 20


def test_a_silent_host_is_asked_with_the_oldest_alone():
    line = Line()
    line.hello()
    for _ in range(20):
        line.journal.append(OPENED, b"\x01")
    line.send(101, "follow", event=1)
    seen = []
    for now_ms in range(0, 60_000, 50):
        frame = line.session.next_event(now_ms)
        while frame:
            seen.append(frames.Deframer().feed(frame)[0][1])
            frame = line.session.next_event(now_ms)
    assert seen[:WINDOW] == list(range(1, WINDOW + 1)) and set(seen[WINDOW:]) == {1} and len(seen) < 50


def test_a_step_says_how_many_records_are_gone():
    line = Line()
    line.hello()
    for name in (b"first", b"second", b"third"):
        line.journal.append(OPENED, name)
    line.flash.memory[bytes(line.flash.memory).find(b"second")] ^= 1
    line.send(101, "follow", event=1)
    steps = [frames.Deframer().feed(line.session.next_event(0))[0] for _ in range(2)]
    assert [(number, body[0]) for _, number, _, body in steps] == [(1, 1), (3, 2)]


# -- after a restart


def test_the_journal_knows_after_a_restart_what_was_applied_and_answers_again():
    line = Line()
    line.hello()
    for number in (101, 102):
        line.send(number, "open")
    line.send(103, "activate")
    line.send(104, "status")
    line.start()
    assert status_of(line.send(103, "activate")) == [(103, messages.STRANGER)]
    assert line.hello(resumed=1)["applied"] == 103
    assert line.send(102, "open")[0][3] == b"\0\x02" and line.opened == 2
    refused = line.send(103, "activate")[0][3]
    assert refused[0] == messages.REFUSED and b"act sicbo 5.1" in refused
    assert line.send(104, "status")[0][3][0] == messages.OK
    assert line.send(105, "open")[0][3] == b"\0\x03" and line.opened == 3


def test_what_left_no_record_is_asked_anew_or_said_to_be_lost():
    line = Line()
    line.hello()
    line.send(101, "status")
    line.send(102, "clear_fault")
    line.send(103, "open")
    line.start()
    line.hello(resumed=1)
    assert line.send(101, "status")[0][3][0] == messages.OK
    lost = line.send(102, "clear_fault")[0][3]
    assert lost[0] == messages.REFUSED and b"answer_lost" in lost


def test_a_restart_goes_on_behind_the_last_answer_where_nothing_was_written():
    line = Line()
    line.hello()
    line.send(101, "status")
    line.start()
    assert line.hello(before=101, resumed=1)["applied"] == 101
    assert line.send(102, "open")[0][3] == b"\0\x01"


def test_a_host_that_takes_over_learns_what_the_one_before_it_had_done():
    line = Line()
    line.hello()
    for number in (101, 102, 103):
        line.send(number, "open")
    assert line.hello(before=500, session=78, previous=77)["previous"] == 103
    assert line.hello(before=500, session=78, previous=77)["previous"] == 103
    assert line.send(104, "open") == [] and line.opened == 3
    line.start()
    assert line.hello(before=900, session=79, previous=77)["previous"] == 103
    assert line.hello(before=900, session=80, previous=12345)["previous"] == 0


def test_a_record_reads_the_same_with_its_cause_and_without():
    line = Line()
    line.hello()
    line.send(101, "open")
    line.open({})
    with_cause, without = line.journal.read(1), line.journal.read(2)
    assert with_cause[2:] == (OPENED, b"\x01" + without[3][1:])
    assert line.journal.caused_by(77, 8) == {101: [with_cause[2:]]}
    again = Journal(line.flash, lambda: 5, first_key)
    assert again.read(1) == with_cause and again.torn == 0


def test_absurd_numbers_of_a_host_stop_nobody():
    line = Line()
    line.hello(before=1 << 69, session=1 << 62, previous=1 << 60)
    assert line.send(5, "open") == [] or line.opened <= 1
    line.raw(frames.encode(frames.ACK, 4_000_000_000, 0, b"\xff" * 200))
    line.hello()
    assert line.send(101, "open")[0][3][0] == messages.OK
