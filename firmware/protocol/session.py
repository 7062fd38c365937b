"""The board's end of the line: a command applied once, events told until acknowledged. PURE.

It owns no port and no clock: main.py feeds it the bytes that came and asks it what to send.
Commands are numbered and applied in that order, several under way at a time (window.py): one
that comes too soon is held, one seen before is answered with the answer it had. A record that
a command writes carries the session and the number, so a host that comes back after the board
has restarted learns what was applied, and gets its answers from the journal. A host of protocol
1.0 has one command under way, and numbers that only rise. Nothing here waits.
"""

import struct

from ..faults import Fault
from . import frames, messages
from .telling import Teller
from .window import WINDOW, pack_marks

WORDS_BYTES = 150  # of a refusal, whatever it quotes: it must fit in a frame and in a record
SESSION_BYTES = 4
MASK = 0xFFFFFFFF
STATUS = [bytes([status]) for status in range(5)]
REFUSED_RECORD = messages.numbers(messages.EVENTS)["refused"]


class Refusal(Exception):
    """The table will not: (code, words, clause). A returned rejection, never a crash."""

    def __init__(self, code, message, rule=""):
        super().__init__(code, message)
        self.code = code
        self.message = messages.short(message, WORDS_BYTES)
        self.rule = rule


class Session:
    def __init__(self, handlers, journal, identity):
        self.handlers = handlers  # {command name: function(fields and "by", a role) -> answer fields or None}
        self.journal = journal
        self.identity = identity  # function() -> the fields of identify's answer
        self.deframer = frames.Deframer()
        self.teller = Teller(journal)
        self.id = None
        self.role = messages.OBSERVE
        self.windowed = False
        self.last_number = 0
        self.previous = 0  # the last number applied in the session that this one took over from
        self.replies = {}  # number: the answer it had, of the last few
        self.held = {}  # number: (type, body) of what came too soon
        self.recalled = None  # number: [(type, payload)] that it wrote before a restart
        self.frames = self.applied = self.repeated = self.too_soon = 0

    def feed(self, data, now_ms=0):
        """Takes bytes from the line; returns the bytes to send back."""
        out = b""
        for kind, number, type_, body in self.deframer.feed(data):
            self.frames += 1
            if kind == frames.COMMAND:
                out += self._command(number, type_, body)
            elif kind == frames.ACK:
                self._acknowledged(number, body, now_ms)
        return out

    def next_event(self, now_ms):
        """A frame, if an event is due on the line now, else None."""
        return self.teller.next_frame(now_ms)

    def deadline_ms(self):
        """When next_event wants to be asked again, or None."""
        return self.teller.deadline_ms()

    def _acknowledged(self, number, body, now_ms):
        """In a window it says whose word it is: an old one of another session counts for nothing."""
        if self.windowed and body[:SESSION_BYTES] != struct.pack("<I", self.id):
            return
        self.teller.acknowledged(number, body[SESSION_BYTES:], now_ms)

    # -- commands in their order

    def _command(self, number, type_, body):
        row = messages.COMMANDS.get(type_)
        if row is not None and row[0] == "identify":
            return self._identify(number, type_, row, body)
        if self.id is None:
            stranger = Refusal("identify_first", "this session is unknown to the board")
            return self._refuse(number, type_, messages.STRANGER, stranger)
        if number <= self.last_number:
            return self._again(number, type_, row, body)
        if self.windowed and number > self.last_number + 1:
            return self._hold(number, type_, body)
        out = self._take(number, type_, row, body)
        while self.held and self.last_number + 1 in self.held:
            number = self.last_number + 1
            type_, body = self.held.pop(number)
            out += self._take(number, type_, messages.COMMANDS.get(type_), body)
        return out

    def _hold(self, number, type_, body):
        """It came too soon: it waits, and the host hears which one is missing."""
        if number > self.last_number + WINDOW:
            return b""
        self.too_soon += 1
        self.held[number] = (type_, body)
        return frames.encode(frames.ACK, self.last_number, 0, pack_marks(self.last_number, self.held))

    def _take(self, number, type_, row, body):
        self.applied += 1
        self.last_number = number
        self.journal.cause = (self.id, number) if self.windowed else None
        try:
            reply = self._answer(number, type_, row, body)
        finally:
            self.journal.cause = None
        if self.windowed:
            self.replies.pop(number - WINDOW, None)
        else:
            self.replies = {}
        self.replies[number] = reply
        return reply

    def _identify(self, number, type_, row, body):
        """A new session id begins anew: numbers, and nobody follows until it is said."""
        try:
            asked = messages.unpack(row[2], body, older=True)
        except messages.Truncated:
            return b""
        if asked["session"] & MASK != self.id:
            self._begin(asked, number)
        fields = self.identity()
        fields["window"] = WINDOW
        fields["applied"], fields["previous"] = self.last_number, self.previous
        return self._reply(number, type_, messages.OK, messages.pack(row[3], fields))

    def _begin(self, asked, number):
        self.previous = self._applied_in(asked["previous"] & MASK)
        self.id = asked["session"] & MASK
        self.windowed = asked["minor"] >= 1
        self.role = asked["role"] if asked["role"] in messages.ROLES else messages.OBSERVE
        self.last_number = asked["before"] & MASK if self.windowed else number
        self.replies, self.held, self.recalled = {}, {}, None
        self.teller.stop()
        if self.windowed and asked["resumed"]:
            self._recollect()

    # -- what the journal knows of a session that was here before

    def _applied_in(self, session):
        """The last number applied in a session that is over."""
        if not session:
            return 0
        if session == self.id:
            return self.last_number
        found = self.journal.caused_by(session, 1)
        return max(found) if found else 0

    def _recollect(self):
        """The last numbers that wrote a record were applied; their answers are in what they wrote."""
        found = self.journal.caused_by(self.id, WINDOW)
        if found and max(found) >= self.last_number:
            self.last_number = max(found)
            self.recalled = found

    def _again(self, number, type_, row, body):
        """A number seen before has the answer it had; one from before a restart, its answer made again."""
        self.repeated += 1
        if number in self.replies or self.recalled is None or number <= self.last_number - WINDOW:
            return self.replies.get(number, b"")
        if number in self.recalled:
            return self._recall(number, type_, row, self.recalled[number])
        if row is not None and row[1] == messages.OBSERVE:
            return self._answer(number, type_, row, body)  # it only asks
        lost = Refusal("answer_lost", "it was refused before the board restarted, or changed nothing")
        return self._refuse(number, type_, messages.REFUSED, lost)

    def _recall(self, number, type_, row, records):
        """An answer's fields have the names they have in the records that the command wrote."""
        fields = {}
        for event, payload in records:
            fields.update(messages.unpack(messages.EVENTS[event][1], payload, older=True))
        if records[-1][0] == REFUSED_RECORD:
            refusal = Refusal(fields["why"], "refused before the board restarted", fields["rule"])
            return self._refuse(number, type_, messages.REFUSED, refusal)
        return self._reply(number, type_, messages.OK, messages.pack(row[3], fields))

    # -- one command

    def _answer(self, number, type_, row, body):
        if row is None:
            return self._refuse(number, type_, messages.BAD, Refusal("bad_command", "no such command"))
        try:
            return self._apply(number, type_, row, messages.unpack(row[2], body))
        except messages.Truncated:
            return self._refuse(number, type_, messages.BAD, Refusal("bad_command", "its fields do not fit"))
        except Refusal as refusal:
            return self._refuse(number, type_, messages.REFUSED, refusal)
        except Fault as fault:
            words = Refusal(str(fault.code), str(fault.detail))
            return self._refuse(number, type_, messages.FAULTED, words)

    def _apply(self, number, type_, row, asked):
        if row[0] == "follow":
            self.teller.follow(asked["event"], self.windowed)
            return self._reply(number, type_, messages.OK, b"")
        asked["by"] = self.role
        handler = self.handlers.get(row[0])
        if handler is None:
            raise Refusal("not_here", "this table has no such act")
        answer = handler(asked) or {}
        return self._reply(number, type_, messages.OK, messages.pack(row[3], answer) if row[3] else b"")

    def _refuse(self, number, type_, status, refusal):
        fields = {"code": refusal.code, "message": refusal.message, "rule": refusal.rule}
        return self._reply(number, type_, status, messages.pack(messages.REFUSAL, fields))

    def _reply(self, number, type_, status, body):
        return frames.frame_encode(frames.REPLY, number, type_, STATUS[status] + body)

    def stats(self):
        teller = self.teller
        return {
            "frames": self.frames,
            "bad": self.deframer.bad,
            "commands": self.applied,
            "repeated": self.repeated,
            "held": self.too_soon,
            "events": teller.told,
            "events_again": teller.again,
            "patience_ms": teller.patience.ms(),
        }
