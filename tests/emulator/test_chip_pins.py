"""Pins as the fixture moves them and as the chip sees them, with the chip's own clock as the witness."""

import json

import pytest

from host_tools.errors import PitkitError

WATCH = """
from machine import Pin
import array, time
times = array.array('I', [0] * 64); seen = 0
def edge(pin):
    global seen
    times[seen] = time.ticks_us(); seen += 1
key = Pin(2, Pin.IN, Pin.PULL_UP)
key.irq(edge, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard={hard})
"""


def seen_times(bench):
    return json.loads(bench.python("print(list(times[:seen]))"))


def test_input_follows_pull_and_drive(bench):
    bench.python("from machine import Pin\nkey = Pin(3, Pin.IN, Pin.PULL_UP)")
    assert bench.fixture.read("key2") == 1
    bench.fixture.set("key2", 0)
    assert bench.fixture.read("key2") == 0
    assert bench.python("print(key.value())") == "0"
    bench.fixture.set("key2", None)
    assert bench.python("print(key.value())") == "1"
    bench.python("key.init(Pin.IN, Pin.PULL_DOWN)")
    assert bench.fixture.read("key2") == 0


def test_output_is_read_back(bench):
    bench.python("from machine import Pin\nmotor = Pin(17, Pin.OUT, value=1)")
    assert bench.fixture.read("motor") == 1
    assert bench.python("motor.off(); print(motor.value())") == "0"
    assert bench.fixture.read("motor") == 0


def test_output_cannot_be_driven(bench):
    with pytest.raises(PitkitError, match="output"):
        bench.fixture.set("motor", 1)


@pytest.mark.parametrize("hard", [False, True])
def test_scheduled_edges_reach_the_handler_at_their_time(bench, hard):
    bench.python(WATCH.format(hard=hard))
    start = bench.fixture.now() + 200_000
    at = [start + 1000 * step for step in range(20)]
    bench.fixture.schedule([[t_us, "key1", step % 2] for step, t_us in enumerate(at)])
    bench.fixture.run(300_000)
    times = seen_times(bench)
    assert len(times) == 20
    delays = [time - t_us for time, t_us in zip(times, at, strict=True)]
    assert min(delays) >= 0 and max(delays) < 300
    assert max(delays) - min(delays) < 30, "the handler's delay is the chip's own and repeats"


def test_the_same_level_again_is_no_edge(bench):
    bench.fixture.set("key1", 1)
    bench.python(WATCH.format(hard=True))
    for level in (1, 1, 0, 0, 0, 1):
        bench.fixture.set("key1", level)
        bench.fixture.run(2000)
    assert len(seen_times(bench)) == 2
    bench.fixture.set("key1", None)


def test_two_edges_in_one_time_happen_in_order(bench):
    bench.python(WATCH.format(hard=True))
    t_us = bench.fixture.now() + 100_000
    bench.fixture.schedule([[t_us, "key1", 0], [t_us, "key1", 1], [t_us + 500, "key1", 0]])
    bench.fixture.run(110_000)
    assert bench.fixture.read("key1") == 0
    assert bench.fixture.op("when", pin="key1")["us"] == t_us + 500
    bench.fixture.set("key1", None)


def test_when_tells_the_last_change_of_an_output(bench):
    bench.start_python(
        "from machine import Pin\nimport time\nlamp = Pin(17, Pin.OUT, value=0)\n"
        "time.sleep_ms(50)\nlamp.on(); us = time.ticks_us()"
    )
    bench.fixture.run(200_000)
    bench.hang_up()
    assert abs(int(bench.python("print(us)")) - bench.fixture.op("when", pin="motor")["us"]) < 20


def test_past_edge_schedules_nothing(bench):
    bench.python("from machine import Pin\nPin(2, Pin.IN, Pin.PULL_UP)")
    now = bench.fixture.now()
    with pytest.raises(PitkitError, match="past"):
        bench.fixture.schedule([[now + 50_000, "key1", 0], [1, "key1", 1]])
    bench.fixture.run(60_000)
    assert bench.fixture.read("key1") == 1


def test_adc_speaks_sixteen_bits(bench):
    bench.fixture.adc("analog", 40000)
    value = int(bench.python("from machine import ADC\nprint(ADC(26).read_u16())"))
    assert abs(value - 40000) <= 16
    with pytest.raises(PitkitError, match="no ADC"):
        bench.fixture.adc("key1", 5)
