"""Board time: exact under run, never ahead of the wall clock otherwise, cheap while the chip sleeps."""

import time
from pathlib import Path

import pytest
from emulator_bench import Bench

from host_tools.fixture import Fixture

COUNT = """
import time
start = time.ticks_us()
for i in range(3000): pass
print(time.ticks_diff(time.ticks_us(), start))
"""


def test_run_ends_at_its_time(bench):
    bench.python("")
    for us in (0, 1, 999, 1_000_000):
        before = bench.fixture.now()
        assert 0 <= bench.fixture.run(us) - before - us < 50_000, "what the wall clock added, no more"


def test_run_of_a_sleeping_chip_is_quick(bench):
    bench.start_python("import time; time.sleep(60); woke = time.ticks_ms()")
    began = time.monotonic()
    bench.fixture.run(61_000_000)
    assert time.monotonic() - began < 1
    bench.hang_up()
    assert int(bench.python("print(woke)")) > 60_000


def test_left_alone_board_time_follows_the_wall(bench):
    bench.python("")
    wall, board = time.monotonic(), bench.fixture.now()
    time.sleep(0.5)
    passed_us = bench.fixture.now() - board
    assert 300_000 < passed_us <= (time.monotonic() - wall) * 1e6 + 1000


def test_a_sleeping_chip_costs_next_to_nothing(bench):
    bench.python("")

    def cpu_s() -> float:
        fields = Path(f"/proc/{bench.emulator.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    before = cpu_s()
    time.sleep(1)
    assert cpu_s() - before < 0.2


def test_instructions_take_the_same_time_each_time(bench):
    times = {bench.python(COUNT) for _ in range(3)}
    assert max(map(int, times)) - min(map(int, times)) <= 60, "USB interrupts apart, the chip's time repeats"


def test_a_busy_chip_is_run_too(bench):
    bench.start_python("n = 0\nwhile True: n += 1")
    before = bench.fixture.now()
    assert bench.fixture.run(200_000) >= before + 200_000
    bench.hang_up()


def test_runs_of_two_clients_each_end_at_their_time(bench):
    bench.python("")
    other = Fixture(bench.emulator.fixture_address)
    start = bench.fixture.now()
    assert other.run(300_000) >= start + 300_000
    assert bench.fixture.run(100_000) >= start + 400_000
    other.close()


def test_realtime_run_takes_wall_time(stock_image, wiring):
    bench = Bench(wiring, stock_image, realtime=True)
    try:
        began = time.monotonic()
        bench.fixture.run(500_000)
        assert time.monotonic() - began >= 0.45
    finally:
        bench.close()


@pytest.mark.parametrize(("frequency", "low_us"), [(1_000_000, 32), (2_000, 16_000)])
def test_pio_runs_on_the_chips_clock(bench, frequency, low_us):
    bench.python(
        "import rp2, time\nfrom machine import Pin\n"
        "@rp2.asm_pio(set_init=rp2.PIO.OUT_HIGH)\n"
        "def pulse():\n    pull()\n    set(pins, 0) [31]\n    set(pins, 1)\n"
        f"machine = rp2.StateMachine(0, pulse, freq={frequency}, set_base=Pin(17))\nmachine.active(1)\n"
        "key = Pin(17)\nfell = rose = 0\n"
    )
    bench.python(
        "machine.put(0)\nwhile key(): pass\nfell = time.ticks_us()\n"
        "while not key(): pass\nrose = time.ticks_us()\nmachine.active(0)"
    )
    took = int(bench.python("print(time.ticks_diff(rose, fell))"))
    assert abs(took - low_us) < 40
    bench.python("rp2.PIO(0).remove_program()")


def test_pio_waits_for_a_pin_without_costing_time(bench):
    bench.python(
        "import rp2\nfrom machine import Pin\n"
        "@rp2.asm_pio()\ndef edge():\n    wait(0, pin, 0)\n    wait(1, pin, 0)\n    push()\n"
        "waiter = rp2.StateMachine(1, edge, in_base=Pin(2, Pin.IN, Pin.PULL_UP))\nwaiter.active(1)"
    )
    t_us = bench.fixture.now() + 1_000_000
    bench.fixture.schedule([[t_us + 10 * step, "key1", step % 2] for step in range(6)])
    began = time.monotonic()
    bench.fixture.run(60_000_000)
    assert time.monotonic() - began < 2
    assert bench.python("print(waiter.rx_fifo())") == "3"
    bench.python("waiter.active(0); rp2.PIO(0).remove_program()")
    bench.fixture.set("key1", None)


@pytest.mark.parametrize(("join", "words"), [("JOIN_NONE", 4), ("JOIN_RX", 8)])
def test_pio_fifos_can_be_joined(bench, join, words):
    bench.python(
        f"import rp2\n@rp2.asm_pio(fifo_join=rp2.PIO.{join})\ndef fill():\n    push(block)\n"
        "filler = rp2.StateMachine(2, fill, freq=1_000_000)\nfiller.active(1)\nimport time\ntime.sleep_ms(1)"
    )
    assert bench.python("print(filler.rx_fifo())") == str(words)
    bench.python("filler.active(0); rp2.PIO(0).remove_program()")


def test_uart_interrupts_do_not_hang_the_chip(bench):
    assert (
        bench.python(
            "from machine import UART\nport = UART(1, 115200, tx=8, rx=9)\nprint(port.write('hello'))"
        )
        == "5"
    )
    assert bench.python("port.deinit()\nprint('alive')") == "alive"


def test_ring_oscillator_gives_noise(bench):
    assert bench.python("import os; print(len(set(os.urandom(64))) > 20)") == "True"


def test_a_division_takes_no_time_beyond_its_instructions(bench):
    bench.python(
        "import time\nfrom machine import mem32\n"
        "def took(register):\n    start = time.ticks_us()\n"
        "    for i in range(1000): mem32[register] = 3\n    return time.ticks_diff(time.ticks_us(), start)\n"
    )
    divisor, interpolator = 0xD0000064, 0xD0000088
    times = bench.python(f"took({divisor}); print(took({divisor}), took({interpolator}))").split()
    assert abs(int(times[0]) - int(times[1])) < 40


def test_bootsel_is_not_pressed(bench):
    assert bench.python("import rp2; print(rp2.bootsel_button())") == "0"
