"""Pins: levels, pulls, and interrupts as hard as on a chip."""

import statistics
import time
from collections.abc import Callable

import pytest
from simulated import Bench

from host_tools.errors import PitkitError


def test_levels_follow_the_wire_the_pull_and_the_mode(board: Callable[..., Bench]) -> None:
    script = """
    up, down = Pin(2, Pin.IN, Pin.PULL_UP), Pin(3, Pin.IN, Pin.PULL_DOWN)
    out, drain = Pin(17, Pin.OUT), Pin(4, Pin.OPEN_DRAIN, Pin.PULL_UP, value=1)
    say(up(), down(), out(), drain())
    out.on(); drain.off()
    say(up.value(), down.value(), out.value(), drain.value())
    out.toggle(); drain.on()
    say(out(), drain(), Pin(2) is up, Pin(up) is up, up)
    out.init(Pin.IN, Pin.PULL_UP)
    say(out())
    stand()
    """
    bench = board(script)
    assert [bench.line() for _ in range(4)] == ["1 0 0 1", "1 0 1 0", "0 1 True True Pin(2)", "1"]


def test_the_fixture_drives_and_lets_go(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        key = Pin(2, Pin.IN, Pin.PULL_UP)
        while True:
            for _ in poll.ipoll(1000):
                sys.stdin.buffer.read(1)
                say(key())
        """,
    )
    for level, seen in ((0, "0"), (1, "1"), (0, "0"), (None, "1")):
        bench.fixture.set("key1", level)
        bench.port.write(b"?")
        assert bench.line() == seen
        assert str(bench.fixture.read("key1")) == seen


def test_two_edges_in_one_microsecond_are_one_call_with_both_flags(board: Callable[..., Bench]) -> None:
    script = """
    calls = []
    pin = Pin(15, Pin.IN, Pin.PULL_UP)
    irq = pin.irq(lambda p: calls.append((irq.flags(), p())))
    say("ready")
    poll.poll(100)
    poll.poll(100)
    say(calls)
    stand()
    """
    bench = board(script)
    bench.line()
    bench.fixture.schedule([(500, "turn", 0), (500, "turn", 1), (501, "turn", 0)])
    bench.fixture.run(1000)
    assert bench.line() == "[(12, 1), (4, 0)]"


def test_only_the_edges_asked_for_reach_the_handler(board: Callable[..., Bench]) -> None:
    script = """
    seen = []
    pin = Pin(15, Pin.IN, Pin.PULL_UP)
    irq = pin.irq(lambda p: seen.append(time.ticks_us()), Pin.IRQ_RISING)
    say(irq.trigger())
    poll.poll(1)
    old = irq.trigger(0)
    poll.poll(2)
    irq.trigger(Pin.IRQ_FALLING)
    poll.poll(2)
    pin.irq(None)
    poll.poll(20)
    say(old, seen)
    stand()
    """
    bench = board(script)
    assert bench.line() == "8"
    bench.fixture.schedule([(100 + i * 500, "turn", i & 1) for i in range(30)])
    bench.fixture.run(100_000)
    # The first rise ends the first wait; then nothing for 2 ms; then the first fall; then nothing.
    assert bench.line() == "8 [600, 3100]"


def test_a_hard_handler_that_allocates_stops_the_board(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        Pin(15, Pin.IN, Pin.PULL_UP).irq(lambda p: [1, 2, 3], hard=True)
        say('ready')
        stand()
        """,
    )
    bench.line()
    with pytest.raises(PitkitError, match="heap is locked"):
        bench.fixture.set("turn", 0)
    with pytest.raises(PitkitError, match="the board stopped: MemoryError"):
        bench.fixture.now()
    assert bench.simulator.crashed and "MemoryError" in bench.simulator.crashed
    assert "Traceback" in bench.log() and "script.py" in bench.log()


