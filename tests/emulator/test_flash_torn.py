"""The power goes in the middle of a flash operation: what is then in the flash, and how it wears."""

import pytest
from emulator_bench import Bench

from host_tools.errors import PitkitError

STORAGE = 640 * 1024  # where MicroPython's rp2.Flash begins in the 2 MiB of a Pico
SECTOR = 4096
AREA = "import rp2\narea = rp2.Flash(start=262144, len=65536)\n"
AT = STORAGE + 262144


@pytest.fixture
def torn(tmp_path, stock_image, wiring):
    bench = Bench(wiring, stock_image, state_dir=tmp_path / "state")
    bench.python(AREA + "area.ioctl(6, 0); area.ioctl(6, 1)")
    yield bench
    bench.close()


def flash(tmp_path, start, size):
    return (tmp_path / "state" / "flash.bin").read_bytes()[start : start + size]


def until_the_cut(bench, code, said):
    bench.start_python(code)
    with pytest.raises(PitkitError, match=said):
        bench.fixture.run(5_000_000)
        bench.fixture.lamps()
    bench.hang_up()


@pytest.mark.parametrize("done", [0, 1, 100, 255, 256, 1000])
def test_a_program_is_torn_at_the_byte(torn, tmp_path, done):
    torn.fixture.cut_at(3, done)
    until_the_cut(torn, "for i in range(9): area.writeblocks(0, b'\\0' * 256, 256 * i)", "power")
    whole, rest = flash(tmp_path, AT, 512 + min(done, 256)), flash(tmp_path, AT + 512, SECTOR - 512)
    assert set(whole) == {0}
    assert set(rest[min(done, 256) :]) == {255}, "nothing after the cut"
    with pytest.raises(PitkitError, match="the power is off"):
        torn.fixture.lamps()
    torn.fixture.power()
    assert torn.python("print(1 + 1)") == "2"


def test_the_run_says_where_it_was_torn(torn):
    torn.start_python("import time\ntime.sleep_ms(300)\narea.writeblocks(1, b'\\0' * 256, 0)")
    torn.fixture.cut_at(1, 7)
    with pytest.raises(PitkitError, match=r"cut in the program at 0xe1000, 7 of 256 bytes done"):
        torn.fixture.run(1_000_000)
    torn.hang_up()


@pytest.mark.parametrize("done", [0, 1024, 4096])
def test_an_erase_is_torn_in_every_cell(torn, tmp_path, done):
    torn.python("area.writeblocks(0, bytes(4096))")
    torn.fixture.cut_at(1, done, seed=5)
    until_the_cut(torn, "area.ioctl(6, 0)", "power")
    ones = sum(byte.bit_count() for byte in flash(tmp_path, AT, SECTOR))
    assert abs(ones / (SECTOR * 8) - done / SECTOR) < 0.02


def test_the_seed_decides_which_cells(stock_image, wiring, tmp_path):
    left = []
    for turn, seed in enumerate((1, 1, 2)):
        bench = Bench(wiring, stock_image, state_dir=tmp_path / f"{turn}" / "state", flash="instant")
        bench.python(AREA + "area.writeblocks(0, bytes(4096))")
        bench.fixture.cut_at(1, 2048, seed)
        until_the_cut(bench, "area.ioctl(6, 0)", "power")
        bench.close()
        left.append(flash(tmp_path / f"{turn}", AT, SECTOR))
    assert left[0] == left[1] != left[2]


def test_a_plain_cut_tears_what_is_under_way(torn, tmp_path):
    torn.python("area.writeblocks(0, bytes(4096))")
    torn.start_python("import time\ntime.sleep_ms(100)\narea.ioctl(6, 0)\ntime.sleep_ms(500)")
    torn.fixture.run(130_000)
    torn.fixture.cut()
    torn.hang_up()
    assert 0 < sum(byte.bit_count() for byte in flash(tmp_path, AT, SECTOR)) < SECTOR * 8


def test_wear_is_counted_by_sector(torn):
    before = torn.fixture.wear()
    torn.python("for i in range(5): area.ioctl(6, 3)")
    after = torn.fixture.wear()
    sector = AT // SECTOR + 3
    assert after.pop(sector) == before.pop(sector, 0) + 5
    assert after == before


@pytest.mark.parametrize(
    "fields", [{"operation": 0, "bytes": 1}, {"operation": 1}, {"operation": 1, "bytes": -1}]
)
def test_bad_cuts_are_refused(bench, fields):
    with pytest.raises(PitkitError, match="must be a whole number"):
        bench.fixture.op("cut_at", **fields)


def test_the_connection_outlives_the_cut(torn):
    torn.fixture.cut_at(1, 0)
    until_the_cut(torn, "area.ioctl(6, 0)", "power")
    assert torn.fixture.now() == 0
