"""Builds the image of a board: MicroPython with our packages frozen in, as a UF2 file.

An image is known by the hash of everything that goes into it; one that was built before comes out of
the cache. A board carries that hash, the version and the rules hash in its frozen board_data.
"""

import hashlib
import json
import pprint
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.protocol import dictionary
from host_tools import __version__, bulk, cache, link_map, port_build, progress, toolchain, uf2
from host_tools.errors import CannotRun
from host_tools.progress import Say
from host_tools.rules_hash import rules_hash

HOME = Path(__file__).parent.parent
BOARDS = HOME / "boards"
PORT = BOARDS / "rp2"  # what the boards of MicroPython's rp2 port share: their start, their manifest
PACKAGES = ("firmware", "rules_min")
STOCK_MANIFEST = """
freeze("$(PORT_DIR)/modules", ("_boot.py", "rp2.py"))
include("$(MPY_DIR)/extmod/asyncio")
"""


@dataclass(frozen=True)
class Target:
    """What MicroPython calls the board, and the chip it builds for."""

    port_board: str
    family: int
    flash_bytes: int
    is_tried: bool  # on the chip, or on one emulated


TARGETS = {
    "rpi_pico": Target("RPI_PICO", uf2.RP2040, 2 * 1024 * 1024, is_tried=True),
    "rpi_pico2": Target("RPI_PICO2", uf2.RP2350, 4 * 1024 * 1024, is_tried=False),
}


@dataclass(frozen=True)
class Image:
    uf2: Path
    bin: Path
    map: Path
    sha256: str  # of the UF2 file
    image_hash: str  # of all that went in: what the board says of itself
    sizes: dict[str, int]
    rooms: dict[str, dict[str, int]]  # what each takes of flash and static RAM
    packages: dict[str, str]


def build(
    board: str = "rpi_pico",
    table: str | None = None,
    edition: str | None = None,
    say: Say = progress.say,
    *,
    fresh: bool = False,
) -> Image:
    """The image of a board; with a table, it is set up as that one from the first start.

    `fresh`: nothing built before is used, all is compiled anew in a folder of its own.
    """
    target = _target(board)
    if not target.is_tried:
        say(f"an image of {board} has been checked but never run: nobody has tried it on the chip yet")
    config = _default_config(table, edition)
    with tempfile.TemporaryDirectory(prefix="pitkit-") as work:
        stage = Path(work)
        _stage_modules(stage)
        image_hash = _hash_inputs(stage, board, json.dumps(config))
        _write_board_data(stage, board, config, image_hash)
        return (_built_fresh if fresh else _built)(board, target, stage, image_hash, say)


def build_stock(board: str = "rpi_pico", say: Say = progress.say, packages: tuple[str, ...] = ()) -> Image:
    """MicroPython with its REPL and of our firmware only the C module: for trying a board or an emulator.

    `packages` of ours are frozen into it, to be measured from the REPL.
    """
    target = _target(board)
    with tempfile.TemporaryDirectory(prefix="pitkit-") as work:
        stage = Path(work)
        (stage / "manifest.py").write_text(STOCK_MANIFEST + "".join(f'package("{p}")\n' for p in packages))
        for package in packages:
            shutil.copytree(HOME / package, stage / package, ignore=_not_python)
        return _built(board, target, stage, _hash_inputs(stage, board, "stock"), say)


def _target(board: str) -> Target:
    if board not in TARGETS:
        raise CannotRun(
            f"no image can be built for the board {board!r}; there is one for: {', '.join(TARGETS)}"
        )
    return TARGETS[board]


def _default_config(table: str | None, edition: str | None) -> dict[str, Any] | None:
    if table is None:
        return None
    return {"table": {"game": table} | ({"edition": edition} if edition else {})}


def _stage_modules(stage: Path) -> None:
    shutil.copy(PORT / "manifest.py", stage / "manifest.py")
    shutil.copytree(PORT / "frozen", stage / "modules", ignore=_not_python)
    for package in PACKAGES:
        shutil.copytree(HOME / package, stage / "modules" / package, ignore=_not_python)


def _not_python(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not name.endswith(".py") and not _is_package(Path(folder) / name)]


def _is_package(path: Path) -> bool:
    return path.is_dir() and (path / "__init__.py").exists()


