"""The simulator's supervisor: power, clients, bad input, and a clean end."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from simulated import Bench, wiring

from host_tools.errors import CannotRun, NoBoard, PitkitError
from host_tools.fixture import Fixture
from host_tools.simulator import Simulator

ECHO = """
    Pin(2, Pin.IN, Pin.PULL_UP)
    say("boot", machine.reset_cause(), time.ticks_us())
    while True:
        for _ in poll.ipoll(1000):
            say("got", sys.stdin.buffer.read(1).decode())
"""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path, ECHO)
    try:
        bench.line()
        yield bench
    finally:
        bench.close()


@pytest.fixture
def raw(bench: Bench) -> Iterator[Callable[[bytes], dict[str, Any]]]:
    """Sends one line as it is and answers the answer."""
    with (
        socket.create_connection(bench.simulator.fixture_address, timeout=5) as client,
        client.makefile("rb") as lines,
    ):

        def exchange(line: bytes) -> dict[str, Any]:
            client.sendall(line + b"\n")
            answer: dict[str, Any] = json.loads(lines.readline())
            return answer

        yield exchange


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"garbage", "that line is not JSON"),
        (b"\xff\xfe", "that line is not JSON"),
        (b'{"op":"run","us":NaN}', "that line is not JSON"),
        (b'{"op":"run","us":1e999}', "that line is not JSON"),
        (b"[" * 100_000, "that line is not JSON"),
        (b"[1]", "a line must be a JSON object"),
        (b"{}", "there is no op null"),
        (b'{"op":["set"]}', 'there is no op ["set"]'),
        (b'{"op":"sett"}', 'there is no op "sett"'),
        (b'{"op":"set","level":1}', "this board has no pin null"),
        (b'{"op":"set","pin":"key9","level":1}', 'this board has no pin "key9"'),
        (b'{"op":"set","pin":{},"level":1}', "this board has no pin {}"),
        (b'{"op":"set","pin":"motor","level":1}', "pin motor is an output of the board"),
        (b'{"op":"set","pin":"key1"}', "level must be 0, 1 or null"),
        (b'{"op":"set","pin":"key1","level":2}', "level must be 0, 1 or null"),
        (b'{"op":"set","pin":"key1","level":1.0}', "level must be 0, 1 or null"),
        (b'{"op":"set","pin":"key1","level":true}', "level must be 0, 1 or null"),
        (b'{"op":"set","pin":"key1","level":[]}', "level must be 0, 1 or null"),
        (b'{"op":"schedule","edges":7}', "edges must be a list of [t_us, pin, level]"),
        (b'{"op":"schedule","edges":[[1,"key1"]]}', "an edge must be [t_us, pin, level]"),
        (b'{"op":"schedule","edges":[["1","key1",0]]}', "an edge must be [t_us, pin, level]"),
        (b'{"op":"schedule","edges":[[1,"key1",5]]}', "level must be 0, 1 or null"),
        (b'{"op":"schedule","edges":[[1,"motor",0]]}', "pin motor is an output of the board"),
        (b'{"op":"schedule","edges":[[-1,"key1",0]]}', "t_us -1 is in the past: it is 0 now"),
        (b'{"op":"run"}', "us must be a whole number from 0 to 1125899906842624"),
        (b'{"op":"run","us":-1}', "us must be a whole number from 0 to 1125899906842624"),
        (b'{"op":"run","us":1.5}', "us must be a whole number from 0 to 1125899906842624"),
        (b'{"op":"adc","pin":"analog","value":65536}', "value must be a whole number from 0 to 65535"),
        (b'{"op":"power"}', "the power is on"),
        (b'{"op":"\\ud800"}', "that line is not JSON"),
        ('{"op":"ä"}'.encode(), 'there is no op "ä"'),
    ],
    ids=lambda value: str(value[:40]) if isinstance(value, bytes) else "",
)
def test_bad_input_is_answered_with_a_sentence_and_the_connection_kept(
    raw: Callable[[bytes], dict[str, Any]], line: bytes, sentence: str
) -> None:
    answer = raw(line)
    assert answer["ok"] is False
    assert answer["error"].startswith(sentence)
    assert raw(b'{"op":"now"}') == {"ok": True, "us": 0}


def test_of_a_bad_schedule_nothing_is_set(bench: Bench) -> None:
    bench.fixture.run(10)
    with pytest.raises(PitkitError, match="t_us 5 is in the past: it is 10 now"):
        bench.fixture.op("schedule", edges=[[20, "key1", 0], [5, "key1", 1]])
    bench.fixture.run(100)
    assert bench.fixture.read("key1") == 1


def test_more_edges_than_the_board_can_hold_are_refused(bench: Bench) -> None:
    edges = [[t_us, "key1", t_us & 1] for t_us in range(60_000)]
    with pytest.raises(PitkitError, match="more than the board's memory holds"):
        bench.fixture.op("schedule", edges=edges)
    assert bench.fixture.now() == 0


def test_twenty_thousand_edges_fit(bench: Bench) -> None:
    assert bench.fixture.schedule((t_us, "key1", t_us & 1) for t_us in range(1, 20_001)) == 20_000
    assert bench.fixture.run(20_001) == 20_001
    assert bench.fixture.read("key1") == 0


def test_a_line_in_pieces_and_two_in_one_piece(bench: Bench) -> None:
    with (
        socket.create_connection(bench.simulator.fixture_address, timeout=5) as client,
        client.makefile("rb") as lines,
    ):
        client.sendall(b'{"op":"r')
        time.sleep(0.02)
        client.sendall(b'un","us":5}\n\n{"op":"read","pin":"key1"}\n{"op":"no')
        assert json.loads(lines.readline()) == {"ok": True, "us": 5}
        assert json.loads(lines.readline()) == {"ok": True, "level": 1}
        client.sendall(b'w"}\n')
        assert json.loads(lines.readline()) == {"ok": True, "us": 5}


def test_two_clients_each_get_their_own_answers(bench: Bench) -> None:
    def work(level: int, seen: list[int]) -> None:
        with Fixture(bench.simulator.fixture_address) as fixture:
            for _ in range(100):
                fixture.set(f"key{level + 1}", level)
                seen.append(fixture.read(f"key{level + 1}"))
                fixture.run(10)

    seen: list[list[int]] = [[], []]
    threads = [threading.Thread(target=work, args=(level, seen[level])) for level in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert seen == [[0] * 100, [1] * 100]
    assert 1000 <= bench.fixture.now() <= 2000


def test_a_client_that_leaves_in_the_middle_harms_nobody(bench: Bench) -> None:
    for ending in (b'{"op":"now"}\n', b'{"op":"now"', b""):
        with socket.create_connection(bench.simulator.fixture_address) as client:
            client.sendall(ending)
    assert bench.fixture.now() == 0


def test_a_power_cut_and_the_power_back(bench: Bench) -> None:
    bench.fixture.set("cover", 0)
    bench.fixture.schedule([(100, "key1", 0), (9000, "key2", 0)])
    bench.fixture.run(5000)
    bench.fixture.cut()
    assert bench.simulator.pid is None
    assert bench.fixture.now() == 0
    for name, fields in (
        ("read", {"pin": "key1"}),
        ("lamps", {}),
        ("cut", {}),
        ("run", {"us": 1}),
        ("nonsense", {}),
    ):
        with pytest.raises(PitkitError, match=r"^the power is off$"):
            bench.fixture.op(name, **fields)
    bench.port.write(b"into the void")
    time.sleep(0.05)
    bench.fixture.power()
    assert bench.line() == "boot 1 0"
    bench.port.write(b"x")
    assert bench.line() == "got x"
    # The wires are where they were; an edge that was to come is not: its time is gone.
    bench.fixture.run(20_000)
    assert [bench.fixture.read(pin) for pin in ("cover", "key1", "key2")] == [0, 0, 1]


def test_a_run_cut_short_is_answered(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ECHO, frozen=False, realtime=True)
    bench.line()
    with Fixture(bench.simulator.fixture_address) as other:
        threading.Timer(0.1, other.cut).start()
        with pytest.raises(PitkitError, match="the power was cut"):
            bench.fixture.run(60_000_000)
    bench.close()


def test_a_host_that_does_not_read_does_not_stop_the_board(tmp_path: Path) -> None:
    bench = Bench(
        tmp_path,
        """
        led = Pin(17, Pin.OUT)
        for _ in range(1000):
            say('x' * 100)
        led(1)
        stand()
        """,
    )
    bench.fixture.run(1000)
    assert bench.fixture.read("motor") == 1
    bench.close()


def test_the_board_lives_without_any_client(tmp_path: Path) -> None:
    bench = Bench(
        tmp_path,
        """
        while True:
            poll.poll(20)
            say(time.ticks_ms())
        """,
        frozen=False,
    )
    assert [int(bench.line()) >= 20 * i for i in range(1, 6)] == [True] * 5
    bench.close()


def test_levels_of_the_wiring_hold_from_the_first_instruction(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import machine\nmachine.Pin(17, machine.Pin.OUT, value=1 - machine.Pin(13).value())\n"
        "import select\nwhile True:\n    select.poll().poll(1000)\n"
    )
    with (
        Simulator({**wiring(), "levels": {"cover": 0}}, script=script, frozen=True) as simulator,
        Fixture(simulator.fixture_address) as fixture,
    ):
        assert (fixture.read("cover"), fixture.read("motor")) == (0, 1)


def test_a_script_that_fails_is_a_board_that_stopped(tmp_path: Path) -> None:
    bench = Bench(
        tmp_path,
        """
        say('ready')
        poll.poll(1000)
        raise ValueError('the wheel came off')
        """,
    )
    bench.line()
    sentence = "the board stopped: ValueError: the wheel came off"
    for _ in range(2):
        with pytest.raises(PitkitError, match=sentence):
            bench.fixture.run(2_000_000)
    assert bench.simulator.crashed == sentence
    assert bench.simulator.pid is None
    bench.close()


def test_two_simulators_do_not_share_a_state_folder(tmp_path: Path) -> None:
    first = Bench(tmp_path, ECHO, state_dir=tmp_path / "state")
    with pytest.raises(CannotRun, match="another simulator is using"):
        Simulator(wiring(), state_dir=tmp_path / "state")
    first.close()
    Bench(tmp_path, ECHO, state_dir=tmp_path / "state").close()


def test_a_state_folder_that_cannot_be_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotRun, match="cannot be used"):
        Simulator(wiring(), state_dir=tmp_path / "file")


def test_a_micropython_that_does_not_start_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="nothing does not start"):
        Simulator(wiring(), micropython=tmp_path / "nothing")


def open_files() -> set[str]:
    # The folder's own descriptor, open while it is read, is the one not counted.
    return {path.name for path in Path("/proc/self/fd").iterdir() if path.exists()}


def test_a_stop_leaves_no_process_no_folder_and_no_file_open(tmp_path: Path) -> None:
    Bench(tmp_path, ECHO).close()  # what is opened once for all is open now
    before = open_files()
    bench = Bench(tmp_path, ECHO)
    bench.line()
    pid, state = bench.simulator.pid, bench.simulator.log.parent
    bench.fixture.cut()
    bench.fixture.power()
    again = bench.simulator.pid
    with Fixture(bench.simulator.fixture_address) as idle:
        bench.close()
        with pytest.raises(NoBoard):
            idle.now()
    bench.simulator.stop()
    for number in (pid, again):
        assert number
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, 0)
            pytest.fail("a process is left")
    assert not state.exists()
    assert open_files() == before


def test_a_simulator_forgotten_is_stopped_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "forget.py").write_text(
        "import sys\nfrom pathlib import Path\nfrom simulated import Bench\n"
        "board = Bench(Path(sys.argv[1]), 'stand()').simulator\nprint(board.pid, board.log.parent)\n"
    )
    paths = os.pathsep.join(str(Path(__file__).parents[up]) for up in (1, 2))
    done = subprocess.run(
        [sys.executable, str(tmp_path / "forget.py"), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 0, done.stderr
    pid, state = done.stdout.split()
    assert not Path(state).exists()
    assert not Path("/proc", pid).exists()


def test_a_board_that_never_waits_can_be_stopped(tmp_path: Path) -> None:
    bench = Bench(
        tmp_path,
        """
        say('ready')
        while True:
            pass
        """,
    )
    bench.line()
    begun = time.perf_counter()
    bench.close()
    assert time.perf_counter() - begun < 2


def test_it_runs_in_a_chips_heap(tmp_path: Path) -> None:
    bench = Bench(
        tmp_path,
        """
        import gc
        gc.collect()
        say(gc.mem_free())
        stand()
        """,
        heap="384k",
    )
    assert int(bench.line()) > 100_000
    bench.close()
