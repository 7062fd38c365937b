"""The USB cable pulled and put back, a host that stops reading, and BOOTSEL."""

import socket
import time

import pytest
from emulator_bench import Bench

from host_tools.errors import PitkitError

BOOT_US = 400_000


def dial(bench):
    host, port = bench.emulator.port.removeprefix("socket://").split(":")
    return socket.create_connection((host, int(port)), timeout=5)


def test_pulling_the_cable_closes_the_client_and_the_board_runs_on(bench):
    bench.start_python(
        "import time\nturns = 0\nstart = time.ticks_ms()\n"
        "while time.ticks_diff(time.ticks_ms(), start) < 3000:\n    turns += 1; time.sleep_ms(1)"
    )
    bench.fixture.run(100_000)
    bench.fixture.unplug()
    bench.hang_up()
    with dial(bench) as refused:
        assert refused.recv(1) == b"", "there is no port to open"
    before = bench.fixture.now()
    bench.fixture.run(4_000_000)
    assert bench.fixture.now() >= before + 4_000_000
    with pytest.raises(PitkitError, match="the cable is out"):
        bench.fixture.unplug()
    bench.fixture.plug()
    bench.fixture.run(BOOT_US)
    assert int(bench.python("print(turns)")) > 2000
    with pytest.raises(PitkitError, match="the cable is in"):
        bench.fixture.plug()


def test_the_chip_hears_of_a_silent_bus_and_micropythons_print_hangs_on_it(bench):
    """micropython#16713: its USB buffer full and the bus suspended, print loops until the cable is back.

    Without the suspend it would give up every line after 500 ms, and go on.
    """
    bench.start_python(
        "import time\nfrom machine import Pin\nlamp = Pin(17, Pin.OUT)\n"
        "for turn in range(1000):\n    print('x' * 60); lamp.toggle(); time.sleep_ms(1)"
    )
    bench.fixture.run(100_000)
    bench.fixture.unplug()
    pulled_us = bench.fixture.now()
    bench.hang_up()
    bench.fixture.run(3_000_000)
    assert bench.fixture.op("when", pin="motor")["us"] < pulled_us + 700_000
    bench.fixture.plug()
    back_us = bench.fixture.now()
    bench.fixture.run(3 * BOOT_US)
    assert bench.fixture.op("when", pin="motor")["us"] > back_us


def test_the_cable_comes_and_goes(bench):
    for turn in range(3):
        bench.hang_up()
        bench.fixture.unplug()
        bench.fixture.run(10_000 + turn * 50_000)
        bench.fixture.plug()
        bench.fixture.run(BOOT_US)
        assert bench.python(f"print({turn} + 1)") == str(turn + 1)


def test_what_is_sent_into_a_pulled_cable_goes_nowhere(bench):
    bench.python("got = 0")
    bench.fixture.unplug()
    bench.hang_up()
    bench.fixture.run(20_000)
    bench.fixture.plug()
    bench.fixture.run(BOOT_US)
    with dial(bench) as line:
        line.sendall(b"\x02\rprint('fou' 'nd')\r")
        heard = b""
        while b"found\r\n" not in heard:
            heard += line.recv(4096)


def test_a_board_started_without_its_cable_waits_for_it(stock_image, wiring):
    bench = Bench(wiring, stock_image, flash="instant")
    try:
        bench.fixture.unplug()
        bench.fixture.cut()
        bench.fixture.power()
        bench.fixture.run(BOOT_US)
        assert bench.fixture.op("stats")["first_output_us"] is None
        bench.fixture.plug()
        bench.fixture.run(BOOT_US)
        assert bench.python("print(1 + 1)") == "2"
    finally:
        bench.close()


def test_bootsel_is_noticed_and_a_power_cycle_leads_back(bench):
    assert bench.fixture.op("stats")["mode"] == "running"
    bench.start_python("import machine; machine.bootloader()")
    bench.fixture.run(BOOT_US)
    assert bench.fixture.op("stats")["mode"] == "bootsel"
    bench.hang_up()
    time.sleep(0.1)
    with dial(bench) as refused:
        assert refused.recv(1) == b"", "a disk, not a serial port"
    before = bench.fixture.now()
    bench.fixture.run(100_000)
    assert bench.fixture.now() >= before + 100_000
    bench.fixture.cut()
    bench.fixture.power()
    bench.fixture.run(BOOT_US)
    assert bench.fixture.op("stats")["mode"] == "running"
    assert bench.python("print(1 + 1)") == "2"


def test_a_flash_without_an_image_ends_in_bootsel(wiring, tmp_path):
    (tmp_path / "empty.bin").write_bytes(b"\xff" * 4096)
    bench = Bench(wiring, tmp_path / "empty.bin")
    try:
        bench.fixture.run(3_000_000)
        assert bench.fixture.op("stats")["mode"] == "bootsel"
    finally:
        bench.close()
