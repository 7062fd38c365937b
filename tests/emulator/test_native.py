"""The C module of our images, on the emulated chip: the same bytes as the pure files, and never a wait."""

import hashlib
import random

import pytest

READ = """
import hashlib, micropython, time
from pitkit_native import read_into, wait_us
micropython.kbd_intr(-1)
got, piece, left, reads = hashlib.sha256(), bytearray({piece}), {size}, 0
print("ready")
while left:
    n = read_into(piece)
    got.update(memoryview(piece)[:n])
    left -= n
    reads += 1
    if {pause_ms}: time.sleep_ms({pause_ms})
    elif not n: wait_us(100000)
micropython.kbd_intr(3)
print(got.digest().hex(), reads)
"""
WRITE = """
import time
from pitkit_native import write, write_room
time.sleep_ms(200)  # until whoever asked has stopped reading
start = time.ticks_us()
room, sent = write_room(), 0
for _ in range(40): sent += write(b"x" * 100)
took_us, left = time.ticks_diff(time.ticks_us(), start), write_room()
"""
STUCK = """
import machine, time
from pitkit_native import write, write_room
time.sleep_ms(20)
before, was = write_room(), machine.disable_irq()  # no packet is fetched until it is enabled again
start, sent = time.ticks_us(), 0
for _ in range(20): sent += write(b"x" * 99 + b"\\n")
took_us, room = time.ticks_diff(time.ticks_us(), start), write_room()
machine.enable_irq(was)
time.sleep_ms(50)
print("\\n%d %d %d %d" % (before, sent, room, took_us))
"""
EDGE = """
import machine, time
from pitkit_native import wait_us
pin, seen = machine.Pin(2, machine.Pin.IN, machine.Pin.PULL_UP), []
pin.irq(lambda pin: seen.append(time.ticks_us()), machine.Pin.IRQ_FALLING)
wait_us(1)
start = time.ticks_us()
while not seen and time.ticks_diff(time.ticks_us(), start) < 900_000: wait_us(900_000)
woken = time.ticks_us()
pin.irq(None)
print(time.ticks_diff(woken, seen[0]), time.ticks_diff(woken, start))
"""


def test_its_free_heap_is_the_collectors(bench):
    bench.python("import gc\nfrom pitkit_native import heap_free")
    for code in ("gc.collect()", "kept = [bytes(n) for n in range(300)]", "kept = kept[::3]; gc.collect()"):
        counted, free = bench.python(f"{code}\nprint(heap_free(), gc.mem_free())").split()
        assert counted == free


def test_what_is_no_buffer_is_refused(bench):
    bench.python("import pitkit_native")
    for call in (
        "read_into(b'fixed')",
        "write(5)",
        "frame_encode(1, 2, 3, None)",
        "frame_decode(7)",
        "wait_us('1')",
    ):
        code = f"try: pitkit_native.{call}; print('taken')\nexcept TypeError: print('refused')"
        assert bench.python(code) == "refused", call


@pytest.mark.parametrize(("piece", "pause_ms"), [(512, 0), (7, 0), (64, 20)])
def test_bytes_come_whole_and_in_order(bench, piece, pause_ms):
    sent = random.Random(piece).randbytes(20_000 if piece == 512 else 3000)
    bench.start_python(READ.format(piece=piece, size=len(sent), pause_ms=pause_ms))
    bench._transport.read_until(1, b"ready\r\n", timeout=10)
    bench._transport.serial.write(sent)
    told, _ = bench._transport.follow(timeout=30)
    digest, reads = told.decode().split()
    assert digest == hashlib.sha256(sent).hexdigest()
    if pause_ms:
        assert int(reads) < 3 * len(sent) // piece, "a read takes all that is there"


def test_an_empty_line_is_no_wait(bench):
    code = "import time\nfrom pitkit_native import read_into\nb, s = bytearray(99), time.ticks_us()\n"
    came, took_us = bench.python(
        code + "n = read_into(b)\nprint(n, time.ticks_diff(time.ticks_us(), s))"
    ).split()
    assert came == "0" and int(took_us) < 1000


def test_a_host_that_stops_reading_is_not_waited_for(bench):
    before, sent, room, took_us = bench.python(STUCK).rsplit("\n", 1)[-1].split()
    assert int(before) == 256 and int(room) == 0
    assert 256 <= int(sent) <= 256 + 64, "its buffer and a packet, then nothing"
    assert int(took_us) < 10_000


def test_with_nobody_there_it_takes_all_and_keeps_the_newest(bench):
    bench.start_python(WRITE)
    bench.hang_up()
    bench.fixture.run(500_000)
    room, sent, took_us, left = map(int, bench.python("print(room, sent, took_us, left)").split()[-4:])
    assert (room, left, sent) == (256, 256, 4000)
    assert took_us < 20_000


def test_an_edge_ends_the_wait(bench):
    bench.start_python(EDGE)
    bench.fixture.run(100_000)
    bench.fixture.set("key1", 0)
    told, _ = bench._transport.follow(timeout=10)
    bench.fixture.set("key1", None)
    late_us, waited_us = map(int, told.split())
    assert late_us < 500 and waited_us < 600_000


def test_the_time_ends_the_wait_to_the_microsecond(bench):
    code = "import time\nfrom pitkit_native import wait_us\nlate = []\nfor us in (0, 1, 300, 2500, 40000):\n"
    code += " wait_us(50)\n start = time.ticks_us()\n"
    code += " while time.ticks_diff(time.ticks_us(), start) < us: wait_us(us)\n"
    code += " late.append(time.ticks_diff(time.ticks_us(), start) - us)\nprint(late)"
    late_us = eval(bench.python(code))
    assert all(0 <= us < 300 for us in late_us), late_us
