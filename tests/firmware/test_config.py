"""Configuration: what is wrong is named by its path; two copies on flash, one of them always whole."""

import json

from fakes import FakeFlash, PowerCut

from firmware import config
from firmware.config_store import HEAD_BYTES, ConfigStore, parse

PINS = {"cover": {"gpio": 13}, "seal": {"gpio": 14}}
GOOD = {"table": {"game": "sic_bo", "edition": "act1999"}}


def wrong(**sections):
    whole = dict(GOOD)
    whole.update(sections)
    return config.problem(whole, PINS)


def test_a_good_one_is_good():
    assert config.problem(GOOD, PINS) is None
    assert wrong(limits={"small": [500, 20000], "total:4": [100, 100], "*": [100, 5000]}) is None
    assert wrong(timing={"turns": 3}, lamps={"brightness": 0}, pins={"cover": 26}) is None
    assert config.value(GOOD, "timing", "turns") == 4


def test_what_is_wrong_is_named_by_its_path():
    cases = (
        (wrong(tabel={}), "tabel:"),
        (wrong(timing={"turn": 3}), "timing.turn:"),
        (wrong(timing={"turns": "3"}), "timing.turns:"),
        (wrong(timing={"turns": True}), "timing.turns:"),
        (wrong(timing={"turns": 0}), "timing.turns:"),
        (wrong(timing=[]), "timing:"),
        (wrong(table={"game": "sic_bo"}), "table.edition:"),
        (wrong(table={"game": "poker", "edition": "act1999"}), "table.game:"),
        (wrong(table={"game": "sic_bo", "edition": "cgr1993"}), "table.edition:"),
        (wrong(table={"game": "sic_bo", "edition": "act1999", "variant": "x"}), "table.variant:"),
        (wrong(table={"game": "sic_bo", "edition": "act1999", "name": "x" * 41}), "table.name:"),
        (wrong(limits={"smal": [1, 2]}), "limits.smal:"),
        (wrong(limits={"small": [2, 1]}), "limits.small:"),
        (wrong(limits={"small": [0, 0]}), "limits.small:"),
        (wrong(limits={"small": 5}), "limits.small:"),
        (wrong(pins={"cover": 14}), "pins.seal:"),
        (wrong(pins={"lid": 3}), "pins.lid:"),
        (wrong(pins={"cover": "GP3"}), "pins.cover:"),
    )
    for found, path in cases:
        assert found is not None and found.startswith(path), (found, path)
    for nonsense in (None, [], 3, "x", {}):
        assert config.problem(nonsense, PINS) is not None


def text(n):
    return json.dumps({"table": {"name": "n%d" % n * 200}}).encode()


def test_a_cut_at_every_write_leaves_the_one_before_or_the_one_after():
    for cut in range(12):
        for keep in (0, 1, 100, 255, 256):
            flash = FakeFlash(sectors=2)
            ConfigStore(flash).save(text(1))
            ConfigStore(flash).save(text(2))
            flash.cut_after, flash.keep = cut, keep
            try:
                ConfigStore(flash).save(text(3))
            except PowerCut:
                pass
            flash.cut_after = None
            store = ConfigStore(flash)
            assert store.text in (text(2), text(3)), (cut, keep)
            store.save(text(4))
            assert ConfigStore(flash).text == text(4)


def test_an_empty_or_spoilt_area_has_no_configuration():
    flash = FakeFlash(sectors=2)
    assert ConfigStore(flash).text == b"" and parse(b"") is None
    ConfigStore(flash).save(text(1))
    assert ConfigStore(flash).text == text(1)
    assert ConfigStore(flash).spoilt == 0
    for n in range(12, 500):
        flash.memory[n] &= 0x55
        flash.memory[4096 + n] &= 0x55
    assert ConfigStore(flash).text == b"" and ConfigStore(flash).spoilt == 2


def test_every_flipped_bit_of_a_copy_is_noticed_told_and_made_good():
    flash = FakeFlash(sectors=2)
    ConfigStore(flash).save(text(1), "supervisor", 1234567890123)
    whole = bytes(flash.memory)
    length = HEAD_BYTES + len(text(1)) + 4
    for copy in (0, 1):
        for bit in range(0, length * 8, 7):
            flash.memory[copy * 4096 + bit // 8] ^= 1 << bit % 8
            store = ConfigStore(flash)
            assert (store.text, store.spoilt) == (text(1), 1), (copy, bit)
            assert bytes(flash.memory) == whole, "it was not made good from the other"
            assert (store.author, store.given_ms, store.version) == ("supervisor", 1234567890123, 1)
