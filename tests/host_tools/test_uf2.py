"""UF2 files: packed as the boot ROM wants them, and refused when they are not whole."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host_tools import uf2
from host_tools.errors import CannotRun


def packed(data: bytes) -> bytes:
    return uf2.pack(uf2.Flat(uf2.RP2040, uf2.FLASH_START, data))


def test_a_block_is_as_the_format_says():
    first, second = packed(bytes(range(256)) + b"end")[:512], packed(bytes(range(256)) + b"end")[512:]
    head = struct.unpack("<8I", second[:32])
    assert head == (0x0A324655, 0x9E5D5157, 0x2000, 0x10000100, 256, 1, 2, 0xE48BFF56)
    assert first[32:288] == bytes(range(256))
    assert second[32:35] == b"end" and not any(second[35:508])
    assert second[508:] == struct.pack("<I", 0x0AB16F30)


@given(st.binary(min_size=1, max_size=2000))
def test_what_is_packed_comes_back(data):
    flat = uf2.unpack(packed(data))
    assert (flat.family, flat.start) == (uf2.RP2040, uf2.FLASH_START)
    assert flat.data == data.ljust(-(-len(data) // 256) * 256, b"\0")


@pytest.mark.parametrize("cut", [0, 1, 511, 513, 1023])
def test_a_part_of_a_file_is_refused(cut):
    with pytest.raises(CannotRun, match="not a whole UF2 file"):
        uf2.unpack(packed(bytes(600))[:cut])


@pytest.mark.parametrize("at", [0, 4, 8, 13, 16, 20, 24, 28, 508, 512 + 12, 512 + 511])
def test_a_damaged_header_is_refused(at):
    file = bytearray(packed(bytes(600)))
    file[at] ^= 0xFF
    with pytest.raises(CannotRun, match="damaged or out of order"):
        uf2.unpack(bytes(file))


def test_a_missing_block_is_refused():
    file = packed(bytes(1000))
    with pytest.raises(CannotRun, match="damaged or out of order"):
        uf2.unpack(file[:512] + file[1024:])


def test_a_file_for_the_rp2350_opens_with_the_block_its_erratum_asks_for():
    file = uf2.pack(uf2.Flat(uf2.RP2350, uf2.FLASH_START, b"image"))
    head = struct.unpack("<8I", file[:32])
    assert head == (0x0A324655, 0x9E5D5157, 0xA000, 0x10FFFF00, 256, 0, 2, 0xE48BFF57)
    assert file[32:292] == b"\xef" * 256 + struct.pack("<I", 0x9957E304)
    assert (len(file), file[508:512]) == (1024, struct.pack("<I", 0x0AB16F30))
    assert uf2.unpack(file) == uf2.Flat(uf2.RP2350, uf2.FLASH_START, b"image".ljust(256, b"\0"))
    with pytest.raises(CannotRun, match="not a whole UF2 file"):
        uf2.unpack(file[:512])
