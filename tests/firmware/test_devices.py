"""Contacts, tumbler, lamps and display: edges in, readings out; bytes on the wires as the parts want them."""

import random

import micropython
from fakes import Wire

from firmware.devices.contact import PRESSED, RELEASED, Contact
from firmware.devices.digits import DIGITS
from firmware.devices.display_tm1637 import Tm1637 as Display
from firmware.devices.edges import EdgeRing, Tap
from firmware.devices.lamps_74hc595 import ShiftLamps
from firmware.devices.panel import Panel
from firmware.devices.tumbler import Tumbler


def changes(contact, edges, until_us):
    """What a contact says to these (time, closed) edges, looked at late or early alike."""
    said = []
    for at_us, closed in edges:
        said.append(contact.edge(at_us, closed))
    said.append(contact.poll(until_us))
    return [change for change in said if change is not None]


def test_a_bouncing_key_is_one_press():
    bounce = [(1000 + n * 700, (n + 1) % 2) for n in range(11)]  # 7 ms of chatter, closed at the end
    assert changes(Contact("key1", 0, 0), bounce, 50000) == [PRESSED]


def test_a_bouncing_release_is_one_release():
    bounce = [(1000 + n * 900, n % 2) for n in range(9)]
    assert changes(Contact("key1", 1, 0), bounce, 60000) == [RELEASED]


def test_a_glitch_is_no_press_however_late_it_is_looked_at():
    assert changes(Contact("key1", 0, 0), [(1000, 1), (1019, 0)], 900000) == []


def test_a_press_is_seen_though_the_loop_came_round_after_its_release():
    assert changes(Contact("key1", 0, 0), [(1000, 1), (80000, 0)], 200000) == [PRESSED, RELEASED]


def test_the_deadline_is_when_it_would_speak():
    contact = Contact("key1", 0, 0, press_us=2000)
    assert contact.deadline_us() is None
    contact.edge(10000, 1)
    assert contact.deadline_us() == 12000
    assert contact.poll(11999) is None and contact.poll(12000) == PRESSED


def spin(tumbler, turns, period_us=400000, start_us=0):
    tumbler.start(start_us)
    for n in range(turns):
        tumbler.turned(start_us + (n + 1) * period_us)
    return start_us + turns * period_us


def test_the_tumbler_stops_after_its_turns_and_waits_for_stillness():
    motor = Wire()
    tumbler = Tumbler(motor, 3, 3000, 500, 15000)
    at = spin(tumbler, 3)
    assert motor.levels == [1, 0]
    tumbler.shook(at + 300000)
    assert tumbler.poll(at + 700000) is None
    reading = tumbler.poll(at + 800000)
    assert (reading.turns, reading.run_ms, reading.settle_ms, reading.trouble) == (3, 1200, 300, None)
    assert tumbler.poll(at + 900000) is None


def test_turns_after_the_motor_is_off_still_count_and_delay_rest():
    tumbler = Tumbler(Wire(), 3, 3000, 500, 15000)
    at = spin(tumbler, 3)
    tumbler.turned(at + 400000)
    assert tumbler.poll(at + 600000) is None
    assert tumbler.poll(at + 900000).turns == 4


def test_a_stalled_tumbler_is_switched_off_and_told():
    motor = Wire()
    tumbler = Tumbler(motor, 3, 3000, 500, 15000)
    at = spin(tumbler, 1)
    assert tumbler.poll(at + 2999999) is None
    reading = tumbler.poll(at + 3000000)
    assert motor.levels == [1, 0] and reading.trouble == "stalled" and reading.turns == 1


def test_dice_that_never_rest_are_told():
    tumbler = Tumbler(Wire(), 3, 3000, 500, 15000)
    at = spin(tumbler, 3)
    for n in range(60):
        tumbler.shook(at + n * 250000)
        reading = tumbler.poll(at + n * 250000)
    reading = tumbler.poll(at + 15000000)
    assert reading.trouble == "never_still"


def test_turns_while_idle_count_for_nothing():
    tumbler = Tumbler(Wire(), 3, 3000, 500, 15000)
    tumbler.turned(5)
    assert tumbler.turns == 0 and tumbler.poll(10**9) is None and tumbler.deadline_us() is None


class Chain:
    """A 74HC595 chain on three wires, by its datasheet."""

    def __init__(self, outputs):
        self.shift, self.out = [0] * outputs, None
        self.levels = {"data": 0, "clock": 0, "latch": 0}

    def wire(self, name):
        def write(level):
            rising = level and not self.levels[name]
            self.levels[name] = level
            if rising and name == "clock":
                self.shift = [self.levels["data"]] + self.shift[:-1]
            elif rising and name == "latch":
                self.out = list(self.shift)

        return write


