"""The real image, built by the real compiler (from the cache, once it has been built)."""

import hashlib
import json
import shutil
import struct
from pathlib import Path

import pytest
from click.testing import CliRunner

from host_tools import __version__, cache, image, port_build, toolchain, uf2
from host_tools.cli import main
from host_tools.errors import CannotRun
from host_tools.rules_hash import RULES, rules_hash

MANIFEST = 'freeze("$(PORT_DIR)/modules", "rp2.py")\nfreeze("modules", ("_boot.py", "fast.py"))\n'
FIRMWARE_ROOMS = [path.parent for path in (image.HOME / "firmware").glob("*/__init__.py")]
BLOCK_START, BLOCK_END = struct.pack("<I", 0xFFFFDED3), struct.pack("<I", 0xAB123579)
FAST = """
import micropython

@micropython.native
def native(n):
    return n + {number}

@micropython.viper
def viper(n: int) -> int:
    return n * {number}
"""


@pytest.fixture(scope="module")
def built() -> image.Image:
    return image.build("rpi_pico")


def test_the_image_is_a_uf2_for_the_rp2040(built):
    file = built.uf2.read_bytes()
    flat = uf2.unpack(file)
    assert (flat.family, flat.start) == (0xE48BFF56, 0x10000000)
    assert flat.data.startswith(built.bin.read_bytes())
    assert hashlib.sha256(file).hexdigest() == built.sha256
    assert len(file) == built.sizes["uf2_bytes"] <= 2 * 655_360
    assert built.sizes["flash_bytes"] == len(built.bin.read_bytes())
    assert 0 < built.sizes["ram_bytes"] < 32_000


def test_the_image_carries_what_it_is(built):
    data = built.bin.read_bytes()
    for text in (__version__, rules_hash(), built.image_hash, "rpi_pico", "MicroPython", "v1.25.0"):
        assert text.encode() in data
    for path in (str(cache.root()), str(image.HOME), "/tmp/"):
        assert path.encode() not in data
    assert b"firmware/main.py" in data and b"rules_min/sic_bo.py" in data


def test_every_room_is_counted(built):
    for kind in ("flash_bytes", "ram_bytes"):
        assert sum(share[kind] for share in built.rooms.values()) == built.sizes[kind]
    flash = {room: share["flash_bytes"] for room, share in built.rooms.items()}
    assert 250_000 < flash["MicroPython"] < 400_000
    assert flash["rules_min"] > 2000 and flash["firmware/protocol"] > 4000 and flash["firmware/native"] > 300
    ours = {"boards", "firmware", "rules_min", *(f"firmware/{path.name}" for path in FIRMWARE_ROOMS)}
    assert set(flash) == ours | {"MicroPython", "firmware/native", "frozen names"}


def test_the_image_of_a_pico_2_is_one_its_boot_rom_takes(built):
    """As far as can be told without the chip: nothing here has ever run this image."""
    other = image.build("rpi_pico2")
    flat = uf2.unpack(other.uf2.read_bytes())
    assert (flat.family, flat.start) == (0xE48BFF59, 0x10000000)
    assert other.uf2.read_bytes()[:512] == uf2.RP2350_OPENING
    data = other.bin.read_bytes()
    stack, reset = struct.unpack_from("<II", data)
    assert (stack, reset & 1) == (0x20082000, 1) and 0x10000000 < reset < 0x10000000 + len(data)
    first = data.index(BLOCK_START, 0, 4096)
    assert struct.unpack_from("<BBH", data, first + 4) == (0x42, 1, 0x1021), "an ARM image, secure, RP2350"
    second = next_block(data, first)
    assert second > first and next_block(data, second) == first, "the blocks are a loop"
    assert other.image_hash.encode() in data and b"rpi_pico2" in data and b"firmware/main.py" in data
    assert other.rooms.keys() == built.rooms.keys()


def next_block(data: bytes, at: int) -> int:
    """Where the link of the RP2350 block at `at` leads; its last words are link and end mark."""
    assert data[at : at + 4] == BLOCK_START
    end = data.index(BLOCK_END, at)
    return at + struct.unpack_from("<i", data, end - 4)[0]


def test_building_again_takes_it_from_the_cache(built, monkeypatch):
    monkeypatch.setattr(port_build, "build", lambda *ignored: pytest.fail("built again"))
    assert image.build("rpi_pico") == built


def test_a_fresh_build_uses_nothing_built_before(built, monkeypatch):
    def compile_anew(port_board, stage, say, objects):
        assert not objects.exists() and (stage / "modules" / "firmware" / "main.py").exists()
        objects.mkdir()
        return port_build.Built(
            built.bin.read_bytes(), built.map.read_bytes(), 0, built.sizes["ram_bytes"], 0
        )

    monkeypatch.setattr(port_build, "build", compile_anew)
    fresh = image.build("rpi_pico", fresh=True)
    assert fresh.uf2 != built.uf2 and not (fresh.uf2.parent / "objects").exists()
    assert (fresh.sha256, fresh.image_hash, fresh.rooms) == (built.sha256, built.image_hash, built.rooms)


