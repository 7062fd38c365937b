"""Matrix keys, motor drives, WS2812 and HT16K33, lamps that fail, the result line: each against its part."""

from firmware.devices import matrix as matrix_module
from firmware.devices import motor as motor_module
from firmware.devices.digits import DIGITS
from firmware.devices.display_ht16k33 import Ht16k33
from firmware.devices.lamp_watch import DARK, LIT, LOOK_US, WORKS, LampWatch
from firmware.devices.lamps_ws2812 import PixelLamps
from firmware.devices.matrix import SCAN_US
from firmware.devices.motor import HBridge, Motor, Switch
from firmware.devices.panel import Panel
from firmware.devices.result_line import MOST_LINES, ResultLine

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


# -- a lamp that fails

LAMP_MA, SETTLE_US = 20, 10000


class Layout:
    """Ten lamps on twelve outputs, and the current in their return; some are dead, some burn all the time."""

    outputs = 12

    def __init__(self):
        self.on, self.ever = (), set()
        self.dead, self.stuck, self.more_ma = set(), set(), 0
        self.us = 0
        self.watch = LampWatch(self, 10, self.read_ma, LAMP_MA, 0, SETTLE_US // 1000, lambda: self.us)

    def show(self, outputs):
        self.on = tuple(outputs)
        self.ever |= set(outputs)

    def read_ma(self):
        drawing = set(self.on) - {10, 11} - self.dead | self.stuck
        return len(drawing) * LAMP_MA + self.more_ma

    def run(self, seconds=2, light_all=False):
        """What is said meanwhile."""
        said, end_us = [], self.us + seconds * 1000000
        while self.us < end_us:
            self.us = max(self.us + 1, min(self.watch.deadline_us(), end_us))
            said += self.watch.poll(self.us, light_all)
        return said


def test_lamps_that_work_are_left_alone():
    layout = Layout()
    layout.watch.show((1, 5, 7))
    assert layout.run(5) == [] and layout.on == (1, 5, 7) and layout.ever == {1, 5, 7}


def test_a_dead_lamp_is_named_once_and_no_other_area_is_lit():
    layout = Layout()
    layout.dead = {5}
    layout.watch.show((1, 5, 7))
    assert layout.run() == [(5, DARK)]
    assert sorted(layout.on) == [1, 5, 7], "the picture is back"
    assert layout.ever == {1, 5, 7}
    for picture in ((5, 6), (), (5,)):
        layout.watch.show(picture)
        assert layout.run() == []
    layout.dead = set()
    layout.watch.show((5, 6))
    assert layout.run() == [(5, WORKS)]
    layout.dead = {5}
    layout.watch.show((5, 6))
    assert layout.run() == [(5, DARK)], "it may fail again"


def test_a_lamp_that_fails_while_it_is_lit_is_told_within_two_looks():
    layout = Layout()
    layout.watch.show((1, 5, 7))
    assert layout.run(3) == []
    layout.dead = {7}
    assert layout.run(2) == [(7, DARK)] and LOOK_US == 1000000
    assert layout.run(5) == []
    layout.dead = set()
    assert layout.run(2) == [(7, WORKS)]


def test_two_dead_lamps_are_two():
    layout = Layout()
    layout.dead = {1, 7}
    layout.watch.show((1, 5, 7))
    assert sorted(layout.run()) == [(1, DARK), (7, DARK)]


def test_a_lamp_that_burns_all_the_time_is_named_when_all_may_be_lit():
    layout = Layout()
    layout.stuck = {9}
    layout.watch.show(())
    assert layout.run() == [(None, LIT)] and layout.ever == set()
    layout.watch.show((1, 2))
    assert layout.run() == [] and layout.ever == {1, 2}
    layout.watch.show(())
    assert layout.run(2, light_all=True) == [(9, LIT)]
    layout.watch.show(())
    assert layout.run(2, light_all=True) == []


def test_a_lamp_that_burns_all_the_time_is_named_at_once_if_it_is_to_be_lit():
    layout = Layout()
    layout.watch.show((3, 9))
    layout.run()
    layout.stuck = {9}
    layout.watch.show((9, 3))
    assert layout.run() == []  # it is lit as it should be: nothing is wrong to see
    layout.watch.show(())
    assert layout.run() == [(None, LIT)]
    layout.watch.show((9, 3))
    assert layout.run() == [(9, LIT)]


def test_a_dip_of_the_supply_is_no_lamp():
    layout = Layout()
    layout.watch.show((1, 5, 7))
    layout.run(1)
    layout.more_ma = -40
    layout.us = layout.watch.deadline_us()
    assert layout.watch.poll(layout.us) == ()
    layout.more_ma = 0
    assert layout.run() == [] and layout.watch.searches == 0


def test_a_current_that_no_lamp_accounts_for_does_not_make_them_flicker():
    layout = Layout()
    layout.watch.show((1, 5, 7))
    layout.more_ma = -12  # each draws a little less than it should
    assert layout.run(30) == [] and layout.watch.searches == 1
    layout.more_ma = 14  # more than half a lamp: one of the dark ones draws
    layout.watch.show((1, 5, 7))
    assert layout.run(30) == [(None, LIT)] and layout.watch.searches == 1
    assert sorted(layout.on) == [1, 5, 7]


def test_a_loose_lamp_is_not_told_for_ever():
    layout = Layout()
    layout.watch.show((1, 5, 7))
    said = []
    for n in range(40):
        layout.dead = {5} if n & 1 else set()
        said += layout.run(3)
    assert len(said) <= 3


# -- the result line


class Uart:
    def __init__(self, done=True):
        self.done, self.sent = done, []

    def txdone(self):
        return self.done

    def write(self, data):
        assert self.done, "a write that may wait"
        self.sent.append(data)


def lines(checked, *events):
    uart = Uart()
    line = ResultLine(uart, checked, lambda: 0)
    for event, fields in events:
        line.hear(event, fields)
    assert uart.sent == [], "nothing is sent from within the journal"
    while line.deadline_us() is not None:
        line.poll()
    return uart.sent


RESULT = ("result", {"round": 123, "revision": 1, "dice": (4, 3, 3), "call": "", "turns": 4})


def test_the_lines_are_as_documented():
    assert lines(False, RESULT) == [b"R 000123 1 3 3 4 10 D3\r\n"]
    triple = ("result", {"round": 7, "revision": 2, "dice": (6, 6, 6)})
    plain = ("result", {"round": 8, "revision": 1, "dice": (1, 5, 2)})
    assert lines(False, triple, plain) == [b"R 000007 2 6 6 6 18 T6\r\n", b"R 000008 1 1 2 5 8 -\r\n"]
    void = ("voided", {"round": 1234567, "revision": 0, "cause": "exposed"})
    cleared = ("cleared", {"round": 9, "revision": 1})
    other = ("wager", {"round": 9})
    assert lines(False, void, other, cleared) == [b"V 1234567 0 exposed\r\n", b"C 000009 1\r\n"]


def test_a_checked_line_ends_with_the_exclusive_or_of_its_characters():
    (line,) = lines(True, RESULT)
    text, mark, tail = line.decode().partition(" *")
    found = 0
    for character in text:
        found ^= ord(character)
    assert text == "R 000123 1 3 3 4 10 D3" and mark and tail == "%02X\r\n" % found


def test_a_line_that_does_not_go_out_costs_nothing():
    uart = Uart(done=False)
    line = ResultLine(uart, False, lambda: 0)
    for n in range(1000):
        line.hear("cleared", {"round": n, "revision": 1})
        line.poll()
    assert uart.sent == [] and len(line.waiting) == MOST_LINES
    uart.done = True
    line.poll()
    assert uart.sent == [b"C 000992 1\r\n"], "the newest are kept"
