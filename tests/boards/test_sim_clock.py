"""The virtual clock: exact, quick, wrapping where a Pico's ticks wrap."""

import time
from collections.abc import Callable

from simulated import Bench

WRAP = 1 << 30

# Keeps the time of each edge, as a hard handler must: without the heap.
STAMPS = """
kept, count = [0] * 16, 0
def edge(pin):
    global count
    kept[count] = time.ticks_us()
    count += 1
Pin(15, Pin.IN, Pin.PULL_UP).irq(edge, hard=True)
say("ready")
"""


def test_thirty_seconds_with_edges_cost_well_under_a_tenth_of_one(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        count = 0
        def edge(pin):
            global count
            count += 1
        Pin(15, Pin.IN, Pin.PULL_UP).irq(edge, hard=True)
        say('ready')
        while True:
            for _ in poll.ipoll(1000):
                sys.stdin.buffer.read(1)
                say(count)
        """,
    )
    bench.line()
    costs_s = []
    for start_us in (0, 30_000_000, 60_000_000):
        bench.fixture.schedule([(start_us + 1000 + i * 15_000, "turn", i & 1) for i in range(2000)])
        begun = time.perf_counter()
        assert bench.fixture.run(30_000_000) == start_us + 30_000_000
        costs_s.append(time.perf_counter() - begun)
    assert min(costs_s) < 0.1  # the machine may have had other things to do in one of them
    bench.port.write(b"?")
    assert bench.line() == "6000"


def test_an_edge_has_its_exact_time_and_the_firmware_its_go_at_it(board: Callable[..., Bench]) -> None:
    bench = board(
        STAMPS,
        """
        shown = 0
        while True:
            poll.poll(1000)
            if shown < count:
                say(kept[shown], time.ticks_us())
                shown += 1
        """,
    )
    bench.line()
    bench.fixture.schedule([(700, "turn", 0), (701, "turn", 1), (2_345_678, "turn", 0)])
    assert bench.fixture.run(3_000_000) == 3_000_000
    assert [bench.numbers() for _ in range(3)] == [[700, 700], [701, 701], [2_345_678, 2_345_678]]


def test_edges_are_exact_at_wall_rate_too(board: Callable[..., Bench]) -> None:
    bench = board(
        STAMPS,
        """
        while count < 3:
            poll.poll(1000)
        say(*kept[:count])
        stand()
        """,
        frozen=False,
    )
    bench.line()
    start_us = bench.fixture.now() + 50_000
    times = [start_us, start_us + 777, start_us + 20_001]
    bench.fixture.schedule([(t_us, "turn", i & 1) for i, t_us in enumerate(times)])
    assert bench.numbers() == times


def test_time_never_runs_backwards_for_a_busy_firmware(board: Callable[..., Bench]) -> None:
    script = """
    last = back = edges = 0
    def look():
        global last, back
        now = time.ticks_us()
        back += now < last
        last = now
    def edge(pin):
        global edges
        look()
        edges += 1
    Pin(15, Pin.IN, Pin.PULL_UP).irq(edge, hard=True)
    say("ready")
    while not poll.poll(1000):
        pass
    while edges < 100:
        look()
    say(back)
    stand()
    """
    bench = board(script, frozen=False)
    bench.line()
    start_us = bench.fixture.now() + 30_000
    bench.fixture.schedule([(start_us + i * 300, "turn", i & 1) for i in range(100)])
    bench.port.write(b"?")
    assert bench.line() == "0"


def test_a_wait_ends_at_its_own_deadline_inside_a_run(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        say('ready')
        poll.poll(40)
        say(time.ticks_us())
        stand()
        """,
    )
    bench.line()
    assert bench.fixture.run(1_000_000) == 1_000_000
    assert bench.line() == "40000"


def test_the_answer_to_a_run_comes_after_the_firmwares_go_at_its_end(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        led = Pin(17, Pin.OUT, value=0)
        say('ready')
        while time.ticks_us() < 50_000:
            poll.poll(50)
        for _ in range(20):
            poll.poll(0)
        led(1)
        stand()
        """,
    )
    bench.line()
    assert bench.fixture.run(49_999) == 49_999
    assert bench.fixture.read("motor") == 0
    assert bench.fixture.run(1) == 50_000
    assert bench.fixture.read("motor") == 1


def test_a_frozen_clock_stands_but_for_runs_and_sleeps(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        say(time.ticks_us())
        time.sleep_ms(250)
        time.sleep_us(7)
        time.sleep(1.5)
        say(time.ticks_us())
        stand()
        """,
    )
    assert bench.line() == "0"
    assert bench.line() == "1750007"
    time.sleep(0.02)
    assert bench.fixture.now() == 1_750_007


