"""WS2812 lamps and the HT16K33 behind the emulated chip's pins, by the vectors the simulated board shares."""

import part_vectors
import pytest
from emulator_bench import Bench

# The driver of the WS2812 that every Pico tutorial has: ten cycles of 125 ns a bit.
PIO_LAMPS = """
import rp2, array, time
from machine import Pin
@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT, autopull=True, pull_thresh=24)
def lamps():
    wrap_target()
    label('bit')
    out(x, 1)               .side(0)    [2]
    jmp(not_x, 'zero')      .side(1)    [1]
    jmp('bit')              .side(1)    [4]
    label('zero')
    nop()                   .side(0)    [4]
    wrap()
string = rp2.StateMachine(0, lamps, freq=8_000_000, sideset_base=Pin(18))
string.active(1)
string.put(array.array('I', [0x010203, 0x0a0b0c, 0xff0000]), 8)
time.sleep_ms(1)
"""


def started(wiring, image, parts):
    return Bench({**wiring, "board": {**wiring["board"], "parts": parts}}, image, flash="instant")


@pytest.fixture(scope="module")
def pixels(stock_image, wiring):
    bench = started(wiring, stock_image, part_vectors.PIXELS)
    bench.python(part_vectors.STREAM)
    yield bench
    bench.close()


@pytest.fixture(scope="module")
def digits(stock_image, wiring):
    bench = started(wiring, stock_image, part_vectors.DIGITS)
    yield bench
    bench.close()


@pytest.mark.parametrize("name", part_vectors.WS2812)
def test_pixels(pixels, name):
    timing, frames, colours = part_vectors.WS2812[name]
    pixels.python(f"stream({part_vectors.GOOD}, ['{'000000' * 3}'])\nstream({timing}, {frames})")
    assert pixels.fixture.rgb() == colours
    assert pixels.fixture.lamps() == list(colours)


def test_pixels_driven_by_pio(pixels):
    pixels.python(PIO_LAMPS)
    assert pixels.fixture.rgb() == {"small": [2, 1, 3], "big": [11, 10, 12], "triple:1": [0, 255, 0]}
    pixels.python("string.active(0); rp2.PIO(0).remove_program()")


@pytest.mark.parametrize("name", part_vectors.HT16K33)
def test_digits(digits, name):
    messages, text = part_vectors.HT16K33[name]
    digits.python(part_vectors.TWO_WIRES)
    digits.python("for message in [0x20], [0x80], [0] + [0] * 16: send(message)\nacks.clear()")
    digits.python(f"for message in {messages}: send(message)")
    assert digits.python("print(sum(acks))") == "0", "every byte was acknowledged"
    assert digits.fixture.display() == text


def test_soft_i2c_finds_the_part(digits):
    digits.python("from machine import Pin, SoftI2C\nbus = SoftI2C(scl=Pin(21), sda=Pin(22))")
    assert digits.python("print(bus.scan())") == "[112]"
    digits.python("for message in b'\\x21', b'\\x81': bus.writeto(0x70, message)")
    digits.python("bus.writeto(0x70, b'\\0\\x06\\0\\x5b\\0\\0\\0\\x4f\\0\\x66')")
    assert digits.fixture.display() == "1234"


def test_the_chips_own_i2c_reaches_the_part(stock_image, wiring):
    parts = {"display": {"kind": "ht16k33", "sda": "lamp_latch", "scl": "display_clk", "digits": 4}}
    bench = started(wiring, stock_image, parts)
    try:
        bench.python(
            "from machine import Pin, I2C\nimport time\nbus = I2C(0, scl=Pin(21), sda=Pin(20), freq=400_000)"
        )
        assert bench.python("print(bus.scan())") == "[112]"
        bench.python("for message in b'\\x21', b'\\x81': bus.writeto(0x70, message)")
        took = bench.python(
            "start = time.ticks_us()\nbus.writeto(0x70, b'\\0\\x06\\0\\x5b\\0\\0\\0\\x4f\\0\\x66')\n"
            "print(time.ticks_diff(time.ticks_us(), start))"
        )
        assert bench.fixture.display() == "1234"
        assert 200 < int(took) < 600, "11 bytes at 400 kHz"
    finally:
        bench.close()


def test_another_address_is_not_answered(stock_image, wiring):
    bench = started(wiring, stock_image, part_vectors.MATRIX)
    try:
        bench.python(part_vectors.TWO_WIRES)
        bench.python("for message in [0x21], [0x81], [0, 0b101], [15, 0x80]: send(message, 0x71)")
        assert bench.python("acks.clear(); send([0, 0xff]); print(acks)") == "[1, 1, 1]"
        assert bench.fixture.lamps() == ["small", "triple:1", "output 127"]
        bench.hang_up()
        bench.fixture.cut()
        bench.fixture.power()
        assert bench.fixture.lamps() == []
    finally:
        bench.close()
