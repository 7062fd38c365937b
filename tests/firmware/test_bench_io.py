"""A table's parts tried one by one: only between rounds, out of play, and everything off afterwards."""

from fakes import Clock, FakeFlash, Parts, first_key

from firmware import faults
from firmware.bench_io import MOST_EDGES, SILENCE_US, BenchIo
from firmware.devices.panel import Panel
from firmware.journal.journal import Journal
from firmware.protocol import messages
from firmware.protocol.session import Refusal
from firmware.tables import sic_bo
from firmware.tables.closed import Closed
from firmware.tables.record import Log, begin_meters

CLOSED_AT_REST = ("cover", "seal")


class FakePin:
    def __init__(self, level):
        self.level = level
        self.tap = None

    def value(self):
        return self.level


class FakeBoard:
    """Named inputs on GPIO 2 and up, and three pins of the header that nobody uses."""

    def __init__(self, clock):
        self.now_us = clock.now_us
        names = sic_bo.INPUTS
        self.pins = {name: {"gpio": 2 + number, "active": 0} for number, name in enumerate(names)}
        self.data = {"header": [0, 1] + [2 + number for number in range(len(names))] + [28]}
        self.parts = {}
        self.wires = {}

    def gpio(self, name, overrides):
        return overrides.get(name, self.pins[name]["gpio"])

    def input(self, name, overrides):
        return self.wires.setdefault(name, FakePin(0 if name in CLOSED_AT_REST else 1))

    def spare_input(self, gpio):
        return self.wires.setdefault(gpio, FakePin(1))

    def watch(self, pin, tap):
        pin.tap = tap

    def release(self, pin):
        pin.tap = None

    def edge_us(self, ticks):
        return self.now_us()


class Trial:
    """A sic-bo table whose contacts are real and whose lamps and display are fakes."""

    def __init__(self, table=None):
        self.clock = Clock(1000)
        self.board = FakeBoard(self.clock)
        self.flash = FakeFlash()
        self.journal = Journal(self.flash, self.clock.now_ms, first_key)
        self.log = Log(self.journal, self.clock.now_us)
        begin_meters(self.journal)
        self.parts = Parts(self.clock)
        self.parts.settings = {}
        self.parts.lamps.outputs, self.parts.display.digits = 56, 4
        self.parts.panel = Panel(self.board, sic_bo.INPUTS, {}, 2000, 12000, sic_bo.QUICK)
        self.table = table or sic_bo.SicBo("act1999", {}, self.parts, self.log, self.clock.now_us)
        self.io = BenchIo(self.board, self.log)
        self.io.table = self.table

    def ask(self, command, **fields):
        fields["by"] = "supervisor"
        return self.io.handlers()[command](fields)

    def refused(self, command, **fields):
        try:
            self.ask(command, **fields)
        except Refusal as refusal:
            return refusal.code
        return None

    def move(self, wire, level):
        pin = self.board.wires[wire]
        pin.level = level
        if pin.tap:
            pin.tap.on_edge(pin)

    def run(self, us):
        """Once round the loop, and again when the time is over."""
        for part in (0, us):
            self.clock.us += part
            (self.io if self.io.on else self.table).poll()

    def told(self, event):
        number = messages.numbers(messages.EVENTS)[event]
        fields = messages.EVENTS[number][1]
        return [messages.unpack(fields, row[3]) for row in self.journal.records(0) if row[2] == number]

    def opens(self):
        try:
            self.table.act("open", {})
        except Refusal as refusal:
            return refusal.code
        return True


def test_it_is_entered_and_left_on_record_and_no_round_opens_between():
    trial = Trial()
    before = trial.journal.meters.fields()
    assert trial.ask("io", on=1)["pins"] == len(sic_bo.INPUTS) + 3
    assert trial.opens() == "out_of_play"
    trial.ask("io", on=0)
    assert trial.told("io_entered") == [{"author": "supervisor"}]
    assert trial.told("io_left") == [{"author": "supervisor", "cause": "asked"}]
    assert trial.journal.meters.fields() == before
    assert trial.opens() is True


def test_a_round_under_way_is_left_alone():
    trial = Trial()
    trial.table.act("open", {})
    assert trial.refused("io", on=1) == "wrong_state" and not trial.io.on
    for command in ("io_levels", "io_edges"):
        assert trial.refused(command) == "wrong_state"
    assert trial.refused("io_motor", ms=100) == "wrong_state" and trial.parts.motor.levels[-1:] != [1]


def test_a_table_that_is_closed_has_no_parts_to_try():
    trial = Trial()
    trial.io.table = Closed(trial.log, faults.CONFIG_BAD, "")
    assert trial.refused("io", on=1) == "wrong_state"


def test_keys_in_io_are_told_and_do_nothing():
    trial = Trial()
    trial.ask("io", on=1)
    trial.run(0)
    trial.move("key_open", 0)
    trial.run(5000)
    index = sic_bo.INPUTS.index("key_open")
    assert trial.ask("io_levels", index=0)["closed"][index] == 1
    edges = trial.ask("io_edges")["edges"]
    assert edges[1] == index * 2 + 1 and len(edges) == 2
    assert trial.ask("io_pin", index=index) == {"name": "key_open", "gpio": 2 + index, "active": 0}
    assert trial.ask("io_edges")["edges"] == []
    trial.move("key_open", 1)
    trial.run(50000)
    trial.ask("io", on=0)
    trial.run(50000)
    assert trial.table.betting == "closed" and not trial.told("refused")


