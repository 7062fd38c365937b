"""WS2812 lamps and the HT16K33 on the simulated board, by the vectors that the emulated chip's share."""

from collections.abc import Callable
from typing import Any

import part_vectors
import pytest
import simulated
from simulated import Bench


@pytest.fixture
def fit(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, Any]], None]:
    plain = simulated.wiring()

    def choose(parts: dict[str, Any]) -> None:
        fitted = {**plain, "board": {**plain["board"], "parts": parts}}
        monkeypatch.setattr(simulated, "wiring", lambda: fitted)

    return choose


@pytest.mark.parametrize("name", part_vectors.WS2812)
def test_pixels(board: Callable[..., Bench], fit: Callable[..., None], name: str) -> None:
    timing, frames, colours = part_vectors.WS2812[name]
    fit(part_vectors.PIXELS)
    bench = board(part_vectors.STREAM, f"stream({timing}, {frames})\nsay('sent')\nstand()\n")
    bench.line()
    assert bench.fixture.rgb() == colours
    assert bench.fixture.lamps() == list(colours)


def test_pixels_show_only_after_a_pause(board: Callable[..., Bench], fit: Callable[..., None]) -> None:
    fit(part_vectors.PIXELS)
    send = f"machine.bitstream(wire, 0, {part_vectors.GOOD}, b'\\xff\\xff\\xff')\nsay('sent')\nstand()\n"
    bench = board(part_vectors.STREAM, send)
    bench.line()
    assert bench.fixture.lamps() == []
    bench.fixture.run(300)
    assert bench.fixture.lamps() == ["small"]


def test_no_other_encoding(board: Callable[..., Bench], fit: Callable[..., None]) -> None:
    fit(part_vectors.PIXELS)
    script = (
        "try: machine.bitstream(wire, 1, (1, 1, 1, 1), b'')\nexcept ValueError: say('refused')\nstand()\n"
    )
    assert board(part_vectors.STREAM, script).line() == "refused"


@pytest.mark.parametrize("name", part_vectors.HT16K33)
def test_digits(board: Callable[..., Bench], fit: Callable[..., None], name: str) -> None:
    messages, text = part_vectors.HT16K33[name]
    fit(part_vectors.DIGITS)
    script = f"for message in {messages}: send(message)\nsay(sum(acks))\nstand()\n"
    bench = board(part_vectors.TWO_WIRES, script)
    assert bench.line() == "0", "every byte was acknowledged"
    assert bench.fixture.display() == text


def test_another_address_is_not_answered(board: Callable[..., Bench], fit: Callable[..., None]) -> None:
    fit(part_vectors.MATRIX)
    script = """
    for message in [0x21], [0x81], [0, 0b101], [15, 0x80]:
        send(message, 0x71)
    del acks[:]
    send([0, 0xff])
    say(acks)
    stand()
    """
    bench = board(part_vectors.TWO_WIRES, script)
    assert bench.line() == "[1, 1, 1]"
    assert bench.fixture.lamps() == ["small", "triple:1", "output 127"]


def test_both_outlive_a_reset(board: Callable[..., Bench], fit: Callable[..., None]) -> None:
    fit({**part_vectors.PIXELS, **part_vectors.DIGITS})
    script = f"""
    if machine.reset_cause() == machine.PWRON_RESET:
        stream({part_vectors.GOOD}, ["ff0000"])
        for message in [0x21], [0x81], [0, 0x06]: send(message)
        machine.reset()
    say("second")
    stand()
    """
    bench = board(part_vectors.STREAM, part_vectors.TWO_WIRES, script)
    assert bench.line() == "second"
    assert (bench.fixture.lamps(), bench.fixture.display()) == (["small"], "1   ")
