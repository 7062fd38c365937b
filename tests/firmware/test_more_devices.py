"""Matrix keys, motor drives, WS2812 and HT16K33, lamps that fail, the result line: each against its part."""

from firmware.devices import matrix as matrix_module
from firmware.devices import motor as motor_module
from firmware.devices.digits import DIGITS
from firmware.devices.display_ht16k33 import Ht16k33
from firmware.devices.lamps_ws2812 import PixelLamps
from firmware.devices.matrix import SCAN_US
from firmware.devices.motor import HBridge, Motor, Switch
from firmware.devices.panel import Panel

matrix_module.sleep_us = lambda us: None  # the same under CPython and MicroPython


class Clock:
    us = 0

    def now_us(self):
        return self.us


# -- keys as a matrix


class Grid:
    """Switches between rows and columns, no diodes: what is closed conducts both ways."""

    def __init__(self, rows, columns):
        self.low = [False] * rows
        self.width = columns
        self.closed = set()  # (row, column)

    def row(self, number):
        def write(level):
            self.low[number] = not level

        return write

    def column(self, number):
        def read():
            rows = {n for n, low in enumerate(self.low) if low}
            while True:
                columns = {c for r, c in self.closed if r in rows}
                back = rows | {r for r, c in self.closed if c in columns}
                if back == rows:
                    return 0 if number in columns else 1
                rows = back

        return read


class Keys:
    """A panel of twelve keys, a to l, three a row; time passes a scan at a time."""

    def __init__(self):
        self.grid = Grid(4, 3)
        self.us, self.pins, self.watched = 0, {}, {}
        self.panel = Panel(self, (), {}, 2000, 12000, {})
        rows = [self.grid.row(n) for n in range(4)]
        self.panel.add_matrix(rows, [self.grid.column(n) for n in range(3)], "abcdefghijkl", (2000, 12000))
        self.said = []
        self.run(5)

    def now_us(self):
        return self.us

    def watch(self, pin, tap):
        self.watched[pin] = tap

    def unwatch(self, pin, tap):
        self.watched.pop(pin, None)

    def press(self, keys):
        self.grid.closed |= {divmod("abcdefghijkl".index(key), 3) for key in keys}
        self.panel.matrix.wake()  # as the edge of a column would

    def release(self, keys):
        self.grid.closed -= {divmod("abcdefghijkl".index(key), 3) for key in keys}

    def run(self, scans, step_us=SCAN_US):
        for _ in range(scans):
            self.us += step_us
            self.said += [(name, closed) for name, closed, _ in self.panel.poll()]

    def heard(self):
        said, self.said = self.said, []
        return said


def test_every_key_of_the_matrix_is_itself():
    keys = Keys()
    for key in "abcdefghijkl":
        keys.press(key)
        keys.run(5)
        keys.release(key)
        keys.run(20)
        assert keys.heard() == [(key, 1), (key, 0)]


def test_an_idle_matrix_sleeps_and_is_woken_by_an_edge():
    keys = Keys()
    assert len(keys.watched) == 3 and keys.panel.deadline_us() is None
    assert keys.grid.low == [True] * 4, "any key pulls its column down"
    keys.press("e")
    assert not keys.watched and keys.panel.deadline_us() is not None
    keys.run(5)
    assert keys.panel.closed("e") == 1
    keys.release("e")
    keys.run(30)
    assert keys.heard() == [("e", 1), ("e", 0)] and len(keys.watched) == 3


def test_a_key_that_closes_while_it_falls_asleep_is_not_slept_through():
    keys = Keys()
    watch = keys.panel.matrix.watch

    def late(on):
        if on:
            keys.grid.closed = {(0, 0)}
        watch(on)

    keys.panel.matrix.watch = late
    keys.panel.matrix.wake()
    keys.run(5)
    assert keys.heard() == [("a", 1)]


def test_two_keys_at_once_are_two_keys():
    for pair in ("ab", "ad", "ae", "cl"):
        keys = Keys()
        keys.press(pair)
        keys.run(5)
        assert sorted(keys.heard()) == [(pair[0], 1), (pair[1], 1)]


def test_three_on_a_rectangle_count_as_none_and_no_fourth_appears():
    keys = Keys()
    keys.press("abd")  # e is on the fourth corner
    keys.run(10)
    assert keys.heard() == []
    keys.release("abd")
    keys.run(30)
    assert keys.heard() == []
    keys.press("e")
    keys.run(5)
    assert keys.heard() == [("e", 1)]


def test_a_third_key_on_a_rectangle_is_none_though_others_let_go():
    keys = Keys()
    keys.press("ab")
    keys.run(5)
    assert sorted(keys.heard()) == [("a", 1), ("b", 1)]
    keys.press("d")
    keys.run(5)
    keys.release("a")
    keys.run(20)
    assert keys.heard() == [("a", 0)], "d was pressed while it could not be told from e"
    keys.release("bd")
    keys.run(30)
    keys.press("d")
    keys.run(5)
    assert keys.heard() == [("b", 0), ("d", 1)]


