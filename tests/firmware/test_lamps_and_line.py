"""Lamps that fail, and the result line: each against its part."""

from firmware.devices.lamp_watch import DARK, LIT, LOOK_US, WORKS, LampWatch
from firmware.devices.result_line import MOST_LINES, ResultLine


class Clock:
    us = 0

    def now_us(self):
        return self.us


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
