"""The parts on the wires, spoken to bit by bit."""

from collections.abc import Callable

import pytest
from simulated import Bench

LAMPS = """
    data, clock, latch = Pin(18, Pin.OUT), Pin(19, Pin.OUT), Pin(20, Pin.OUT)
    def shift(bits):
        for bit in bits:
            data(bit)
            clock(1)
            clock(0)
    def show():
        latch(1)
        latch(0)
"""


def test_the_lamp_bit_shifted_in_last_is_output_0_and_shows_at_the_latch(board: Callable[..., Bench]) -> None:
    script = """
    shift([1] + [0] * 52 + [1, 0, 1])
    say("shifted")
    poll.poll(1000)
    poll.poll(1000)
    show()
    say("latched")
    stand()
    """
    bench = board(LAMPS, script)
    bench.line()
    assert bench.fixture.lamps() == []
    bench.fixture.run(2_000_000)
    bench.line()
    assert bench.fixture.lamps() == ["small", "triple:1", "output 55"]


def test_bits_past_the_end_of_the_chain_fall_out(board: Callable[..., Bench]) -> None:
    bench = board(
        LAMPS,
        """
        shift([1] * 56 + [0] * 55 + [1])
        show()
        say('ready')
        stand()
        """,
    )
    bench.line()
    assert bench.fixture.lamps() == ["small"]


def test_lamps_outlive_a_reset_but_not_a_power_cut(board: Callable[..., Bench]) -> None:
    script = """
    if machine.reset_cause() == machine.PWRON_RESET:
        say("first")
        poll.poll(1000)
        shift([0] * 55 + [1])
        show()
        machine.reset()
    say("second")
    stand()
    """
    bench = board(LAMPS, script)
    assert bench.line() == "first"
    bench.fixture.run(1_000_000)
    assert bench.line() == "second"
    assert bench.fixture.lamps() == ["small"]
    bench.fixture.cut()
    bench.fixture.power()
    assert bench.line() == "first"
    assert bench.fixture.lamps() == []


# A TM1637 driver in three electrical styles; `ack` is what the board reads on the ninth clock.
DRIVER = """
    clk = Pin(21, Pin.OUT, value=1)
    style = STYLE
    if style == "drain":
        dio = Pin(22, Pin.OPEN_DRAIN, value=1)
    else:
        dio = Pin(22, Pin.OUT, value=1)
    acks = []
    def put(bit):
        if style == "switch":
            dio.init(Pin.IN if bit else Pin.OUT, value=0)
        else:
            dio(bit)
    def byte(value, bits=8):
        for i in range(bits):
            clk(0)
            put(value >> i & 1)
            clk(1)
        clk(0)
        put(0 if style == "push" else 1)
        clk(1)
        acks.append(dio())
    def stop():
        clk(0)
        put(0)
        clk(1)
        put(1)
    def send(*values):
        put(0)
        for value in values:
            byte(value)
        stop()
"""


@pytest.mark.parametrize("style", ["push", "drain", "switch"])
def test_the_display_shows_what_it_is_told(board: Callable[..., Bench], style: str) -> None:
    script = """
    send(0x40)
    send(0xC0, 0x4F, 0x4F, 0x66, 0x00)
    say(sum(acks))
    poll.poll(1000)
    send(0x8F)
    say("lit")
    poll.poll(1000)
    send(0x44)
    send(0xC3, 0x40 | 0x80)
    say("fixed")
    poll.poll(1000)
    send(0x80)
    say("dark")
    stand()
    """
    bench = board(DRIVER.replace("STYLE", repr(style)), script)
    assert bench.line() == "0"  # every byte was acknowledged
    assert bench.fixture.display() == "    "
    for said, text in (("lit", "334 "), ("fixed", "334-"), ("dark", "    ")):
        bench.fixture.run(1_000_000)
        assert bench.line() == said
        assert bench.fixture.display() == text
    assert bench.log() == ""


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ("put(0)\n    byte(0xC0)\n    byte(0x06, 5)\n    stop()", "a stop in the middle of a byte"),
        ("put(0)\n    stop()", "a stop in the middle of a byte"),
        ("send(0x40, 0xC0, 0x06)", "bytes after the command 0x40"),
        ("send(0x20)", "no command 0x20"),
        ("send(0xC4, 6, 6, 6)", "an address past its last digit"),
    ],
)
def test_a_display_spoken_to_wrongly_keeps_what_it_showed(
    board: Callable[..., Bench], wrong: str, complaint: str
) -> None:
    script = f"""
    send(0x40)
    send(0xC0, 0x7F, 0x7F, 0x7F, 0x7F)
    send(0x88)
    {wrong}
    say("ready")
    stand()
    """
    bench = board(DRIVER.replace("STYLE", '"push"'), script)
    bench.line()
    assert bench.fixture.display() == "8888"
    assert f"display: {complaint}" in bench.log()