def test_a_soft_handler_may_allocate_and_its_failure_is_seen(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        def edge(p):
            say([1, 2, 3])
            raise KeyError('lost')
        Pin(15, Pin.IN, Pin.PULL_UP).irq(edge)
        say('ready')
        stand()
        """,
    )
    bench.line()
    bench.fixture.set("turn", 0)
    assert bench.line() == "[1, 2, 3]"
    with pytest.raises(PitkitError, match="KeyError: lost"):
        for _ in range(100):
            bench.fixture.now()
            time.sleep(0.01)


@pytest.mark.parametrize("start_us", [0, (1 << 30) - 300, 5 << 30])
def test_a_native_handler_stores_edges_without_the_heap(board: Callable[..., Bench], start_us: int) -> None:
    script = """
    from array import array
    class Tap:
        def __init__(self):
            self.times = array("i", [0] * 8)
            self.count = 0
            self.handler = self.edge
        @micropython.native
        def edge(self, pin):
            self.times[self.count & 7] = time.ticks_us()
            self.count += pin.value() + 1
    tap = Tap()
    Pin(15, Pin.IN, Pin.PULL_UP).irq(tap.handler, hard=True)
    say("ready")
    while tap.count < 6:
        poll.poll(1000)
    say(*tap.times)
    stand()
    """
    bench = board(script, start_us=start_us)
    bench.line()
    times = [start_us + 100 * i for i in range(1, 5)]
    bench.fixture.schedule([(t_us, "turn", i & 1) for i, t_us in enumerate(times)])
    bench.fixture.run(1000)
    wrapped = [t_us % (1 << 30) for t_us in times]
    assert bench.numbers() == [wrapped[0], wrapped[1], 0, wrapped[2], wrapped[3], 0, 0, 0]


def test_interrupts_held_off_are_merged_and_come_when_let_in(board: Callable[..., Bench]) -> None:
    script = """
    calls = []
    pin = Pin(15, Pin.IN, Pin.PULL_UP)
    irq = pin.irq(lambda p: calls.append((irq.flags(), time.ticks_us())))
    say("ready")
    poll.poll(1000)
    state = machine.disable_irq()
    time.sleep_ms(5)
    say(len(calls))
    machine.enable_irq(state)
    poll.poll(0)
    say(calls)
    stand()
    """
    bench = board(script)
    bench.line()
    bench.fixture.schedule([(100, "turn", 0), (200, "turn", 1), (300, "turn", 0)])
    bench.fixture.run(10_000)
    assert bench.line() == "1"
    assert bench.line() == "[(4, 100), (12, 5100)]"


def test_the_soft_queue_is_as_deep_as_the_chips(board: Callable[..., Bench]) -> None:
    script = """
    calls = 0
    def edge(pin):
        global calls
        calls += 1
    Pin(15, Pin.IN, Pin.PULL_UP).irq(edge)
    say("ready")
    poll.poll(1000)
    begun = time.ticks_us()
    while time.ticks_diff(time.ticks_us(), begun) < 300:
        pass
    poll.poll(0)
    say(calls)
    stand()
    """
    bench = board(script)
    bench.line()
    bench.fixture.schedule([(100 + 20 * i, "turn", i & 1) for i in range(12)])
    bench.fixture.run(1000)
    assert bench.line() == "9"
    assert "soft interrupt lost, 3 so far" in bench.log()


def test_analog_inputs(board: Callable[..., Bench]) -> None:
    script = """
    adc, same = machine.ADC(Pin(26)), machine.ADC(0)
    while True:
        for _ in poll.ipoll(1000):
            sys.stdin.buffer.read(1)
            say(adc.read_u16(), same.read_u16())
    """
    bench = board(script)
    bench.port.write(b"?")
    assert bench.numbers() == [0, 0]
    bench.fixture.adc("analog", 65535)
    bench.port.write(b"?")
    assert bench.numbers() == [65535, 65535]
    with pytest.raises(PitkitError, match="pin key1 has no ADC"):
        bench.fixture.adc("key1", 1)


def test_adc_noise_has_its_deviation_and_repeats_by_its_seed(board: Callable[..., Bench]) -> None:
    script = """
    adc = machine.ADC(Pin(26))
    while True:
        for _ in poll.ipoll(1000):
            sys.stdin.buffer.read(1)
            say(*[adc.read_u16() for i in range(300)])
    """
    bench = board(script)

    def samples(*told: int) -> list[int]:
        bench.fixture.adc("analog", *told)
        bench.port.write(b"?")
        return bench.numbers()

    noisy = samples(30000, 800, 7)
    assert abs(statistics.mean(noisy) - 30000) < 200
    assert 650 < statistics.stdev(noisy) < 950
    assert samples(30000, 800, 7) == noisy != samples(30000, 800, 8)
    assert set(samples(30000)) == {30000}
    assert min(samples(0, 3000)) == 0 and max(samples(65535, 3000)) == 65535