def test_a_key_on_a_pin_without_a_name_is_found():
    trial = Trial()
    trial.ask("io", on=1)
    trial.move(28, 0)
    trial.run(1000)
    index = trial.ask("io_edges")["edges"][1] // 2
    assert trial.ask("io_pin", index=index) == {"name": "", "gpio": 28, "active": 0}
    assert trial.ask("io_levels")["closed"][index] == 1
    assert trial.refused("io_pin", index=index + 1) == "no_pin"
    trial.ask("io", on=0)
    assert trial.board.wires[28].tap is None


def test_more_edges_than_are_kept_are_counted():
    trial = Trial()
    trial.ask("io", on=1)
    for number in range(MOST_EDGES + 20):
        trial.move("rest", number & 1)
        trial.run(100)
    assert trial.ask("io_edges")["lost"] == 20
    fetched = 28
    while trial.ask("io_edges")["edges"]:
        fetched += 28
    assert fetched >= MOST_EDGES


def test_a_host_that_falls_silent_leaves_everything_off():
    trial = Trial()
    trial.ask("io", on=1)
    trial.ask("io_lamps", outputs=[3, 55])
    trial.ask("io_digits", digits=[messages.IO_DARK, 8])
    assert trial.parts.lamps.now == (3, 55) and trial.parts.display.now == (None, 8)
    trial.ask("io_motor", ms=5000)
    assert trial.parts.motor.levels[-1] == 1
    trial.run(SILENCE_US)
    assert not trial.io.on and trial.told("io_left") == [{"author": "", "cause": "silence"}]
    assert trial.parts.lamps.now == () and trial.parts.display.now == ()
    assert trial.parts.motor.levels[-1] == 0
    assert trial.opens() is True


def test_one_who_listens_hears_the_table_play_and_has_nothing_in_hand():
    trial = Trial()
    before = trial.journal.next_seq
    assert trial.ask("io", on=2)["pins"] == len(sic_bo.INPUTS)
    assert trial.journal.next_seq == before
    for level in (0, 1):
        trial.move("key_open", level)
        trial.run(50000)
    assert trial.table.betting == "open"
    assert [code & 1 for code in trial.ask("io_edges")["edges"][1::2]] == [1, 0]
    for command in ("io_lamps", "io_motor", "io_tumble"):
        assert trial.refused(command, outputs=[1], ms=1, start=1) == "wrong_state"
    assert trial.refused("io", on=1) == "wrong_state"  # a round is open
    trial.ask("io", on=0)
    assert trial.table.betting == "open" and trial.parts.panel.heard is None


def test_a_listener_who_does_not_fetch_is_forgotten():
    trial = Trial()
    trial.ask("io", on=2)
    for number in range(MOST_EDGES + 1):
        trial.move("rest", number & 1)
        trial.run(100)
    assert trial.parts.panel.heard is None and trial.refused("io_edges") == "wrong_state"
    assert trial.io.edges == []


def test_asking_keeps_it_on():
    trial = Trial()
    trial.ask("io", on=1)
    for _ in range(5):
        trial.run(SILENCE_US - 1000)
        trial.ask("io_levels")
    assert trial.io.on


def test_the_motor_stops_by_itself_and_takes_no_more_than_it_may():
    trial = Trial()
    trial.ask("io", on=1)
    assert trial.refused("io_motor", ms=5001) == "too_long"
    trial.ask("io_motor", ms=300)
    assert trial.refused("io_motor", ms=300) == "wrong_state"
    trial.run(299000)
    assert trial.parts.motor.levels[-1] == 1
    trial.run(1000)
    assert trial.parts.motor.levels[-1] == 0
    trial.ask("io_motor", ms=300)
    trial.ask("io_motor", ms=0)
    assert trial.parts.motor.levels[-1] == 0


def test_one_run_of_the_tumbler():
    trial = Trial()
    trial.ask("io", on=1)
    assert trial.ask("io_tumble", start=1)["state"] == "running"
    for _ in range(3):
        trial.run(200000)
        trial.move("turn", 0)
        trial.run(10000)
        trial.move("turn", 1)
        trial.run(200000)
    assert trial.ask("io_tumble", start=0)["state"] == "settling"
    trial.run(600000)
    told = trial.ask("io_tumble", start=0)
    assert (told["state"], told["turns"], told["trouble"]) == ("rested", 3, "")
    assert not trial.told("rested") and not trial.told("activated")


def test_what_no_part_has_is_refused():
    trial = Trial()
    trial.ask("io", on=1)
    assert trial.refused("io_lamps", outputs=[56]) == "no_lamp"
    assert trial.refused("io_digits", digits=[1, 2, 3, 4, 5]) == "no_digit"
    assert trial.refused("io_digits", digits=[11]) == "no_digit"


def test_a_seal_opened_meanwhile_is_told_though_it_is_closed_again():
    trial = Trial()
    trial.ask("io", on=1)
    for level in (1, 0):
        trial.move("seal", level)
        trial.run(50000)
    assert trial.told("fault") == [{"code": faults.SEAL_BROKEN, "detail": ""}]
    trial.ask("io", on=0)
    assert trial.table.fault == faults.SEAL_BROKEN and trial.opens() == "fault"
