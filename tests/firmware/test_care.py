"""What the loop looks after, whatever the table does: the motor's time, lamps that fail, the result line."""

from fakes import Wire
from hands import Bench

from firmware import faults
from firmware.care import Care
from firmware.devices.lamp_watch import LampWatch
from firmware.devices.motor import Motor, Switch
from firmware.devices.result_line import ResultLine
from firmware.tables.record import newest_round
from rules_min.sic_bo import AREA_INDEX, AREAS

LAMP_MA = 20


class Uart:
    def __init__(self, bench):
        self.bench, self.sent = bench, []

    def txdone(self):
        return True

    def write(self, data):
        self.sent.append(data.decode())


class Cared:
    """A table on fakes whose lamps draw a current, whose motor is guarded and whose results are sent."""

    def __init__(self):
        self.bench = Bench()
        self.parts, self.clock = self.bench.parts, self.bench.clock
        self.dead, self.stuck = set(), set()
        self.gate = Wire()
        self.parts.motor = Motor(Switch(self.gate), self.clock.now_us, 20000)
        self.parts.tumbler.motor = self.parts.motor
        self.shown = self.parts.lamps
        self.shown.outputs = 56
        self.parts.lamps = LampWatch(self.shown, len(AREAS), self.read_ma, LAMP_MA, 0, 10, self.clock.now_us)
        self.uart = Uart(self.bench)
        self.parts.line = ResultLine(self.uart, False, self.clock.now_us)
        self.bench.log.listener = self.parts.line.hear
        self.care = Care(self.parts, self.bench.table, self.bench.log, self.clock.now_us)

    def read_ma(self):
        lit = {output for output in self.shown.now if output < len(AREAS)}
        return LAMP_MA * len(lit - self.dead | self.stuck)

    def run(self, ms):
        """The loop, by its own deadlines."""
        end_us = self.clock.us + ms * 1000
        turns = 0
        while self.clock.us < end_us:
            turns += 1
            assert turns < 20 + ms, "the loop never waits"
            due = [at for at in (self.care.deadline_us(), self.bench.table.deadline_us()) if at is not None]
            self.clock.us = max(self.clock.us, min(due + [end_us]))
            self.bench.table.poll()
            self.care.poll()
        return self

    def told(self, *names):
        return [fields for name, fields in newest_round(self.bench.journal) if name in names]


def to_entry(cared):
    bench = cared.bench
    bench.act("open")
    bench.act("activate")
    for _ in range(3):
        cared.run(300)
        bench.parts.panel.change("turn", 1, cared.clock.us)
    cared.run(1000)
    bench.act("no_more_bets")
    bench.parts.panel.change("cover", 0)
    cared.run(100)
    return bench


def test_a_dead_lamp_is_on_the_record_with_its_area_and_clause_and_the_result_stands():
    cared = Cared()
    bench = to_entry(cared)
    cared.dead = {AREA_INDEX["small"]}
    for key in ("key3", "key3", "key4", "key_entry"):
        bench.key(key)
    assert bench.table.dice == (3, 3, 4) and len(cared.told("settled")) == 1, "nothing waited for the lamp"
    cared.run(300)
    (failed,) = cared.told("lamp_failed")
    assert (failed["name"], failed["area"]) == ("small", AREA_INDEX["small"])
    assert (failed["rule"], failed["how"], failed["round"]) == ("act sicbo 8.5", "dark", 1)
    cared.run(20000)
    assert len(cared.told("lamp_failed")) == 1 and len(cared.told("result")) == 1


def test_no_area_is_lit_to_find_a_lamp_while_a_round_is_on():
    cared = Cared()
    cared.run(100)
    cared.stuck = {AREA_INDEX["big"]}
    pictures = []
    cared.shown.watch = pictures.append
    cared.bench.act("open")
    cared.run(5000)
    assert set(pictures) == {()}
    (failed,) = cared.told("lamp_failed")
    assert (failed["name"], failed["area"]) == ("", len(AREAS))
    cared.bench.act("no_spin", cause="invalidated")
    cared.run(5000)
    assert [fields["name"] for fields in cared.told("lamp_failed")] == ["", "big"]
    assert (0,) in pictures and pictures[-1] == ()


def test_nothing_is_looked_for_while_the_result_is_awaited():
    cared = Cared()
    bench = to_entry(cared)
    cared.stuck = {1}
    cared.run(5000)
    assert bench.table.is_awaited() and cared.told("lamp_failed") == []


def test_a_motor_that_runs_on_is_switched_off_and_the_round_is_void():
    cared = Cared()
    cared.bench.act("open")
    cared.bench.act("activate")
    for _ in range(2):
        cared.run(2900)
        cared.parts.tumbler.turned(cared.clock.us)
    cared.parts.tumbler.stall_us = 10**9  # whatever else fails
    cared.run(20000)
    assert cared.gate.levels == [0, 1, 0]
    assert cared.bench.table.fault == faults.MOTOR_OVERRUN
    (voided,) = cared.told("voided")
    assert voided["cause"] == "malfunction"


def test_stop_is_the_motor_off():
    cared = Cared()
    cared.bench.act("open")
    cared.bench.act("activate")
    cared.care.stop()
    assert cared.gate.levels[-1] == 0


def test_the_line_says_what_is_on_the_journal():
    cared = Cared()
    bench = to_entry(cared)
    for key in ("key6", "key1", "key1", "key_entry"):
        bench.key(key)
    assert cared.uart.sent == [] and len(cared.told("result")) == 1
    cared.run(50)
    assert cared.uart.sent == ["R 000001 1 1 1 6 8 D1\r\n"]
    bench.key("key_entry")
    cared.run(50)
    assert cared.uart.sent[1:] == ["C 000001 1\r\n"]
