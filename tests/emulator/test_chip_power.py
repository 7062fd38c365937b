"""Cuts, resets and the watchdog: what each keeps and what each loses."""

import pytest

from host_tools.errors import PitkitError

BOOT_US = 400_000


def restart(bench, code):
    """Runs lines that reset the chip, and waits for the boot that follows."""
    boots = bench.fixture.op("stats")["boots"]
    bench.start_python(code)
    bench.fixture.run(3 * BOOT_US)
    bench.hang_up()
    assert bench.fixture.op("stats")["boots"] == boots + 1


def cause(bench):
    return bench.python("import machine; print(machine.reset_cause() == machine.WDT_RESET)")


def test_power_on_is_not_a_watchdog_reset(bench):
    bench.hang_up()
    bench.fixture.cut()
    bench.fixture.power()
    assert cause(bench) == "False"


def test_reset_boots_anew_and_board_time_runs_on(bench):
    bench.python("kept = 1")
    before = bench.fixture.now()
    restart(bench, "import machine; machine.reset()")
    assert bench.fixture.now() >= before + 3 * BOOT_US
    assert int(bench.python("import time; print(time.ticks_ms())")) < bench.fixture.now() / 1000 - 100
    assert bench.python("print('kept' in globals())") == "False"
    assert cause(bench) == "True", "the rp2 port resets through the watchdog"


def test_a_watchdog_that_is_not_fed_bites(bench):
    restart(bench, "import machine\ndog = machine.WDT(timeout=300)\nwhile True: pass")
    assert cause(bench) == "True"


def test_a_watchdog_that_is_fed_does_not(bench):
    boots = bench.fixture.op("stats")["boots"]
    bench.start_python(
        "import machine, time\ndog = machine.WDT(timeout=300)\n"
        "for i in range(10): time.sleep_ms(100); dog.feed()\nprint('fed')\nwhile True: dog.feed()"
    )
    bench.fixture.run(1_200_000)
    assert bench.fixture.op("stats")["boots"] == boots
    bench.hang_up()
    bench.fixture.cut()
    bench.fixture.power()


def test_watchdog_scratch_survives_a_reset_and_not_a_cut(bench):
    scratch = "0x4005800c"
    restart(bench, f"import machine\nmachine.mem32[{scratch}] = 0x5EA1\nmachine.reset()")
    assert bench.python(f"import machine; print(hex(machine.mem32[{scratch}]))") == "0x5ea1"
    bench.hang_up()
    bench.fixture.cut()
    bench.fixture.power()
    assert bench.python(f"import machine; print(hex(machine.mem32[{scratch}]))") == "0x0"


def test_the_world_outlives_a_reset(bench):
    bench.fixture.set("cover", 0)
    edge_us = bench.fixture.now() + 2 * BOOT_US
    bench.fixture.schedule([[edge_us, "turn", 0]])
    restart(bench, "import machine; machine.reset()")
    assert bench.python("from machine import Pin; print(Pin(13, Pin.IN, Pin.PULL_UP).value())") == "0"
    assert bench.python("print(Pin(15, Pin.IN, Pin.PULL_UP).value())") == "0"
    bench.fixture.set("cover", None)
    bench.fixture.set("turn", None)


def test_without_power_only_power_and_now_answer(bench):
    bench.hang_up()
    bench.fixture.cut()
    for ask in (bench.fixture.cut, bench.fixture.lamps, lambda: bench.fixture.run(10)):
        with pytest.raises(PitkitError, match="the power is off"):
            ask()
    assert bench.fixture.now() == 0
    bench.fixture.power()
    with pytest.raises(PitkitError, match="the power is on"):
        bench.fixture.power()
    bench.fixture.run(BOOT_US)
    assert bench.fixture.now() >= BOOT_US


def test_a_cut_forgets_the_schedule_and_keeps_what_is_held(bench):
    bench.fixture.set("cover", 0)
    bench.fixture.schedule([[bench.fixture.now() + 50_000, "turn", 0]])
    bench.fixture.cut()
    bench.fixture.power()
    bench.fixture.run(BOOT_US)
    assert bench.python("from machine import Pin; print(Pin(13, Pin.IN, Pin.PULL_UP).value())") == "0"
    assert bench.python("print(Pin(15, Pin.IN, Pin.PULL_UP).value())") == "1"
    bench.fixture.set("cover", None)


def test_the_boot_goes_through_the_rom_on_the_ring_oscillator(bench):
    bench.hang_up()
    bench.fixture.cut()
    before = bench.fixture.op("stats")["instructions"]
    bench.fixture.power()
    bench.fixture.run(5_000)
    done = bench.fixture.op("stats")["instructions"] - before
    assert 5_000 < done < 60_000, "6.5 MHz, not the 125 MHz that the firmware sets up later"
    assert bench.python("import machine; print(hex(machine.mem32[0x40064008]))") == "0x100", "power-on reset"
