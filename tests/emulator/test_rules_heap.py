"""What a game's rules cost the chip: little to import, next to nothing to settle by."""

import json

import pytest
from mpremote.transport_serial import SerialTransport

from host_tools import bench_rules, image
from host_tools.emulator import Emulator
from rules_min.games import GAMES

MOST_BYTES = 6144
SETTLE = """
import gc
from rules_min import {game} as rules, spin
gc.collect()
won = rules.winners({result}, {edition!r}, {variant!r})
gc.collect(); gc.disable(); before = gc.mem_alloc()
for _ in range(100): spin.settle_wager(rules, {edition!r}, won, {code!r}, 500, {result}, {variant!r})
print((gc.mem_alloc() - before) // 100); gc.enable()
"""
WAGERS = [
    ("sic_bo", "act1999", None, [3, 3, 4], "small"),
    ("mini_dice", "qld1985", None, [3, 3, 4], "single:3"),
    ("roulette", "cgr1993", None, 17, "split:17-20"),
    ("wheel", "qld1985", "50", "'a'", "b"),
    ("tri_chro", "qld1985", "54", ["red", "gold*"], "any:red"),
]


@pytest.fixture(scope="module")
def transport():
    uf2 = image.build_stock(packages=("rules_min",)).uf2
    wiring = {"board": json.loads(bench_rules.BOARD.read_text()), "lamps": []}
    with Emulator(wiring, uf2) as emulator:
        found = SerialTransport(emulator.port, 115200)
        yield found
        found.close()


@pytest.mark.parametrize("game", list(GAMES))
def test_importing_a_game_costs_little(transport, game):
    assert bench_rules.import_cost(transport, game) <= MOST_BYTES


@pytest.mark.parametrize(("game", "edition", "variant", "result", "code"), WAGERS)
def test_a_settlement_allocates_a_few_small_objects(transport, game, edition, variant, result, code):
    asked = SETTLE.format(game=game, edition=edition, variant=variant, result=result, code=code)
    transport.enter_raw_repl(soft_reset=True)
    assert int(transport.exec(asked)) <= 256
    transport.exit_raw_repl()
