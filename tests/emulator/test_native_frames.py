"""Frames and fields in C, on the emulated chip: the same bytes as the pure ones make and take."""

from collections.abc import Iterator

import pytest
from emulator_bench import Bench

from host_tools import image

NOISE = """
def noise(seed, count):
    out, state = bytearray(), seed
    for _ in range(count):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        out.append(state >> 16 & 255)
    return bytes(out)
"""
FRAMES = """
from firmware.protocol.frames import decode_pure, encode_pure
from pitkit_native import frame_decode, frame_encode
count = 0
for length in (0, 1, 2, 20, 224):
    half = noise(length, length // 2) + bytes(length - length // 2)
    for body in (bytes(length), b"\\x01" * length, noise(length, length), half):
        for number in (0, 256, 0xFFFFFFFF):
            frame = encode_pure(67, number, 60, body)
            assert frame_encode(67, number, 60, body) == frame, (number, body)
            assert frame_decode(bytearray(frame[1:-1])) == decode_pure(frame[1:-1]) == (67, number, 60, body)
            spoilt = bytearray(frame[1:-1])
            spoilt[len(spoilt) // 2] ^= 4
            assert frame_decode(spoilt) == decode_pure(spoilt), (number, body)
            count += 1
for seed in range(40):
    bad = noise(seed, seed * 9) if seed % 2 else bytes(b % 9 for b in noise(seed, seed * 3))
    assert frame_decode(bad) is None and decode_pure(bad) is None, bad
    count += 1
try:
    frame_encode(67, 1, 1, bytes(225))
except ValueError:
    count += 1
print(count)
"""
PACK = """
from firmware.protocol.messages import COMMANDS, EVENTS, pack_pure
from pitkit_native import pack
KINDS = (("n", "u"), ("text", "s"), ("data", "b"), ("many", "l"))
NUMBERS = [0, 1, True, 127, 128, 16384]
NUMBERS += [(1 << 30) - 1, 1 << 30, 1 << 31, (1 << 32) - 1, 1 << 41, (1 << 63) + 5, 1 << 70]
count = 0
for n in NUMBERS:
    for text in (None, "", "Ada", "\\u2685" * 30):
        values = {"n": n, "text": text, "data": noise(n % 1000, 40), "many": [n, 0, 3], "other": 5}
        assert pack(KINDS, values) == pack_pure(KINDS, values), values
        count += 1
for many in (None, (), [], (1, 2, 300), list(range(100))):
    assert pack(KINDS, {"many": many}) == pack_pure(KINDS, {"many": many})
    count += 1
for table in (COMMANDS, EVENTS):
    for row in table.values():
        assert pack(row[-1], {}) == pack_pure(row[-1], {})
for bad in ({"n": -1}, {"n": -(1 << 40)}, {"n": "x"}, {"many": [-1]}, {"many": 7}, {"data": 5}):
    try:
        pack(KINDS, bad)
    except (TypeError, ValueError):
        count += 1
print(count)
"""


@pytest.fixture(scope="module")
def ours(wiring) -> Iterator[Bench]:  # type: ignore[no-untyped-def]
    started = Bench(wiring, image.build_stock(packages=("firmware", "rules_min")).uf2)
    yield started
    started.close()


def test_frames_are_the_same_in_c(ours: Bench) -> None:
    assert int(ours.python(NOISE + FRAMES)) == 5 * 4 * 3 + 40 + 1


def test_fields_are_the_same_in_c(ours: Bench) -> None:
    assert int(ours.python(NOISE + PACK)) == 13 * 4 + 5 + 6
