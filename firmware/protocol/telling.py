"""The board's events on the line: several under way, each told until the host has it on its log. PURE.

The events are the journal's records; there is no second queue. What is under way is a short
list of record numbers, and one that must be told again is read from the flash again. A host of
protocol 1.0 gets one at a time. Called by session.py; owns no port and no clock.
"""

from . import frames, messages
from .window import WINDOW, Patience, marked

AT = (("at_ms", "u"),)  # before an event's own fields: when, in milliseconds since the board started
STEP = (("step", "u"),)  # in a window, before that: how far behind the record before it this one is
SEQ, SENT_MS, TIMES, HAS = range(4)  # sent None: it is known to be lost, and due at once


class Teller:
    def __init__(self, journal):
        self.journal = journal
        self.told = 0  # frames, and how many of them again
        self.again = 0
        self.stop()

    def stop(self):
        """Nobody follows."""
        self.windowed = False
        self.upto = None  # the host has all up to this record on its log; None: nobody follows
        self.under_way = []  # [number, sent at, how often, whether the host has it], oldest first
        self.patience = Patience()

    def follow(self, event, windowed):
        self.stop()
        self.windowed = windowed
        self.upto = event - 1

    def next_frame(self, now_ms):
        """An event that is due on the line now, or None."""
        if self.upto is None:
            return None
        for place, row in enumerate(self.under_way):
            if self._is_due(place, row, now_ms):
                return self._tell_again(place, row, now_ms)
        return self._tell_new(now_ms)

    def deadline_ms(self):
        """When next_frame wants to be asked again, or None."""
        if self.upto is None:
            return None
        if self._has_room() and self._last() + 1 < self.journal.next_seq:
            return 0
        waits = [row[SENT_MS] for place, row in enumerate(self.under_way) if self._is_watched(place, row)]
        if None in waits:
            return 0
        return min(waits) + self.patience.ms() if waits else None

    def acknowledged(self, upto, marks, now_ms):
        """The host has all up to `upto`, and behind that what is marked."""
        if self.upto is None or upto >= self.journal.next_seq or (upto > self._last() and not self.windowed):
            return
        if upto > self._last():  # it had them before it followed anew
            self.under_way, self.upto = [], upto
            return
        came = marked(upto, marks)
        for row in self.under_way:
            if not row[HAS] and (row[SEQ] <= upto or row[SEQ] in came):
                row[HAS] = True
                took_ms = None if row[TIMES] > 1 or row[SENT_MS] is None else now_ms - row[SENT_MS]
                self.patience.heard(took_ms)
        self._let_go()
        for row in self.under_way:
            if len(came) > 1 and not row[HAS] and row[TIMES] == 1 and row[SEQ] < came[-2]:
                row[SENT_MS] = None  # two that were sent behind it have come: it was lost

    def _let_go(self):
        while self.under_way and self.under_way[0][HAS]:
            self.upto = max(self.upto, self.under_way.pop(0)[SEQ])

    def _last(self):
        return self.under_way[-1][SEQ] if self.under_way else self.upto

    def _has_room(self):
        return len(self.under_way) < (WINDOW if self.windowed else 1)

    def _is_watched(self, place, row):
        """A host that is silent is asked with the oldest alone."""
        return not row[HAS] and (place == 0 or self.patience.tries == 0)

    def _is_due(self, place, row, now_ms):
        if not self._is_watched(place, row):
            return False
        return row[SENT_MS] is None or now_ms - row[SENT_MS] >= self.patience.ms()

    def _tell_again(self, place, row, now_ms):
        record = self.journal.read(row[SEQ])
        if record is None:  # dropped since, or spoilt: the next one says how far behind it is
            self.under_way.pop(place)
            self._let_go()
            return self.next_frame(now_ms)
        if place == 0 and row[SENT_MS] is not None:
            self.patience.in_vain()
        row[SENT_MS], row[TIMES] = now_ms, row[TIMES] + 1
        self.again += 1
        return self._frame(record, row[SEQ] - self._before(place))

    def _tell_new(self, now_ms):
        if not self._has_room():
            return None
        record = self.journal.next_record(max(self._last() + 1, 0))
        if record is None:
            return None
        step = record[0] - self._last()
        self.under_way.append([record[0], now_ms, 1, False])
        return self._frame(record, step)

    def _before(self, place):
        return self.under_way[place - 1][SEQ] if place else self.upto

    def _frame(self, record, step):
        self.told += 1
        seq, at_ms, type_, payload = record
        body = messages.pack(AT, {"at_ms": at_ms}) + payload
        if not self.windowed:
            return frames.encode(frames.EVENT, seq, type_, body)
        return frames.encode(frames.STREAMED, seq, type_, messages.pack(STEP, {"step": step}) + body)
