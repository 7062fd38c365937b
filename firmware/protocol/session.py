"""The board's end of the line: a command applied once, events told until acknowledged. PURE.

It owns no port and no clock: main.py feeds it the bytes that came and asks it what to send.
One command is under way at a time; its number rises. A number seen before is answered with
the answer it had; a lower one is an echo from the past and dropped. The events are the
journal's records: one is on the line at a time, and is sent again until its number is
acknowledged. Nothing here waits, and nothing is lost with it: all it holds is in the journal.
"""

from ..faults import Fault
from . import frames, messages

RETRY_FIRST_MS = 200
RETRY_MOST_MS = 2000
WORDS_BYTES = 150  # of a refusal, whatever it quotes: it must fit in a frame and in a record
AT = (("at_ms", "u"),)  # before an event's own fields: when, in milliseconds since the board started


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
        self.id = None
        self.role = messages.OBSERVE
        self.last_number = 0
        self.last_reply = b""
        self.cursor = None  # the event to send next; None: nobody follows
        self.sent_ms = None  # when it was last sent; None: not yet
        self.retry_ms = RETRY_FIRST_MS

    def feed(self, data):
        """Takes bytes from the line; returns the bytes to send back."""
        out = b""
        for kind, number, type_, body in self.deframer.feed(data):
            if kind == frames.COMMAND:
                out += self._command(number, type_, body)
            elif kind == frames.ACK:
                self._acknowledged(number)
        return out

    def next_event(self, now_ms):
        """(frame, is it a repeat) if an event is due on the line now, else None."""
        if self.cursor is None or not self.due(now_ms):
            return None
        record = self.journal.next_record(self.cursor)
        if record is None:
            return None
        self.cursor = record[0]
        repeat = self.sent_ms is not None
        self.retry_ms = min(self.retry_ms * 2, RETRY_MOST_MS) if repeat else RETRY_FIRST_MS
        self.sent_ms = now_ms
        seq, at_ms, type_, payload = record
        return frames.encode(frames.EVENT, seq, type_, messages.pack(AT, {"at_ms": at_ms}) + payload), repeat

    def due(self, now_ms):
        return self.sent_ms is None or now_ms - self.sent_ms >= self.retry_ms

    def deadline_ms(self):
        """When next_event wants to be asked again, or None."""
        if self.cursor is None or self.cursor >= self.journal.next_seq:
            return None
        return 0 if self.sent_ms is None else self.sent_ms + self.retry_ms

    def _acknowledged(self, number):
        if number == self.cursor:
            self._follow(number + 1)

    def _follow(self, event):
        self.cursor = max(event, self.journal.first_seq)
        self.sent_ms = None

    def _command(self, number, type_, body):
        row = messages.COMMANDS.get(type_)
        if row is not None and row[0] == "identify":
            return self._identify(number, type_, row, body)
        if self.id is None:
            stranger = Refusal("identify_first", "this session is unknown to the board")
            return self._refuse(number, type_, messages.STRANGER, stranger)
        if number < self.last_number:
            return b""
        if number > self.last_number:
            self.last_number = number
            self.last_reply = self._answer(number, type_, row, body)
        return self.last_reply

    def _identify(self, number, type_, row, body):
        """A new session id begins anew: numbers, and nobody follows until it is said."""
        try:
            asked = messages.unpack(row[2], body)
        except messages.Truncated:
            return b""
        if asked["session"] != self.id:
            self.id, self.cursor, self.last_number = asked["session"], None, number
            self.role = asked["role"] if asked["role"] in messages.ROLES else messages.OBSERVE
        return self._reply(number, type_, messages.OK, messages.pack(row[3], self.identity()))

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
            self._follow(asked["event"])
            return self._reply(number, type_, messages.OK, b"")
        asked["by"] = self.role
        handler = self.handlers.get(row[0])
        if handler is None:
            raise Refusal("not_here", "this table has no such act")
        return self._reply(number, type_, messages.OK, messages.pack(row[3], handler(asked) or {}))

    def _refuse(self, number, type_, status, refusal):
        fields = {"code": refusal.code, "message": refusal.message, "rule": refusal.rule}
        return self._reply(number, type_, status, messages.pack(messages.REFUSAL, fields))

    def _reply(self, number, type_, status, body):
        return frames.encode(frames.REPLY, number, type_, bytes([status]) + body)
