"""A sic-bo table on fakes, with hands. Runs under CPython and MicroPython alike."""

from fakes import Clock, FakeFlash, Parts, first_key

from firmware.access import Access
from firmware.journal.journal import Journal
from firmware.protocol.session import Refusal
from firmware.tables import sic_bo
from firmware.tables.record import Log, begin_meters, newest_round
from rules_min import sic_bo as rules


class Bench:
    """A table on fakes, with hands."""

    def __init__(self, flash=None, limits=None, watch=None, edition="act1999", covered=True, turns=3):
        self.flash = flash or FakeFlash()
        self.clock = Clock()
        self.journal = Journal(self.flash, self.clock.now_ms, first_key)
        self.parts = Parts(self.clock, watch, turns)
        self.log = Log(self.journal, self.clock.now_us)
        begin_meters(self.journal)
        self.table = sic_bo.SicBo(edition, limits or {}, self.parts, self.log, self.clock.now_us, covered)

    def ask(self, command, by="supervisor", **fields):
        """A command about the record, as a host gives it."""
        fields["by"] = by
        return Access(self.journal, 4096, self.log, self.table).handlers()[command](fields)

    def restart(self):
        return Bench(self.flash)

    def act(self, name, **fields):
        self.table.act(name, fields)

    def wager(self, ref, code, stake, player=""):
        self.act("wager", ref=ref, code=code, stake=stake, player=player)

    def refused(self, name, **fields):
        try:
            self.act(name, **fields)
        except Refusal as refusal:
            return refusal.code
        return None

    def key(self, name):
        self.parts.panel.change(name, 1)
        self.parts.panel.change(name, 0)
        self.table.poll()

    def cover(self, on):
        self.parts.panel.change("cover", on)
        self.table.poll()

    def tumble(self, turns=3):
        for _ in range(turns):
            self.clock.us += 400000
            self.parts.panel.changes.append(("turn", 1, self.clock.us))
            self.table.poll()
        self.clock.us += 4000000
        self.table.poll()

    def to_called(self):
        self.act("open")
        self.wager(1, "small", 500, "p1")
        self.wager(2, "double:3", 200)
        self.wager(3, "triple:6", 100)
        self.act("activate")
        self.tumble()
        self.act("no_more_bets")

    def enter(self, *numbers):
        for number in numbers:
            self.key("key%d" % number)
        self.key("key_entry")

    def events(self):
        return [event for event, _ in newest_round(self.journal)]

    def last(self, event):
        found = [fields for name, fields in newest_round(self.journal) if name == event]
        return found[-1] if found else None

    def lit(self):
        return {rules.AREAS[n] for n in self.parts.lamps.now}

    def state(self):
        return self.table.betting, self.table.device
