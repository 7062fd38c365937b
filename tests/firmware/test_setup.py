"""The configuration over the line: whole or not at all, announced where a rule wants it, on record."""

import json

from fakes import Clock, FakeFlash, first_key

from firmware.config_store import ConfigStore, text_hash
from firmware.journal.journal import Journal
from firmware.protocol import messages
from firmware.setup import Setup
from firmware.tables.record import Log
from firmware.utc import Utc

MINUTE_MS = 60000
NOON = 1800000000000


class FakeBoard:
    def __init__(self):
        self.pins = self.parts = {}

    def bad_pins(self, overrides):
        return None


class Idle:
    def is_idle(self):
        return True


class Office:
    """A board's configuration, and the people who change it."""

    def __init__(self, flashes=None):
        self.flashes = flashes or (FakeFlash(2), FakeFlash(2), FakeFlash(8))
        self.clock = Clock()
        self.journal = Journal(self.flashes[2], self.clock.now_ms, first_key)
        log = Log(self.journal, self.clock.now_us)
        self.utc = Utc(self.clock.now_ms, log)
        stores = [ConfigStore(flash) for flash in self.flashes[:2]]
        self.journal.round = 1  # people have played here
        self.setup = Setup(stores[0], stores[1], None, FakeBoard(), log, self.utc, lambda: None)

    def restart(self):
        return Office(self.flashes)

    def apply(self, limits, edition="qld1985", by="supervisor", **sections):
        sections["table"] = {"game": "sic_bo", "edition": edition}
        sections["limits"] = limits
        text = json.dumps(sections).encode()
        do = self.setup.handlers(Idle())
        for at in range(0, len(text), 192):
            do["config_part"]({"offset": at, "part": text[at : at + 192]})
        return do["config_commit"]({"length": len(text), "hash": text_hash(text), "by": by})

    def minimum(self):
        return self.setup.settings()[0]["limits"]["*"][0]

    def know_the_time(self):
        self.utc.handlers()["time_set"]({"utc_ms": NOON + self.clock.now_ms()})

    def wait(self, minutes):
        for _ in range(minutes * 2):
            self.clock.us += MINUTE_MS * 500
            self.setup.poll()

    def events(self, name):
        fields = dict(messages.EVENTS.values())[name]
        number = messages.numbers(messages.EVENTS)[name]
        return [messages.unpack(fields, r[3]) for r in self.journal.records(1) if r[2] == number]


def opened():
    office = Office()
    office.know_the_time()
    office.apply({"*": [500, 20000]})
    return office


def test_a_higher_minimum_waits_twenty_minutes_of_a_known_clock():
    # qld s74(3)
    office = opened()
    answer = office.apply({"*": [1000, 20000]})
    assert (answer["due_ms"], answer["rule"]) == (NOON + 20 * MINUTE_MS, "qld s74(3)")
    office.wait(19)
    assert office.minimum() == 500
    office.wait(2)
    assert office.minimum() == 1000 and not office.setup.waiting.text
    noticed, configured = office.events("noticed"), office.events("configured")
    assert noticed[0]["changed"] == "limits.*" and noticed[0]["rule"] == "qld s74(3)"
    assert [row["author"] for row in configured] == ["supervisor", "supervisor"]


def test_lower_limits_other_keys_and_other_editions_count_at_once():
    office = opened()
    assert "due_ms" not in office.apply({"*": [100, 20000]})
    office.apply({"*": [100, 20000]}, timing={"turns": 9})
    assert office.events("configured")[-1]["changed"] == "timing.turns"
    office = opened()
    office.apply({"*": [500, 20000]}, edition="qld2004")
    assert "due_ms" not in office.apply({"*": [900, 20000]}, edition="qld2004")  # its notice is repealed
    office.apply({"*": [500, 20000]}, edition="act1999")
    assert "due_ms" not in office.apply({"*": [900, 20000]}, edition="act1999")  # act sicbo 3.1: no period


def test_without_a_clock_the_change_waits_for_one_and_then_for_its_notice():
    office = Office()
    office.apply({"*": [500, 20000]})
    assert office.apply({"*": [1000, 20000]})["due_ms"] == 0
    office.wait(60)
    assert office.minimum() == 500
    office.know_the_time()
    office.wait(19)
    assert office.minimum() == 500
    office.wait(2)
    assert office.minimum() == 1000


def test_the_wait_outlives_the_power_by_the_clock():
    office = opened()
    office.apply({"*": [1000, 20000]})
    office.wait(10)
    again = office.restart()
    again.wait(30)
    assert again.minimum() == 500, "its clock is not known"
    again.utc.handlers()["time_set"]({"utc_ms": NOON + 15 * MINUTE_MS})
    again.setup.poll()
    assert again.minimum() == 500
    again.utc.handlers()["time_set"]({"utc_ms": NOON + 21 * MINUTE_MS})
    again.setup.poll()
    assert again.minimum() == 1000


def test_a_clock_set_ahead_does_not_shorten_the_notice():
    office = opened()
    office.apply({"*": [1000, 20000]})
    office.utc.handlers()["time_set"]({"utc_ms": NOON + 60 * MINUTE_MS})
    office.wait(19)
    assert office.minimum() == 500
    office.wait(2)
    assert office.minimum() == 1000


def test_a_later_word_replaces_what_waits():
    office = opened()
    office.apply({"*": [1000, 20000]})
    office.apply({"*": [400, 20000]})
    office.wait(30)
    assert office.minimum() == 400 and not office.restart().setup.waiting.text


def test_a_table_at_which_nobody_has_played_needs_no_notice():
    office = opened()
    office.journal.round = 0
    assert "due_ms" not in office.apply({"*": [1000, 20000]})


def test_who_and_when_are_in_the_copies_themselves():
    office = opened()
    store = ConfigStore(office.flashes[0])
    assert (store.author, store.given_ms) == ("supervisor", NOON)
