"""UF2: the file a Pico takes by drag and drop, a row of 512-byte blocks that each know their place.

PURE. `pack` makes one out of a flat image, `unpack` gives the flat image back and refuses what is
not whole; neither touches a file.
"""

import struct
from dataclasses import dataclass

from host_tools.errors import CannotRun

RP2040 = 0xE48BFF56
ABSOLUTE = 0xE48BFF57
RP2350 = 0xE48BFF59  # its ARM cores, secure
FLASH_START = 0x10000000
PAGE = 256
BLOCK = 512
HEADER = struct.Struct("<8I")
MAGIC = (0x0A324655, 0x9E5D5157)
MAGIC_END = struct.pack("<I", 0x0AB16F30)
FAMILY_GIVEN = 0x2000
TAGS_GIVEN = 0x8000
# The first RP2350s mishandle a dropped file where a partition table is (erratum E10). Raspberry Pi's own
# tools therefore open the file with this block, tagged to be ignored; so do we.
RP2350_OPENING = (
    (HEADER.pack(*MAGIC, FAMILY_GIVEN | TAGS_GIVEN, 0x10FFFF00, PAGE, 0, 2, ABSOLUTE) + b"\xef" * PAGE)
    + struct.pack("<I", 0x9957E304)
).ljust(BLOCK - len(MAGIC_END), b"\0") + MAGIC_END


@dataclass(frozen=True)
class Flat:
    family: int
    start: int
    data: bytes


def pack(flat: Flat) -> bytes:
    pages = [flat.data[at : at + PAGE].ljust(PAGE, b"\0") for at in range(0, len(flat.data), PAGE)]
    blocks = [_block(flat, number, len(pages), page) for number, page in enumerate(pages)]
    return (RP2350_OPENING if flat.family == RP2350 else b"") + b"".join(blocks)


def unpack(file: bytes) -> Flat:
    """The image in a UF2 file, padded to whole pages."""
    file = file.removeprefix(RP2350_OPENING)
    if not file or len(file) % BLOCK:
        raise CannotRun("this is not a whole UF2 file: its length is not a multiple of 512")
    blocks = [file[at : at + BLOCK] for at in range(0, len(file), BLOCK)]
    _, _, _, start, _, _, _, family = HEADER.unpack_from(blocks[0])
    for number, block in enumerate(blocks):
        expected = _header(start + number * PAGE, number, len(blocks), family)
        if block[: HEADER.size] != expected or block[-4:] != MAGIC_END:
            raise CannotRun(f"block {number} of this UF2 file is damaged or out of order")
    data = b"".join(block[HEADER.size : HEADER.size + PAGE] for block in blocks)
    return Flat(family, start, data)


def _block(flat: Flat, number: int, count: int, page: bytes) -> bytes:
    head = _header(flat.start + number * PAGE, number, count, flat.family)
    return (head + page).ljust(BLOCK - len(MAGIC_END), b"\0") + MAGIC_END


def _header(address: int, number: int, count: int, family: int) -> bytes:
    return HEADER.pack(*MAGIC, FAMILY_GIVEN, address, PAGE, number, count, family)
