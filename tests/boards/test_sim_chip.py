"""The chip around the pins: timers, watchdog, reset, identity, and what the build says of itself."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from simulated import Bench

from host_tools import __version__
from host_tools.errors import PitkitError

ROOT = Path(__file__).parents[2]


def test_timers_ring_exactly_and_can_be_stopped(board: Callable[..., Bench]) -> None:
    script = """
    rings = []
    def ring_once(timer):
        rings.append(("once", time.ticks_us()))
    once = machine.Timer(mode=machine.Timer.ONE_SHOT, period=25, callback=ring_once)
    often = machine.Timer()
    often.init(period=10, callback=lambda t: rings.append(time.ticks_us()))
    say("ready")
    while time.ticks_us() < 35_000:
        poll.poll(100)
        if len(rings) == 4:
            often.deinit()
    say(rings)
    stand()
    """
    bench = board(script)
    bench.line()
    bench.fixture.run(1_000_000)
    assert bench.line() == "[10000, 20000, ('once', 25000), 30000]"


def test_a_hard_timer_runs_with_the_heap_locked(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        machine.Timer(freq=50, hard=True, callback=lambda t: [1, 2])
        say('ready')
        stand()
        """,
    )
    bench.line()
    with pytest.raises(PitkitError, match="heap is locked"):
        bench.fixture.run(20_000)
    assert bench.simulator.crashed


WATCHDOG = """
    say(machine.reset_cause(), time.ticks_us())
    dog = machine.WDT(timeout=500)
    for _ in range(6):
        poll.poll(400)
        if machine.reset_cause() == machine.PWRON_RESET:
            dog.feed()
    poll.poll(3000)
    stand()
"""


def test_the_watchdog_bites_to_the_microsecond_and_the_run_goes_on(board: Callable[..., Bench]) -> None:
    bench = board(WATCHDOG)
    assert bench.numbers() == [1, 0]
    assert bench.fixture.run(3_000_000) == 3_000_000
    assert bench.numbers() == [3, 2_900_000]
    assert bench.fixture.run(600_000) == 3_600_000
    assert bench.numbers() == [3, 3_400_000]


def test_the_watchdog_bites_a_loop_that_never_looks_at_the_clock(board: Callable[..., Bench]) -> None:
    script = """
    import peripherals
    peripherals.WDT.CPU_S = 1
    say(machine.reset_cause())
    dog = machine.WDT(timeout=500)
    poll.poll(100)
    while machine.reset_cause() == machine.PWRON_RESET:
        pass
    stand()
    """
    bench = board(script)
    assert bench.line() == "1"
    assert bench.fixture.run(200_000) >= 200_000
    assert bench.line() == "3"


def test_a_watchdog_longer_than_the_chips_is_refused(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        try:
            machine.WDT(timeout=8389)
        except ValueError as e:
            say(e)
        stand()
        """,
    )
    assert bench.line() == "timeout exceeds 8388"


def test_a_reset_keeps_board_time_wires_and_edges_to_come(board: Callable[..., Bench]) -> None:
    script = """
    seen = 0
    def edge(pin):
        global seen
        seen = time.ticks_us()
    Pin(15, Pin.IN, Pin.PULL_UP).irq(edge, hard=True)
    say(machine.reset_cause(), time.ticks_us(), Pin(13).value(), machine.ADC(26).read_u16())
    poll.poll(1)
    if machine.reset_cause() == machine.PWRON_RESET:
        try:
            machine.reset()
        finally:
            say("a reset runs nothing more")
    while not seen:
        poll.poll(1000)
    say(seen)
    stand()
    """
    bench = board(script)
    assert bench.numbers() == [1, 0, 1, 0]
    bench.fixture.set("cover", 0)
    bench.fixture.adc("analog", 4321)
    bench.fixture.schedule([(70_000, "turn", 0)])
    assert bench.fixture.run(100_000) == 100_000
    assert bench.numbers() == [3, 1000, 0, 4321]
    assert bench.numbers() == [70_000]


def test_a_hard_handler_may_reset_the_board(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        say(machine.reset_cause())
        Pin(2, Pin.IN, Pin.PULL_UP).irq(lambda p: machine.reset(), hard=True)
        stand()
        """,
    )
    assert bench.line() == "1"
    bench.fixture.set("key1", 0)
    assert bench.line() == "3"
    assert bench.fixture.read("key1") == 0


def test_the_unique_id_is_the_boards_own_and_stays(board: Callable[..., Bench], tmp_path: Path) -> None:
    script = "from binascii import hexlify\nsay(hexlify(machine.unique_id()).decode())\nstand()\n"
    ids = []
    for name in ("a", "b", "a"):
        bench = board(script, state_dir=tmp_path / name)
        ids.append(bench.line())
        bench.close()
    assert ids[0] == ids[2] != ids[1]
    assert len(ids[0]) == 16


def test_light_sleep_and_idle_end_with_an_interrupt(board: Callable[..., Bench]) -> None:
    script = """
    Pin(15, Pin.IN, Pin.PULL_UP).irq(lambda p: None)
    machine.idle()
    say(time.ticks_us(), machine.freq())
    poll.poll(1000)
    machine.lightsleep(100)
    say(time.ticks_us())
    stand()
    """
    bench = board(script)
    assert bench.numbers() == [1000, 125_000_000]
    bench.fixture.schedule([(1500, "turn", 0), (9000, "turn", 1)])
    bench.fixture.run(200_000)
    assert bench.line() == "9000"


def test_the_build_knows_its_rules(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        from board_data import BOARD, BUILD
        say(BOARD['name'], BUILD['version'], BUILD['rules_hash'])
        stand()
        """,
    )
    digest = hashlib.sha256()
    for path in sorted((ROOT / "rules_min").glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    assert bench.line() == f"unix {__version__} {digest.hexdigest()[:16]}"
