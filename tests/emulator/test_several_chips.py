"""Several chips on one clock, wired pin to pin, each with its own link and fixture."""

import json
import time
from itertools import pairwise
from pathlib import Path

import pytest
from mpremote.transport_serial import SerialTransport

from host_tools import image, targets
from host_tools.emulator import Board, EmulatorBench
from host_tools.errors import CannotRun
from host_tools.fixture import Fixture
from host_tools.link import Link

SLICE_US = 10
PULSES = """
from machine import Pin
import time
out = Pin(17, Pin.OUT, value=1)
time.sleep_ms(200)
for gap in (20, 35, 50, 300, 1000, 20):
    out.toggle(); time.sleep_us(gap)
"""
LISTEN = """
from machine import Pin
import time, array
seen = array.array('I', [0] * 16); count = 0
def edge(pin):
    global count
    seen[count] = time.ticks_us(); count += 1
key = Pin(2, Pin.IN, Pin.PULL_UP)
key.irq(edge, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)
"""


class Pair:
    """Boards a and b, with a's motor wired to b's first key."""

    def __init__(self, wiring, uf2: Path, **options):
        boards = {name: Board(wiring, uf2, flash="instant") for name in "ab"}
        self.bench = EmulatorBench(boards, [("b", "key1", "a", "motor")], **options)
        self.fixtures = {name: Fixture(place.fixture_address) for name, place in self.bench.boards.items()}
        self.lines = {}

    def transport(self, name):
        if name not in self.lines:
            self.lines[name] = SerialTransport(self.bench.boards[name].port, 115200)
            self.lines[name].enter_raw_repl(soft_reset=False)
        return self.lines[name]

    def python(self, name, code):
        return self.transport(name).exec(code).decode().strip()

    def start(self, name, code):
        self.transport(name).exec_raw_no_follow(code)

    def close(self):
        for end in (*self.lines.values(), *self.fixtures.values()):
            end.close()
        self.bench.stop()


@pytest.fixture
def pair(stock_image, wiring):
    started = Pair(wiring, stock_image)
    yield started
    started.close()


def test_an_edge_reaches_the_other_chip_within_the_slice(pair):
    pair.python("b", LISTEN)
    pair.start("a", PULSES)
    pair.fixtures["a"].run(400_000)
    made, came = (
        pair.fixtures[name].op("when", pin=pin)["us"] for name, pin in (("a", "motor"), ("b", "key1"))
    )
    assert came - made == SLICE_US, "always the same, whichever chip has its turn first"
    seen = json.loads(pair.python("b", "print(list(seen[:count]))"))
    assert len(seen) == 6
    assert seen[-1] - came < 50, "the handler's own time"


def test_pulses_keep_their_lengths(stock_image, wiring):
    shapes = []
    for slice_us in (5, 40):
        pair = Pair(wiring, stock_image, slice_us=slice_us)
        try:
            pair.python("b", LISTEN)
            pair.start("a", PULSES)
            pair.fixtures["b"].run(400_000)
            seen = json.loads(pair.python("b", "print(list(seen[:count]))"))
            shapes.append([later - sooner for sooner, later in pairwise(seen)])
        finally:
            pair.close()
    assert len(shapes[0]) == 5
    assert all(abs(a - b) <= 12 for a, b in zip(*shapes, strict=True)), shapes


def test_a_chip_without_power_lets_go_and_the_other_lives_on(pair):
    pair.python("b", LISTEN)
    pair.python("a", "from machine import Pin\nout = Pin(17, Pin.OUT, value=0)")
    pair.fixtures["a"].run(1000)
    assert pair.fixtures["b"].read("key1") == 0
    before = pair.fixtures["b"].now()
    pair.fixtures["a"].cut()
    pair.fixtures["b"].run(100_000)
    assert pair.fixtures["b"].now() >= before + 100_000
    assert pair.fixtures["b"].read("key1") == 1, "its own pull"
    assert pair.fixtures["a"].now() == 0
    pair.fixtures["a"].power()
    pair.fixtures["a"].run(300_000)
    assert pair.fixtures["a"].now() < pair.fixtures["b"].now()
    assert pair.python("b", "print('alive')") == "alive"


def test_two_sleeping_chips_run_quickly(pair):
    for name in "ab":
        pair.start(name, "import time; time.sleep(60); woke = time.ticks_ms()")
    began = time.monotonic()
    pair.fixtures["a"].run(30_000_000)
    assert time.monotonic() - began < 5
    now = [pair.fixtures[name].now() for name in "ab"]
    assert abs(now[0] - now[1]) < 100_000


def test_a_wire_to_nowhere_is_one_sentence(stock_image, wiring):
    for wire, said in ((("a", "motor", "c", "key1"), "no chip"), (("a", "bell", "a", "key1"), "no pin")):
        with pytest.raises(CannotRun, match=said):
            EmulatorBench({"a": Board(wiring, stock_image)}, [wire])


def test_two_tables_with_the_real_firmware(wiring):
    """Table a's tumbler motor moves a wire of table b."""
    real = targets.wiring("rpi_pico", "sic_bo")
    pair = Pair(real, image.build("rpi_pico").uf2)
    try:
        links = {name: Link.connect(place.port, patience_s=20) for name, place in pair.bench.boards.items()}
        assert links["a"].identity["unique_id"] != links["b"].identity["unique_id"]
        table = json.dumps({"table": {"game": "sic_bo", "edition": "act1999"}})
        links["a"].write_config(table.encode())
        for key in ("key_open", "key_spin"):
            pair.fixtures["a"].set(key, 0)
            pair.fixtures["a"].run(200_000)
            pair.fixtures["a"].set(key, None)
            pair.fixtures["a"].run(200_000)
        levels = pair.fixtures["a"].read("motor"), pair.fixtures["b"].read("key1")
        assert levels == (1, 1)
        made, came = (
            pair.fixtures[name].op("when", pin=pin)["us"] for name, pin in (("a", "motor"), ("b", "key1"))
        )
        assert came - made == SLICE_US
        for link in links.values():
            link.close()
    finally:
        pair.close()