def test_lamps_light_exactly_what_is_asked():
    chain = Chain(56)
    lamps = ShiftLamps(chain.wire("data"), chain.wire("clock"), chain.wire("latch"), 56)
    assert chain.out == [0] * 56
    for lit in ((0,), (55,), (0, 7, 8, 49), ()):
        lamps.show(lit)
        assert [n for n in range(56) if chain.out[n]] == list(lit)


class Tm1637:
    """A TM1637 on two wires: collects the bytes of each start..stop."""

    def __init__(self):
        self.clk = self.dio = 1
        self.bits, self.bytes, self.messages, self.open = [], [], [], False

    def write_clk(self, level):
        if level and not self.clk and self.open:
            self.bits.append(self.dio)
            if len(self.bits) == 9:
                self.bytes.append(sum(bit << n for n, bit in enumerate(self.bits[:8])))
                self.bits = []
        self.clk = level

    def write_dio(self, level):
        if self.clk and level != self.dio:
            if level:
                assert len(self.bits) <= 1, "stopped inside a byte"
                self.messages.append(self.bytes)
            self.bits, self.bytes, self.open = [], [], not level
        self.dio = level


def test_the_display_speaks_the_parts_language():
    part = Tm1637()
    display = Display(part.write_clk, part.write_dio)
    del part.messages[:]
    display.show((3, 3, 4))
    assert part.messages == [[0x40], [0xC0, DIGITS[3], DIGITS[3], DIGITS[4], 0], [0x8F]]


class FakePin:
    def __init__(self, level):
        self.level = level

    def value(self):
        return self.level


def test_the_handler_allocates_nothing():
    ring = EdgeRing()
    tap, pin = Tap(ring, 3), FakePin(1)
    handler = tap.handler
    micropython.heap_lock()  # under MicroPython any allocation from here on is a MemoryError
    handler(pin)
    handler(pin)
    micropython.heap_unlock()
    assert ring.drain()[1:] == (3, 1)


def test_two_edges_in_one_call_are_a_pulse_too_short_to_count():
    contact = Contact("key1", 0, 0)
    assert changes(contact, [(1000, 0)], 50000) == []  # rose and fell before the handler looked
    assert changes(contact, [(60000, 1), (61000, 1)], 62500) == []  # its time counts from the later one
    assert contact.poll(63000) == PRESSED


def test_the_handler_keeps_order_and_counts_what_is_lost():
    ring = EdgeRing()
    tap = Tap(ring, 3)
    for n in range(300):
        tap.on_edge(FakePin(n & 1))
    assert ring.lost == 300 - 255
    got = [ring.drain() for _ in range(255)]
    assert [(pin, level) for _, pin, level in got] == [(3, n & 1) for n in range(255)]
    assert ring.drain() is None


class Bare:
    """A board of open contacts; a test puts their edges into the panel's ring itself."""

    def __init__(self, *names):
        self.pins = {name: {"active": 0} for name in names}
        self.us = 0

    def gpio(self, name, overrides):
        return 0

    def input(self, name, overrides):
        return FakePin(1)

    def watch(self, pin, tap):
        pass

    def now_us(self):
        return self.us

    def edge_us(self, ticks):
        return ticks


def panel_of(quick, *names):
    return Panel(Bare(*names), names, {}, 2000, 12000, quick)


def put(panel, at_us, number, closed):
    ring = panel.ring
    ring.times[ring.head], ring.codes[ring.head] = at_us, number * 2 + 1 - closed
    ring.head = (ring.head + 1) & 255


def test_changes_come_in_their_own_order_however_late_they_are_looked_at():
    panel = panel_of({}, "key_no_more_bets", "cover")
    put(panel, 200000, 1, 1)
    put(panel, 230000, 0, 1)
    put(panel, 290000, 0, 0)
    panel.board.us = 500000
    assert panel.poll() == [
        ("cover", 1, 202000),
        ("key_no_more_bets", 1, 232000),
        ("key_no_more_bets", 0, 302000),
    ]


def test_a_storm_of_edges_does_not_keep_the_loop():
    panel = panel_of({}, "turn")
    drain, drained = panel.ring.drain, []

    def storm():
        drained.append(1)
        assert len(drained) < 1000, "the ring is drained for ever"
        put(panel, len(drained) * 10, 0, len(drained) & 1)
        return drain()

    panel.ring.drain = storm
    assert panel.poll() == []