def _hash_inputs(stage: Path, board: str, setup: str) -> str:
    """Over the modules, the board and its set-up, the toolchain and this code itself."""
    files = sorted(path for path in stage.rglob("*") if path.is_file())
    parts: list[str | bytes] = [__version__, setup, toolchain.wanted(), toolchain.MPY_CROSS]
    parts += [(BOARDS / board / "board.json").read_bytes()]
    parts += port_build.native_source()
    code = (__file__, link_map.__file__, port_build.__file__, uf2.__file__)
    parts += [Path(str(file)).read_bytes() for file in code]
    for file in files:
        parts += [str(file.relative_to(stage)), file.read_bytes()]
    return cache.key(*parts)


def _write_board_data(stage: Path, board: str, config: dict[str, Any] | None, image_hash: str) -> None:
    build_facts = {
        "version": __version__,
        "rules_hash": rules_hash(stage / "modules" / "rules_min"),
        "image_hash": image_hash,
        "default_config": config,
        "dictionary": (len(dictionary.text()), bulk.deflated(dictionary.text())),
        "files": "",
    }
    definition = json.loads((BOARDS / board / "board.json").read_text())
    text = "".join(
        f"{name} = {pprint.pformat(value, width=110, sort_dicts=False)}\n"
        for name, value in (("BOARD", definition), ("BUILD", build_facts))
    )
    (stage / "modules" / "board_data.py").write_text(text)


def _built(board: str, target: Target, stage: Path, image_hash: str, say: Say) -> Image:
    def make(folder: Path) -> None:
        _make(folder, board, target, stage, say)

    place = cache.made(f"image/{image_hash}", make, say)
    cache.keep_newest("image", 40)
    return _read(place, image_hash)


def _built_fresh(board: str, target: Target, stage: Path, image_hash: str, say: Say) -> Image:
    place = cache.root() / "fresh" / image_hash
    objects = place / "objects"
    with cache.lock(f"fresh/{image_hash}", say):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        _make(place, board, target, stage, say, objects)
        shutil.rmtree(objects)
    cache.keep_newest("fresh", 4)
    return _read(place, image_hash)


def _make(
    folder: Path, board: str, target: Target, stage: Path, say: Say, objects: Path | None = None
) -> None:
    built = port_build.build(target.port_board, stage, say, objects)
    _check_room(board, target, len(built.bin))
    file = uf2.pack(uf2.Flat(target.family, uf2.FLASH_START, built.bin))
    (folder / "firmware.uf2").write_bytes(file)
    (folder / "firmware.bin").write_bytes(built.bin)
    (folder / "firmware.map").write_bytes(built.map)
    sizes = {
        "flash_bytes": len(built.bin),
        "ram_bytes": built.data_bytes + built.bss_bytes,
        "uf2_bytes": len(file),
    }
    totals = {kind: sizes[kind] for kind in ("flash_bytes", "ram_bytes")}
    facts = {
        "sha256": hashlib.sha256(file).hexdigest(),
        "sizes": sizes,
        "rooms": link_map.room_sizes(built.map.decode(errors="replace"), _frozen(stage), totals),
        "packages": toolchain.find(say).packages | {"mpy-cross": toolchain.MPY_CROSS},
    }
    (folder / "image.json").write_text(json.dumps(facts, indent=1))
    say(f"built the image of {board}: {len(built.bin)} bytes of flash")


def _frozen(stage: Path) -> list[str]:
    modules = stage / "modules"
    return sorted(str(path.relative_to(modules)) for path in modules.rglob("*.py"))


def _check_room(board: str, target: Target, size: int) -> None:
    """The linker does not know of the storage area and would let the code grow into it."""
    areas = json.loads((BOARDS / board / "board.json").read_text())["flash"]
    storage = max(sum(area) for area in areas.values() if isinstance(area, list))
    room = target.flash_bytes - storage
    if size > room:
        raise CannotRun(f"the image takes {size} bytes; {board} has room for {room} below its storage")


def _read(place: Path, image_hash: str) -> Image:
    facts = json.loads((place / "image.json").read_text())
    uf2_file, bin_file, map_file = (place / f"firmware.{kind}" for kind in ("uf2", "bin", "map"))
    sizes, rooms = facts["sizes"], facts["rooms"]
    return Image(uf2_file, bin_file, map_file, facts["sha256"], image_hash, sizes, rooms, facts["packages"])