def test_three_that_make_no_rectangle_are_three():
    keys = Keys()
    keys.press("abc")
    keys.run(5)
    assert sorted(keys.heard()) == [("a", 1), ("b", 1), ("c", 1)]


def test_a_bounce_is_one_press_by_scans_too():
    keys = Keys()
    for n in range(8):  # 8 ms, an even chance at each scan
        (keys.press if (n * 5) % 3 else keys.release)("f")
        keys.panel.matrix.wake()
        keys.run(1)
    keys.press("f")
    keys.run(30)
    assert keys.heard() == [("f", 1)]


def test_a_level_that_was_not_looked_at_has_not_held():
    keys = Keys()
    keys.press("f")
    keys.run(1)
    keys.run(1, 20000)
    assert keys.heard() == []
    keys.run(3)
    assert keys.heard() == [("f", 1)]


# -- the motor


class Bridge:
    """The two inputs of an H-bridge: every state, and how long both sides were off before it turned."""

    def __init__(self):
        self.levels, self.states = [0, 0], [(0, 0)]
        self.pauses_us, self.off_us = [], 10**9
        motor_module.sleep_us = self.sleep

    def sleep(self, us):
        self.off_us += us

    def wire(self, number):
        def write(level):
            self.levels[number] = level
            state = tuple(self.levels)
            if state == self.states[-1]:
                return
            if state in ((1, 0), (0, 1)):
                self.pauses_us.append(self.off_us)
            elif state == (0, 0):
                self.off_us = 0
            self.states.append(state)

        return write


def test_a_bridge_drives_brakes_and_lets_go():
    bridge, clock = Bridge(), Clock()
    motor = Motor(HBridge(bridge.wire(0), bridge.wire(1)), clock.now_us, 60000, brake_ms=300)
    motor(1)
    motor(0)
    assert bridge.states == [(0, 0), (1, 0), (1, 1)]
    clock.us = 299999
    assert not motor.poll(clock.us) and motor.deadline_us() == 300000
    clock.us = 300000
    assert not motor.poll(clock.us), "to let the brake go is no over-run"
    assert bridge.states[-1] == (0, 0) and motor.deadline_us() is None


def test_a_bridge_that_is_turned_round_is_off_in_between():
    bridge, clock = Bridge(), Clock()
    motor = Motor(HBridge(bridge.wire(0), bridge.wire(1)), clock.now_us, 60000, brake_ms=300, both_ways=1)
    motor(1)
    motor(0)
    motor(1)
    ways = [state for state in bridge.states if sum(state) == 1]
    assert ways == [(1, 0), (1, 0), (0, 1)], "no state on the way out of the brake drives the other way"
    assert bridge.pauses_us[-1] == motor_module.DEAD_US
    motor.off()
    assert bridge.states[-1] == (0, 0)


def test_the_motor_is_never_on_for_longer_than_its_time():
    levels, clock = [], Clock()
    motor = Motor(Switch(levels.append), clock.now_us, 20000)
    motor(1)
    assert levels == [0, 1] and motor.deadline_us() == 20000000
    clock.us = 19999999
    assert not motor.poll(clock.us) and levels[-1] == 1
    clock.us = 20000000
    assert motor.poll(clock.us) and levels[-1] == 0
    assert not motor.poll(clock.us + 10**9), "told once"


def test_a_relay_that_is_on_when_low():
    levels = []
    motor = Motor(Switch(levels.append, active=0), Clock().now_us, 1000)
    motor(1)
    motor(0)
    assert levels == [1, 0, 1]


# -- displays and lamps


class Bus:
    def __init__(self, answers=True):
        self.answers, self.sent = answers, []

    def writeto(self, address, data):
        if not self.answers:
            raise OSError(19)
        self.sent.append((address, bytes(data)))


def test_the_ht16k33_is_told_all_each_time():
    bus = Bus()
    display = Ht16k33(bus, 4, 7)
    del bus.sent[:]
    display.show((3, None, 4))
    picture = bytes((0, DIGITS[3], 0, 0, 0, 0, 0, DIGITS[4], 0, 0, 0))
    assert bus.sent == [(0x70, b"\x21"), (0x70, picture), (0x70, b"\x81"), (0x70, b"\xef")]


def test_a_display_that_does_not_answer_is_left_alone():
    bus = Bus(False)
    display = Ht16k33(bus)
    display.show((1, 2, 3))
    bus.answers = True
    display.show((1, 2, 3))
    assert len(bus.sent) == 4


def test_pixels_are_lit_in_their_order():
    pictures = []
    lamps = PixelLamps(lambda words: pictures.append(list(words)), 4, 0)
    lamps.show((0, 2))
    assert pictures == [[0] * 4, [0x1F1F1F00, 0, 0x1F1F1F00, 0]]
