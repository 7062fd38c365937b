"""Flash that takes the datasheet's time, with the interrupts off and the XIP window shut meanwhile."""

import json
import time

import pytest
from emulator_bench import Bench

from host_tools.errors import CannotRun, PitkitError

MEASURE = """
import rp2, time
area = rp2.Flash(start=131072, len=131072)
page = bytearray(256)
def took(operation):
    start = time.ticks_us()
    operation()
    return time.ticks_diff(time.ticks_us(), start)
def measure():
    return took(lambda: area.ioctl(6, 1)), took(lambda: area.writeblocks(1, page, 0))
measure()
print(list(measure()))
"""
# W25Q16JV: sector erase and page program, microseconds
DATASHEET = {"typical": (45_000, 400), "worst": (400_000, 3_000), "instant": (0, 0)}
OVERHEAD_US = 400  # the image's own code around the operation

# An erase begun by hand, from Python: the interpreter itself is read through XIP, and must not be.
ERASE_BY_HAND = """
from machine import mem32
def select(low): mem32[0x4001800c] = 0x200 if low else 0x300
def send(*command):
    select(True)
    for byte in command: mem32[0x18000060] = byte
    select(False)
send(0x06)
send(0x20, 0x10, 0, 0)
"""


@pytest.fixture(params=DATASHEET)
def mode(request):
    return request.param


def start(wiring, image, **options):
    bench = Bench(wiring, image, **options)
    bench.python("")
    return bench


def measured(bench):
    return json.loads(bench.python(MEASURE))


def test_operations_take_the_datasheets_time(stock_image, wiring, mode):
    bench = start(wiring, stock_image, flash=mode)
    try:
        for took_us, datasheet_us in zip(measured(bench), DATASHEET[mode], strict=True):
            assert datasheet_us <= took_us < datasheet_us + OVERHEAD_US
    finally:
        bench.close()


def test_a_leap_over_the_busy_wait_ends_at_the_same_microsecond(stock_image, wiring):
    figures = []
    for exact in (False, True):
        bench = start(wiring, stock_image, exact=exact)
        try:
            figures.append(measured(bench))
        finally:
            bench.close()
    for leapt, run in zip(*figures, strict=True):
        assert abs(leapt - run) <= 4, "the status is asked every 2 us; USB may shift where that begins"


def test_a_wait_of_seconds_costs_little(stock_image, wiring):
    bench = start(wiring, stock_image, flash="worst")
    try:
        bench.start_python(MEASURE + "for i in range(20): area.ioctl(6, i)\ndone = time.ticks_us()")
        began = time.monotonic()
        bench.fixture.run(9_500_000)
        assert time.monotonic() - began < 3, "8 s of erasing"
        assert bench.python("print(done > 8_000_000)") == "True"
    finally:
        bench.close()


def test_interrupts_wait_for_the_erase_and_then_come(bench):
    bench.python(
        MEASURE + "from machine import Pin\nseen = []\nkey = Pin(2, Pin.IN, Pin.PULL_UP)\n"
        "key.irq(lambda pin: seen.append(time.ticks_us()), Pin.IRQ_FALLING, hard=False)\n"
    )
    for _ in range(8):  # on a busy machine board time runs on before the edge is scheduled
        bench.start_python(
            "del seen[:]\ntime.sleep_ms(50)\nstart = time.ticks_us()\narea.ioctl(6, 2)\n"
            "end = time.ticks_us()\n"
            "time.sleep_ms(1)\nprint([time.ticks_diff(t, start) for t in seen], time.ticks_diff(end, start))"
        )
        edge_us = bench.fixture.now() + 70_000
        bench.fixture.schedule([[edge_us, "key1", 0], [edge_us + 100, "key1", 1]])
        bench.fixture.run(200_000)
        told, _ = bench._transport.follow(timeout=5)
        seen, end = told.decode().strip().rsplit(" ", 1)
        if len(json.loads(seen)) == 1 and json.loads(seen)[0] > 0:
            break
    else:
        raise AssertionError("the edge never fell into the erase")
    assert json.loads(seen)[0] >= int(end) - 200, "no handler ran while the flash was busy"


def test_reading_a_busy_flash_stops_the_run_and_says_where(stock_image, wiring):
    bench = start(wiring, stock_image)
    try:
        bench.start_python(ERASE_BY_HAND)
        said = r"the chip read its flash at 0x10\w+ during the erase of 0x100000: PC 0x\w+, LR 0x"
        with pytest.raises(PitkitError, match=said):
            bench.fixture.run(100_000)
        with pytest.raises(PitkitError, match="read its flash"):
            bench.fixture.lamps()
        assert "read its flash" in bench.fixture.op("stats")["halted"]
        bench.hang_up()
        bench.fixture.cut()
        bench.fixture.power()
        assert bench.python("print(1 + 1)") == "2"
    finally:
        bench.close()


def test_a_reset_does_not_stop_an_erase(stock_image, wiring):
    bench = start(wiring, stock_image, flash="worst")
    try:
        bench.python(MEASURE + "area.writeblocks(3, page, 0)")
        bench.start_python("import machine\ndog = machine.WDT(timeout=100)\narea.ioctl(6, 3)")
        bench.fixture.run(300_000)
        bench.hang_up()
        assert bench.fixture.op("stats")["boots"] == 2, "the dog bit in mid erase"
        bench.fixture.run(700_000)
        assert bench.python(MEASURE.split("def")[0] + "area.readblocks(3, page); print(set(page))") == "{255}"
    finally:
        bench.close()


@pytest.mark.parametrize("options", [{"flash": "quick"}, {"unique_id": "12"}, {"unique_id": "E" * 16}])
def test_bad_options_are_one_sentence(stock_image, wiring, options):
    with pytest.raises(CannotRun, match=r"flash mode 'quick'|16 hex digits"):
        Bench(wiring, stock_image, **options)


def test_each_board_has_an_id_of_its_own(stock_image, wiring, tmp_path):
    def id_of(**options):
        bench = Bench(wiring, stock_image, **options)
        try:
            return bench.python("import machine; print(machine.unique_id().hex())")
        finally:
            bench.close()

    assert id_of(unique_id="00112233445566ff") == "00112233445566ff"
    assert id_of(state_dir=tmp_path) == id_of(state_dir=tmp_path)
    assert len({id_of(), id_of(), id_of(state_dir=tmp_path)}) == 3
