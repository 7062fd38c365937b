"""HMAC_DRBG: NIST's published answers, and what the standard refuses."""

import drbg_vectors

from firmware import hmac
from firmware.rng.drbg import HmacDrbg, ReseedNeeded

FILE = drbg_vectors.__file__.rsplit("/", 1)[0] + "/vectors/hmac_drbg_sha256.txt"
ENTROPY = bytes(range(32))


def test_it_answers_as_nist_published():
    with open(FILE) as file:  # noqa: PTH123 (MicroPython has no pathlib)
        asked, failed = drbg_vectors.wrong(file.read().split("\n"))
    assert asked == 13 and failed == []


def refused(act):
    try:
        act()
    except (ReseedNeeded, ValueError):
        return True
    return False


def test_after_its_interval_it_wants_a_new_seed():
    drbg = HmacDrbg(ENTROPY, interval=2)
    drbg.generate(1)
    drbg.generate(1)
    assert drbg.counter == 3 and refused(lambda: drbg.generate(1))
    drbg.reseed(ENTROPY)
    assert drbg.counter == 1 and drbg.generate(1)
    assert drbg.generate(1, b"", ENTROPY) and drbg.counter == 2


def test_no_more_than_the_standard_allows_at_once():
    drbg = HmacDrbg(ENTROPY)
    assert len(drbg.generate(65536)) == 65536
    assert refused(lambda: drbg.generate(65537))


def test_a_wiped_one_answers_nothing_and_holds_nothing():
    drbg = HmacDrbg(ENTROPY)
    drbg.zeroise()
    assert refused(lambda: drbg.generate(1)) and refused(lambda: drbg.reseed(ENTROPY))
    assert bytes(drbg._value) == bytes(32)


def test_every_input_counts():
    plain = HmacDrbg(ENTROPY).generate(32)
    others = [
        HmacDrbg(ENTROPY, b"n").generate(32),
        HmacDrbg(ENTROPY, b"", b"p").generate(32),
        HmacDrbg(ENTROPY).generate(32, b"a"),
        HmacDrbg(ENTROPY).generate(32, b"", ENTROPY),
    ]
    assert len(set(others + [plain])) == 5


def test_pads_by_machine_code_and_the_plain_way_are_the_same():
    for key in (b"", b"Jefe", bytes(range(32)), b"\xff" * 64):
        assert [bytes(pad) for pad in hmac.pads(key)] == list(hmac.plain_pads(key))