def test_the_command_says_what_was_built(built):
    told = CliRunner().invoke(main, ["image", "build", "--board", "rpi_pico", "--json"])
    facts = json.loads(told.stdout)
    assert facts["sha256"] == built.sha256 and facts["rooms"] == built.rooms
    assert "Linker script and memory map" in Path(facts["map"]).read_text()
    shown = CliRunner().invoke(main, ["image", "build", "--board", "rpi_pico"]).stdout
    assert built.sha256 in shown and "rules_min" in shown and f"{built.sizes['flash_bytes']:,}" in shown


def test_an_image_nobody_has_run_is_said_to_be_so():
    said: list[str] = []
    image.build("rpi_pico2", say=said.append)
    assert any("never run" in line for line in said)


def test_a_table_is_another_image(built):
    table = image.build("rpi_pico", "sic_bo", "act1999")
    assert table.sha256 != built.sha256
    assert b"act1999" in table.bin.read_bytes()


def test_the_same_inputs_give_the_same_bytes_after_another_build(tmp_path):
    """Freezes one thing, then another, then the first again into the same folder of objects."""
    first, second = (stage(tmp_path / str(number), number) for number in (1, 2))
    builds = [port_build.build("RPI_PICO", each, say=lambda line: None) for each in (first, second, first)]
    assert builds[0].bin == builds[2].bin != builds[1].bin


def stage(folder: Path, number: int) -> Path:
    (folder / "modules").mkdir(parents=True)
    (folder / "manifest.py").write_text(MANIFEST)
    (folder / "modules" / "_boot.py").touch()
    (folder / "modules" / "fast.py").write_text(FAST.format(number=number))
    return folder


def test_python_that_does_not_compile_is_quoted(tmp_path):
    bad = stage(tmp_path / "bad", 1)
    (bad / "modules" / "fast.py").write_text("def broken(:\n")
    with pytest.raises(CannotRun, match=r"^fast\.py cannot be frozen: line 1: SyntaxError: invalid syntax$"):
        port_build.build("RPI_PICO", bad, say=lambda line: None)


def test_only_python_is_frozen(tmp_path, monkeypatch):
    for part in image.PACKAGES:
        shutil.copytree(image.HOME / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "firmware" / "notes.txt").touch()
    (tmp_path / "firmware" / "__pycache__").mkdir()
    (tmp_path / "firmware" / "__pycache__" / "main.cpython-311.pyc").touch()
    monkeypatch.setattr(image, "HOME", tmp_path)
    (tmp_path / "stage").mkdir()
    image._stage_modules(tmp_path / "stage")
    kinds = {path.suffix for path in (tmp_path / "stage").rglob("*") if path.is_file()}
    assert kinds == {".py"}
    assert not (tmp_path / "stage" / "modules" / "firmware" / "__pycache__").exists()


def test_an_unknown_board_is_refused_with_the_known_ones():
    with pytest.raises(CannotRun, match="there is one for: rpi_pico, rpi_pico2"):
        image.build("teapot")


def test_an_image_that_would_grow_into_the_storage_is_refused():
    room = 2 * 1024 * 1024 - 1408 * 1024
    image._check_room("rpi_pico", image.TARGETS["rpi_pico"], room)
    with pytest.raises(CannotRun, match=f"room for {room}"):
        image._check_room("rpi_pico", image.TARGETS["rpi_pico"], room + 1)


def test_without_a_network_one_sentence_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("PITKIT_CACHE", str(tmp_path))
    monkeypatch.setenv("PITKIT_DEBIAN_MIRROR", f"file://{tmp_path}/nothing")
    with pytest.raises(CannotRun, match="the ARM compiler and MicroPython's sources are not here"):
        image.build("rpi_pico", say=lambda line: None)
    assert list((tmp_path / "image").iterdir()) == list((tmp_path / "toolchain").iterdir()) == []


def test_a_cache_path_the_build_cannot_take_is_refused_first(tmp_path, monkeypatch):
    monkeypatch.setenv("PITKIT_CACHE", str(tmp_path / "my cache"))
    with pytest.raises(CannotRun, match="a plainer path"):
        image.build("rpi_pico", say=lambda line: None)


def test_the_stock_image_has_none_of_our_code():
    stock = image.build_stock()
    assert b"rules_min" not in stock.bin.read_bytes()
    assert b"asyncio/core.py" in stock.bin.read_bytes()


def test_the_rules_hash_is_as_the_contract_says(tmp_path):
    (tmp_path / "b.py").write_bytes(b"two")
    (tmp_path / "a.py").write_bytes(b"one")
    (tmp_path / "notes.txt").write_bytes(b"not a rule")
    assert rules_hash(tmp_path) == hashlib.sha256(b"a.py\0one\0b.py\0two\0").hexdigest()[:16]
    assert rules_hash() == rules_hash(RULES)


def test_the_packages_that_went_in_are_on_record(built):
    assert built.packages["micropython"].startswith(toolchain.MICROPYTHON)
    assert json.loads((built.uf2.parent / "image.json").read_text())["packages"] == built.packages
