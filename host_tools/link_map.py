"""What each room takes of an image, read from the linker's map.

PURE. A frozen function or constant is a section of its own, named after its module, so a room's share
can be counted to the byte. What is left over is MicroPython itself.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

FLASH = range(0x1000_0000, 0x2000_0000)
RAM = range(0x2000_0000, 0x3000_0000)
MICROPYTHON = "MicroPython"
NATIVE = "firmware/native"
SHARED = "frozen names"  # one table of strings for all frozen modules
START = "Linker script and memory map"
SECTION = re.compile(r"^ (\.\S+)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S+)$", re.MULTILINE)

Sizes = dict[str, int]


def room_sizes(link_map: str, modules: Iterable[str], totals: Sizes) -> dict[str, Sizes]:
    """{room: {"flash_bytes", "ram_bytes"}}. `modules`: the frozen files as paths (firmware/board.py);
    `totals`: the whole image's, from which MicroPython's share follows."""
    names = {"rp2": MICROPYTHON} | {_symbol(path): room_of(path) for path in modules}
    rooms: dict[str, Sizes] = {MICROPYTHON: dict(totals)}
    for section, address, size, source in _sections(link_map):
        room = _room(section, source, names)
        if room == MICROPYTHON:
            continue
        taken = {"flash_bytes": _in_flash(section, address), "ram_bytes": address in RAM}
        share = rooms.setdefault(room, dict.fromkeys(totals, 0))
        for kind, is_taken in taken.items():
            share[kind] += size * is_taken
            rooms[MICROPYTHON][kind] -= size * is_taken
    return rooms


def room_of(path: str) -> str:
    folder = str(PurePosixPath(path).parent)
    return "boards" if folder == "." else folder


def _symbol(path: str) -> str:
    """As mpy-tool spells a module in the names of what it froze."""
    return re.sub(r"\W", "_", path.removesuffix(".py"))


def _sections(link_map: str) -> Iterator[tuple[str, int, int, str]]:
    placed = link_map[link_map.index(START) :]
    for name, address, size, source in SECTION.findall(placed):
        yield name, int(address, 16), int(size, 16), source


def _room(section: str, source: str, names: dict[str, str]) -> str:
    if re.search(r"/native/\w+\.c\.o(bj)?$", source):
        return NATIVE
    if not re.search(r"frozen_content\.c\.o(bj)?$", source):
        return MICROPYTHON
    found = [name for name in names if f"_{name}_" in section + "_"]
    return names[max(found, key=len)] if found else SHARED


def _in_flash(section: str, address: int) -> bool:
    """Initial values of what is in RAM lie in the flash too."""
    return address in FLASH or (address in RAM and not section.startswith((".bss", ".uninitialized")))