def test_a_busy_wait_ends_on_a_frozen_clock(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        begun = time.ticks_us()
        while time.ticks_diff(time.ticks_us(), begun) < 500:
            pass
        say(time.ticks_diff(time.ticks_us(), begun) < 510)
        stand()
        """,
    )
    assert bench.line() == "True"


def test_interrupts_are_served_during_a_sleep(board: Callable[..., Bench]) -> None:
    bench = board(
        STAMPS,
        """
        poll.poll(1000)
        time.sleep_ms(100)
        say(time.ticks_us(), *kept[:count])
        stand()
        """,
    )
    bench.line()
    bench.fixture.schedule([(10, "turn", 0), (30_000, "turn", 1), (60_001, "turn", 0)])
    bench.fixture.run(1_000_000)
    assert bench.numbers() == [100_010, 10, 30_000, 60_001]


def test_wall_rate_goes_on_by_itself_and_runs_jump_ahead(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        say('ready')
        stand()
        """,
        frozen=False,
    )
    bench.line()
    first_us = bench.fixture.now()
    time.sleep(0.03)
    second_us = bench.fixture.now()
    assert 30_000 <= second_us - first_us < 2_000_000
    assert bench.fixture.run(60_000_000) - second_us >= 60_000_000
    assert bench.fixture.now() - second_us < 62_000_000


def test_realtime_runs_take_their_time(board: Callable[..., Bench]) -> None:
    bench = board(
        STAMPS,
        """
        while not count:
            poll.poll(1000)
        say(*kept[:count])
        stand()
        """,
        frozen=False,
        realtime=True,
    )
    bench.line()
    edge_us = bench.fixture.now() + 60_000
    bench.fixture.schedule([(edge_us, "turn", 0)])
    begun = time.perf_counter()
    bench.fixture.run(100_000)
    assert 0.09 < time.perf_counter() - begun < 1
    assert bench.numbers() == [edge_us]


def test_ticks_wrap_as_on_a_pico(board: Callable[..., Bench]) -> None:
    script = """
    first = time.ticks_us()
    say(first, time.ticks_ms())
    time.sleep_us(100)
    second = time.ticks_us()
    say(second, time.ticks_diff(second, first), time.ticks_diff(first, second))
    say(time.ticks_add(first, 100), time.ticks_add(second, -100))
    stand()
    """
    bench = board(script, start_us=WRAP - 60)
    assert bench.numbers() == [WRAP - 60, (WRAP - 60) // 1000]
    assert bench.numbers() == [40, 100, -100]
    assert bench.numbers() == [40, WRAP - 60]
    assert bench.fixture.now() == WRAP + 40


def test_the_calendar_starts_anew_with_the_power(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        time.sleep(86_400)
        say(*time.gmtime()[:6], time.time(), time.time_ns())
        stand()
        """,
    )
    assert bench.numbers() == [2021, 1, 2, 0, 0, 0, 1_609_545_600, 1_609_545_600_000_000_000]


def test_stock_asyncio_lives_on_the_virtual_clock(board: Callable[..., Bench]) -> None:
    script = """
    import asyncio
    async def main():
        say("ready")
        await asyncio.sleep(30)
        say(time.ticks_ms())
        await asyncio.sleep(3600)
    asyncio.run(main())
    """
    bench = board(script)
    bench.line()
    begun = time.perf_counter()
    bench.fixture.run(30_000_000)
    assert time.perf_counter() - begun < 1
    assert bench.line() == "30000"


def test_asyncio_tasks_wait_on_each_other_and_are_cancelled(board: Callable[..., Bench]) -> None:
    script = """
    import asyncio
    async def nap(seconds, word):
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            say("cancelled", word, time.ticks_ms())
            raise
        say(word, time.ticks_ms())
        return word
    async def main():
        event = asyncio.Event()
        async def caller():
            await event.wait()
            say("called", time.ticks_ms())
        waiting = asyncio.create_task(caller())
        long = asyncio.create_task(nap(60, "long"))
        both = await asyncio.gather(nap(2, "two"), nap(1, "one"))
        event.set()
        await waiting
        long.cancel()
        try:
            await asyncio.wait_for(nap(5, "five"), 3)
        except asyncio.TimeoutError:
            say("late", both, time.ticks_ms(), long.done())
        await asyncio.sleep(1000)
    say("ready")
    asyncio.run(main())
    """
    bench = board(script)
    bench.line()
    bench.fixture.run(30_000_000)
    said = [bench.line() for _ in range(6)]
    assert said[:3] == ["one 1000", "two 2000", "called 2000"]
    assert said[3:] == ["cancelled long 2000", "cancelled five 5000", "late ['two', 'one'] 5000 True"]


def test_asyncio_reads_the_port_while_it_sleeps(board: Callable[..., Bench]) -> None:
    script = """
    import asyncio
    async def main():
        reader = asyncio.StreamReader(sys.stdin.buffer)
        say("ready")
        while True:
            say("got", (await reader.readexactly(1)).decode(), time.ticks_ms())
    asyncio.run(main())
    """
    bench = board(script)
    bench.line()
    bench.fixture.run(5000)
    bench.port.write(b"xy")
    assert [bench.line(), bench.line()] == ["got x 5", "got y 5"]


def test_edges_of_one_time_happen_in_the_order_given(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        say('ready')
        stand()
        """,
    )
    bench.line()
    bench.fixture.schedule([(100, "turn", 0), (200, "turn", 1), (200, "rest", 1), (200, "rest", 0)])
    bench.fixture.schedule([(200, "turn", 0), (300, "turn", 1)])
    bench.fixture.run(250)
    assert (bench.fixture.read("turn"), bench.fixture.read("rest")) == (0, 0)
