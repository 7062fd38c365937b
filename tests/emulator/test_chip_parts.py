"""The lamps' 74HC595 chain and the TM1637, decoded from what small scripts do to the pins."""

import pytest

SHIFT = """
from machine import Pin
data, clock, latch = (Pin(n, Pin.OUT, value=0) for n in (18, 19, 20))
def show(lit, outputs=56, latched=True):
    for output in reversed(range(outputs)):
        data.value(output in lit); clock.on(); clock.off()
    if latched:
        latch.on(); latch.off()
"""

# One bit out, one word out: as a driver for push-pull pins, and for open-drain ones, would do it.
TM1637 = """
from machine import Pin
import time
clk, dio = Pin(21, {mode}, value=1), Pin(22, {mode}, value=1)
acks = []
def send(*values):
    clk(1); dio(1); dio(0)
    for value in values:
        for bit in range(8):
            clk(0); dio(value >> bit & 1); clk(1)
        clk(0)
        {release}
        clk(1); acks.append(dio()); clk(0)
        {take}
    dio(0); clk(1); dio(1)
"""
DRIVERS = {
    "push-pull": TM1637.format(mode="Pin.OUT", release="dio.init(Pin.IN)", take="dio.init(Pin.OUT)"),
    "open drain": TM1637.format(mode="Pin.OPEN_DRAIN", release="dio(1)", take="pass"),
}


def test_lamps_show_what_was_latched(bench):
    bench.python(SHIFT + "show({0, 2})")
    assert bench.fixture.lamps() == ["small", "triple:1"]
    bench.python("show({1}, latched=False)")
    assert bench.fixture.lamps() == ["small", "triple:1"]
    bench.python("latch.on(); latch.off()")
    assert bench.fixture.lamps() == ["big"]


def test_a_lit_output_without_a_lamp_is_told(bench):
    bench.python(SHIFT + "show({55})")
    assert bench.fixture.lamps() == ["output 55"]


def test_first_bit_shifted_ends_at_the_last_output(bench):
    bench.python(SHIFT + "show(())\ndata.on(); clock.on(); clock.off(); data.off(); show((), 0)")
    assert bench.fixture.lamps() == ["small"]
    bench.python("show((), 55)")
    assert bench.fixture.lamps() == ["output 55"]


@pytest.mark.parametrize("driver", DRIVERS)
def test_display_decodes_the_wires(bench, driver):
    bench.python(DRIVERS[driver] + "send(0x40); send(0xc0, 0x4f, 0x4f, 0x66, 0); send(0x8f)")
    assert bench.fixture.display() == "334 "
    assert bench.python("print(set(acks))") == "{0}", "the part acknowledges every byte"


def test_display_addresses_and_darkness(bench):
    bench.python(DRIVERS["push-pull"] + "send(0x44); send(0xc2, 0x06); send(0xc3, 0xbf)")
    assert bench.fixture.display() == "3310", "one digit at a time; the point is not a segment"
    bench.python("send(0x80)")
    assert bench.fixture.display() == "    "
    bench.python("send(0xc0, 0x49); send(0x88)")
    assert bench.fixture.display() == "?310", "a pattern that is no character"


def test_a_reset_leaves_the_parts_and_a_cut_clears_them(bench):
    bench.python(SHIFT + "show({1})")
    bench.start_python("import machine; machine.reset()")
    bench.hang_up()
    bench.fixture.run(300_000)
    assert bench.fixture.op("stats")["boots"] == 2
    assert bench.fixture.lamps() == ["big"]
    bench.fixture.cut()
    bench.fixture.power()
    assert bench.fixture.lamps() == []
    assert bench.fixture.display() == "    "
