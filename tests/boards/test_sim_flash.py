"""Flash: the manners of NOR, and nothing lost when the process is shot."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from simulated import Bench

from host_tools.errors import PitkitError


def test_erased_is_ff_and_programming_only_clears_bits(board: Callable[..., Bench]) -> None:
    script = """
    flash = machine.Flash(start=8192, len=16384)
    say(flash.ioctl(4, 0), flash.ioctl(5, 0))
    buffer = bytearray(4)
    def show(block, offset):
        flash.readblocks(block, buffer, offset)
        say(*buffer)
    show(3, 4092)
    flash.writeblocks(1, b"\\xf0" * 256, 512)
    flash.writeblocks(1, b"\\x3c" * 256, 512)
    show(1, 510)
    flash.ioctl(6, 1)
    show(1, 510)
    flash.writeblocks(1, bytes(range(256)) * 16)
    show(1, 300)
    flash.writeblocks(1, b"\\xff" * 4096)
    show(1, 300)
    stand()
    """
    bench = board(script)
    assert bench.numbers() == [4, 4096]
    assert bench.numbers() == [255] * 4
    assert bench.numbers() == [255, 255, 0x30, 0x30]
    assert bench.numbers() == [255] * 4
    assert bench.numbers() == [44, 45, 46, 47]
    assert bench.numbers() == [255] * 4


@pytest.mark.parametrize(
    "call",
    [
        "flash.writeblocks(0, bytes(256), 128)",
        "flash.writeblocks(0, bytes(100), 0)",
        "flash.writeblocks(0, bytes(256))",
        "flash.writeblocks(1, bytes(512), 3840)",
        "flash.writeblocks(2, bytes(256), 0)",
        "flash.readblocks(1, bytearray(8), 4090)",
        "flash.ioctl(6, 2)",
    ],
)
def test_what_the_chip_would_spoil_is_refused(board: Callable[..., Bench], call: str) -> None:
    bench = board(
        f"flash = machine.Flash(start=0, len=8192)\ntry:\n    {call}\n"
        "except OSError as e:\n    say('refused', e.errno)\nstand()\n"
    )
    assert bench.line() == "refused 22"


def test_an_area_is_whole_sectors_inside_the_storage(board: Callable[..., Bench]) -> None:
    bench = board(
        """
        for start, length in ((1, 4096), (0, 5000), (1437696, 8192)):
            try:
                machine.Flash(start=start, len=length)
            except ValueError:
                say('refused')
        say(machine.Flash().ioctl(4, 0))
        stand()
        """,
    )
    assert [bench.line() for _ in range(4)] == ["refused"] * 3 + ["352"]


COUNTER = """
    flash = machine.Flash(start=0, len=8192)
    page = bytearray(1)
    written = 0
    while True:
        flash.readblocks(0, page, written * 256)
        if page[0] == 255:
            break
        written += 1
    in_ram = 0
    say(written, in_ram)
    while True:
        for _ in poll.ipoll(1000):
            sys.stdin.buffer.read(1)
            flash.writeblocks(0, bytes(256), written * 256)
            written += 1
            in_ram += 1
            say(written, in_ram)
"""


def test_a_power_cut_keeps_the_flash_and_loses_the_ram(board: Callable[..., Bench]) -> None:
    bench = board(COUNTER)
    assert bench.numbers() == [0, 0]
    bench.port.write(b"..")
    assert [bench.numbers(), bench.numbers()] == [[1, 1], [2, 2]]
    bench.fixture.cut()
    bench.fixture.power()
    assert bench.numbers() == [2, 0]


def test_a_state_folder_keeps_the_flash_for_the_next_board(
    board: Callable[..., Bench], tmp_path: Path
) -> None:
    first = board(COUNTER, state_dir=tmp_path / "deep" / "state")
    first.line()
    first.port.write(b".")
    first.line()
    first.close()
    assert board(COUNTER, state_dir=tmp_path / "deep" / "state").numbers() == [1, 0]


def test_a_kill_in_the_middle_of_writing_loses_nothing_that_was_done(
    board: Callable[..., Bench], tmp_path: Path
) -> None:
    script = """
    flash = machine.Flash()
    n = 0
    while True:
        flash.ioctl(6, n // 16 % 300)
        for _ in range(16):
            flash.writeblocks(n // 16 % 300, bytes([n & 127]) * 256, n % 16 * 256)
            n += 1
        say(n)
    """
    bench = board(script, state_dir=tmp_path / "state")
    for _ in range(20):
        done = int(bench.line())
    pid = bench.simulator.pid
    assert pid
    os.kill(pid, signal.SIGKILL)
    while line := bench.port.readline(limit_s=0.2):
        done = int(line)
    flash = (tmp_path / "state" / "flash.bin").read_bytes()
    for page in range(max(0, done - 640), done):
        assert flash[page % 4800 * 256 :][:256] == bytes([page & 127]) * 256
    with pytest.raises(PitkitError, match="the board stopped: its process was killed"):
        for _ in range(100):
            bench.fixture.now()
            time.sleep(0.01)
