"""Flash that is written as on silicon and survives what it should: resets, cuts, a kill of the emulator."""

import os
import signal
from pathlib import Path

import pytest
from emulator_bench import Bench

from host_tools.errors import CannotRun

FLASH_BYTES = 2 * 1024 * 1024

WRITE = """
import rp2
area = rp2.Flash(start=8192, len=16384)
page = bytearray(range(256))
"""
DECIDE = "with open('kept.txt', 'w') as file: file.write('decided')"


@pytest.fixture
def kept(tmp_path, stock_image, wiring):
    """Starts boards one after the other on the same state folder."""
    started = []

    def start():
        started.append(Bench(wiring, stock_image, state_dir=tmp_path / "state"))
        return started[-1]

    yield start
    for bench in started:
        bench.close()


def test_program_clears_bits_only_and_erase_sets_them(bench):
    bench.python(WRITE + "area.ioctl(6, 0); area.writeblocks(0, page, 256)")
    bench.python(
        "area.writeblocks(0, b'\\x0f' * 256, 256); got = bytearray(256); area.readblocks(0, got, 256)"
    )
    assert bench.python("print(bytes(got) == bytes(b & 15 for b in page))") == "True"
    bench.python("area.readblocks(0, got, 0)")
    assert bench.python("print(bytes(got) == b'\\xff' * 256)") == "True"
    bench.python("area.ioctl(6, 0); area.readblocks(0, got, 256)")
    assert bench.python("print(bytes(got) == b'\\xff' * 256)") == "True"


def test_a_store_to_the_flashs_addresses_changes_nothing(bench):
    bench.python("from machine import mem8, mem16, mem32\nbefore = mem32[0x10000100]")
    bench.python("mem32[0x10000100] = 0; mem16[0x10000100] = 0; mem8[0x10000100] = 0")
    assert bench.python("print(mem32[0x10000100] == before != 0)") == "True"


def test_the_cache_says_that_it_is_flushed(bench):
    assert bench.python("from machine import mem32; print(mem32[0x14000008])") == "3", (
        "FIFO empty, flush done"
    )


def test_operations_are_counted(bench):
    before = bench.fixture.op("stats")
    bench.python(WRITE + "area.ioctl(6, 1); area.writeblocks(1, page, 0); area.writeblocks(1, page, 512)")
    after = bench.fixture.op("stats")
    assert after["flash_erases"] - before["flash_erases"] == 1
    assert after["flash_programs"] - before["flash_programs"] == 2


def test_flash_has_a_unique_id(bench):
    assert len(bench.python("import machine; print(machine.unique_id().hex())")) == 16


def test_a_file_survives_reset_cut_and_restart(kept):
    bench = kept()
    bench.python(DECIDE)
    bench.start_python("import machine; machine.reset()")
    bench.fixture.run(300_000)
    bench.hang_up()
    assert bench.python("print(open('kept.txt').read())") == "decided"
    bench.hang_up()
    bench.fixture.cut()
    bench.fixture.power()
    assert bench.python("print(open('kept.txt').read())") == "decided"
    bench.close()
    assert kept().python("print(open('kept.txt').read())") == "decided"


def test_a_killed_emulator_loses_nothing_written(kept, tmp_path):
    bench = kept()
    bench.python(DECIDE)
    os.kill(bench.emulator.pid, signal.SIGKILL)
    bench.close()
    assert (tmp_path / "state" / "flash.bin").stat().st_size == FLASH_BYTES
    assert kept().python("print(open('kept.txt').read())") == "decided"


def test_the_image_is_laid_over_kept_flash(kept, tmp_path):
    kept().close()
    flash: Path = tmp_path / "state" / "flash.bin"
    content = bytearray(flash.read_bytes())
    content[4096:8192] = bytes(4096)  # a piece of an older image
    content[-1] = 0x5A  # the last byte of the storage area
    flash.write_bytes(content)
    bench = kept()
    assert bench.python("print(1 + 1)") == "2"
    bench.close()
    assert flash.read_bytes()[-1] == 0x5A


def test_a_wrong_flash_file_is_refused(kept, tmp_path):
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "flash.bin").write_bytes(b"short")
    with pytest.raises(CannotRun, match=r"flash\.bin is not a Pico's flash"):
        kept()


def test_one_board_at_a_time_uses_a_state_folder(kept):
    kept()
    with pytest.raises(CannotRun, match="another board"):
        kept()
