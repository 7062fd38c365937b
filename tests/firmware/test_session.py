"""The board's end of the line: once per command, again and again per event, silent to nonsense."""

from fakes import FakeFlash, first_key

from firmware.faults import Fault
from firmware.journal.journal import Journal
from firmware.protocol import frames, messages
from firmware.protocol.session import Refusal, Session

NUMBER = messages.numbers(messages.COMMANDS)


class Line:
    def __init__(self):
        self.journal = Journal(FakeFlash(), lambda: 5, first_key)
        self.opened = 0
        handlers = {"open": self.open, "status": self.fail, "no_more_bets": self.refuse}
        self.session = Session(handlers, self.journal, lambda: {"major": 1, "boot": 3})

    def open(self, asked):
        self.opened += 1
        return {"round": self.opened}

    def fail(self, asked):
        raise Fault(30, "full")

    def refuse(self, asked):
        raise Refusal("wrong_state", "not now", "act sicbo 5.2")

    def send(self, number, name, **fields):
        type_ = NUMBER[name]
        body = messages.pack(messages.COMMANDS[type_][2], fields)
        return self.raw(frames.encode(frames.COMMAND, number, type_, body))

    def raw(self, data):
        answers = frames.Deframer().feed(self.session.feed(data))
        return [(number, body[0], body[1:]) for _, number, _, body in answers]

    def hello(self, session=77):
        return self.send(1, "identify", major=1, session=session, role="dealer")


def test_nothing_is_done_for_a_stranger():
    line = Line()
    assert line.send(5, "open")[0][1] == messages.STRANGER and line.opened == 0


def test_a_command_is_applied_once_however_often_it_arrives():
    line = Line()
    line.hello()
    first = line.send(2, "open")
    assert line.send(2, "open") == first and line.send(2, "open") == first
    assert line.opened == 1
    line.send(3, "open")
    assert line.send(2, "open") == [] and line.opened == 2


def test_a_new_session_counts_anew_and_the_same_one_does_not():
    line = Line()
    line.hello()
    line.send(9, "open")
    line.hello()
    assert line.send(2, "open") == []
    line.hello(session=78)
    assert len(line.send(2, "open")) == 1 and line.opened == 2


def test_refusals_and_faults_are_answers():
    line = Line()
    line.hello()
    _, status, body = line.send(2, "no_more_bets")[0]
    assert status == messages.REFUSED and messages.unpack(messages.REFUSAL, body)["rule"] == "act sicbo 5.2"
    assert line.send(3, "status")[0][1] == messages.FAULTED
    assert line.send(4, "wager")[0][1] == messages.REFUSED
    unknown = frames.encode(frames.COMMAND, 5, 200, b"")
    assert line.raw(unknown)[0][1] == messages.BAD
    short = frames.encode(frames.COMMAND, 6, NUMBER["wager"], b"")
    assert line.raw(short)[0][1] == messages.BAD


def event(session, now_ms):
    again = session.teller.again
    due = session.next_event(now_ms)
    if due is None:
        return None
    kind, number, type_, _ = frames.Deframer().feed(due)[0]
    assert kind == frames.EVENT
    return number, type_, session.teller.again > again


def test_events_are_repeated_until_acknowledged_and_then_the_next_comes():
    line = Line()
    line.hello()
    for _ in range(3):
        line.journal.append(3, b"\x01")
    assert event(line.session, 0) is None
    line.send(2, "follow", event=2)
    assert event(line.session, 0) == (2, 3, False)
    assert event(line.session, 199) is None
    assert event(line.session, 200) == (2, 3, True)
    assert event(line.session, 400) is None  # it waits longer each time
    assert event(line.session, 600) == (2, 3, True)
    line.raw(frames.encode(frames.ACK, 1, 0))
    assert event(line.session, 700) is None
    line.raw(frames.encode(frames.ACK, 2, 0))
    assert event(line.session, 700) == (3, 3, False)
    line.raw(frames.encode(frames.ACK, 3, 0))
    assert event(line.session, 9999) is None and line.session.deadline_ms() is None
    line.journal.append(3, b"\x02")
    assert line.session.deadline_ms() == 0 and event(line.session, 10000) == (4, 3, False)


def test_a_record_dropped_or_spoilt_does_not_stop_those_behind_it():
    line = Line()
    line.hello()
    for name in (b"first", b"second", b"third"):
        line.journal.append(3, name)
    line.send(2, "follow", event=1)
    assert event(line.session, 0) == (1, 3, False)
    line.raw(frames.encode(frames.ACK, 1, 0))
    flash = line.journal.flash
    flash.memory[bytes(flash.memory).find(b"second")] ^= 1
    assert event(line.session, 0) == (3, 3, False)


def test_following_from_the_past_starts_at_what_is_still_there():
    line = Line()
    line.hello()
    line.journal.append(3, b"\x01")
    line.send(2, "follow", event=0)
    assert event(line.session, 0) == (1, 3, False)