def test_every_chatter_of_the_vibration_switch_is_seen():
    panel = panel_of({"rest": 0}, "rest")
    for n in range(50):
        put(panel, 1000 + n * 300, 0, 1 - n % 2)
        panel.board.us = 1100 + n * 300
        assert len(panel.poll()) == 1


def test_a_vibration_switch_that_stays_closed_is_no_rest():
    tumbler = Tumbler(Wire(), 3, 3000, 500, 15000)
    at = spin(tumbler, 3)
    tumbler.shook(at + 100000, 1)
    assert tumbler.poll(at + 5000000) is None and tumbler.deadline_us() == at + 15000000
    tumbler.shook(at + 6000000, 0)
    assert tumbler.deadline_us() == at + 6500000
    assert tumbler.poll(at + 6500000).trouble is None
    tumbler.start(at, 1)
    for n in range(3):
        tumbler.turned(at + n)
    assert tumbler.poll(at + 15000002).trouble == "never_still"


def test_a_turn_from_before_the_start_is_none_of_this_spin():
    tumbler = Tumbler(Wire(), 1, 3000, 500, 15000)
    tumbler.start(600000)
    tumbler.turned(110000)
    assert tumbler.turns == 0
    tumbler.turned(700000)
    assert tumbler.poll(1200000).run_ms == 100


def drum(wanted=3):
    motor = Wire()
    tumbler = Tumbler(motor, wanted, 3000, 500, 15000)
    tumbler.start(0)
    return tumbler, motor


def test_a_mark_whose_contact_bounces_is_one_turn():
    tumbler, motor = drum()
    for at_us in (400000, 800000):
        for n in range(5):  # 8 ms of it, each long enough to be believed
            tumbler.turned(at_us + n * 1600)
            tumbler.passed(at_us + n * 1600 + 800)
    assert tumbler.turns == 2 and motor.levels == [1]


def test_a_stuck_drum_that_rocks_at_the_mark_turns_no_further_and_stalls():
    tumbler, motor = drum()
    for n in range(200):
        tumbler.turned(400000 + n * 60000)
        tumbler.passed(430000 + n * 60000)
        reading = tumbler.poll(430000 + n * 60000)
        if reading:
            break
    assert (reading.turns, reading.trouble) == (1, "stalled") and motor.levels == [1, 0]


def test_a_mark_that_stands_at_the_sensor_at_the_start_counts_when_it_is_back():
    tumbler, _ = drum()
    tumbler.passed(50000)
    tumbler.turned(80000)  # it only rocked
    tumbler.passed(90000)
    assert tumbler.turns == 0
    tumbler.turned(400000)
    assert tumbler.turns == 1


def test_a_mark_that_moves_delays_rest():
    tumbler, _ = drum()
    for n in range(3):
        tumbler.turned((n + 1) * 400000)
        tumbler.passed((n + 1) * 400000 + 20000)
    tumbler.turned(1250000)
    tumbler.passed(1600000)
    assert tumbler.turns == 3 and tumbler.poll(2099999) is None and tumbler.poll(2100000).turns == 3


def bounced(at_us, closed, most_us=8000):
    """A change of level with the bounce of a bad contact, at random."""
    times = sorted([random.randint(1, most_us) for _ in range(2 * random.randint(0, 6))])
    edges = [(at_us, closed)]
    for n, t_us in enumerate(times):
        edges.append((at_us + t_us, closed if n % 2 else 1 - closed))
    return edges


def glitched(edges):
    """A pulse under 20 µs behind one edge, where there is room for it."""
    at = random.randint(0, len(edges) - 1)
    start_us = edges[at][0] + random.randint(1, 500)
    if at + 1 < len(edges) and edges[at + 1][0] < start_us + 21:
        return edges
    pulse = [(start_us, 1 - edges[at][1]), (start_us + random.randint(1, 19), edges[at][1])]
    return edges[: at + 1] + pulse + edges[at + 1 :]


def test_any_bounce_of_8_ms_is_one_press_and_one_release_soon_enough():
    random.seed(5)
    for _ in range(500):
        contact = Contact("key1", 0, 0)
        held_us = random.randint(25000, 200000)
        down = bounced(10000, 1)
        edges = glitched(down + bounced(10000 + held_us, 0))
        assert changes(contact, edges, 900000) == [PRESSED, RELEASED], edges
        contact = Contact("key1", 0, 0)
        for at_us, closed in down:
            contact.edge(at_us, closed)
        assert contact.closed or contact.deadline_us() <= 10000 + 8000 + 2000, down
