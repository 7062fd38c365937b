"""The generator on the chip: NIST's answers, bad noise refused before a number leaves, no start twice."""

from pathlib import Path

import pytest

from firmware import faults
from host_tools import image
from host_tools.bench_draws import DRAW
from host_tools.errors import BoardFault, Refused
from host_tools.ports import open_port

TESTS = Path(__file__).parents[1]
FILES = ("tests/drbg_vectors.py", "tests/vectors/hmac_drbg_sha256.txt")
BAD = (
    {"mode": "stuck", "level": 0},
    {"mode": "biased", "ones": 0.6},
    {"mode": "sticky", "stays": 0.9},
)


def test_nists_answers_on_the_chip(wiring) -> None:
    """With our packages frozen in, as on a board; the vectors come as a file."""
    from emulator_bench import Bench

    bench = Bench(wiring, image.build_stock(packages=("firmware",)).uf2)
    try:
        for name in FILES:
            path = TESTS.parent / name
            bench.python(f"with open({path.name!r}, 'w') as f: f.write({path.read_text()!r})")
        said = bench.python(
            "import drbg_vectors\nprint(drbg_vectors.wrong(open('hmac_drbg_sha256.txt').read().split('\\n')))"
        )
        assert said == "(13, [])"
        kind = bench.python("from firmware.rng import health; print(health.loops.__name__)")
        assert kind == "firmware.rng.loops_viper"
    finally:
        bench.close()


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    state = tmp_path_factory.mktemp("board")
    with open_port(f"emu:keno@act1999?flash=instant&state={state}", "supervisor") as opened:
        yield opened


def restart(session) -> None:
    session.fixture.cut()
    session.fixture.power()
    session.reconnect()


def draw(session) -> dict:
    session.link.command("game_open")
    session.link.command("game_close", pool=bytes(32), nonce=bytes(32))
    return session.link.command("game_draw")


@pytest.mark.parametrize("noise", BAD, ids=str)
def test_bad_noise_is_refused_before_a_number_leaves_and_over_the_power(session, noise) -> None:
    session.fixture.op("rosc", **noise)
    with pytest.raises(BoardFault, match="ring"):
        session.link.command("game_open")
    restart(session)
    assert session.link.identity["fault"] == faults.NOISE_UNHEALTHY
    with pytest.raises(Refused):
        session.link.command("clear_fault")
    session.fixture.rosc("healthy")
    restart(session)
    assert session.link.identity["fault"] == faults.NOISE_UNHEALTHY
    session.link.command("clear_fault")
    assert len(set(draw(session)["numbers"])) == 20


def test_a_start_with_the_same_noise_is_not_the_same_start(session) -> None:
    """The ring oscillator by a seed: at every start the very same bits."""
    seen = set()
    for _ in range(3):
        session.fixture.rosc("biased", ones=0.5, seed=5)
        restart(session)
        seen.add(tuple(draw(session)["numbers"]))
    session.fixture.rosc("healthy")
    assert len(seen) == 3


def test_raw_samples_of_both_sources_are_there(session) -> None:
    for index, name in enumerate(("ring", "adc")):
        told = session.link.command("rng_raw", source=index, bytes=192)
        ones = sum(byte.bit_count() for byte in told["part"])
        assert told["name"] == name and 500 < ones < 1036
    with pytest.raises(Refused):
        session.link.command("rng_raw", source=2, bytes=1)


def test_a_draw_of_20_in_80_takes_no_longer_than_a_fiftieth_of_a_second(session) -> None:
    took_us = [session.link.command("rng_final", **DRAW)["us"] for _ in range(3)]
    assert sum(took_us) / (3 * DRAW["games"]) < 20_000
