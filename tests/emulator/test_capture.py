"""Edges captured by PIO and DMA into RAM, against the edges the fixture made: counted, timed, none lost.

Two ways a wheel may be read: every edge stamped with the chip's microseconds by a chain of two DMA channels,
and a state machine that counts its own cycles between edges. Both go on while the flash is erased.
"""

import array
import random

import pytest

EDGES = 20_000

# A pushes a word an edge; one channel takes it away and sets off the other, which stores the microseconds.
STAMPED = f"""
import rp2, array, uctypes
from machine import Pin
@rp2.asm_pio()
def edges():
    wait(0, pin, 0)
    push(noblock)
    wait(1, pin, 0)
    push(noblock)
stamps = array.array('I', bytes(4 * {EDGES} + 4))
count = rp2.DMA()
stamp = rp2.DMA()
nothing = bytearray(4)
count.config(read=0x50200020, write=nothing, count=1, trigger=False, ctrl=count.pack_ctrl(
    inc_read=False, inc_write=False, treq_sel=4, chain_to=stamp.channel))
stamp.config(read=0x40054028, write=stamps, count=1, trigger=False, ctrl=stamp.pack_ctrl(
    inc_read=False, inc_write=True, chain_to=count.channel))
watcher = rp2.StateMachine(0, edges, in_base=Pin(15, Pin.IN, Pin.PULL_UP))
count.active(1)
watcher.active(1)
def stored(): return (stamp.write - uctypes.addressof(stamps)) // 4
"""
# Two instructions a turn: x counts down once a microsecond; it is stored at each edge.
COUNTED = f"""
import rp2, array, uctypes
from machine import Pin
@rp2.asm_pio()
def edges():
    label('high')
    jmp(x_dec, 'still_high')
    label('still_high')
    jmp(pin, 'high')
    mov(isr, x)
    push(noblock)
    label('low')
    jmp(pin, 'rose')
    jmp(x_dec, 'low')
    label('rose')
    mov(isr, x)
    push(noblock)
stamps = array.array('I', bytes(4 * {EDGES} + 4))
take = rp2.DMA()
take.config(read=0x50200020, write=stamps, count={EDGES}, trigger=True, ctrl=take.pack_ctrl(
    inc_read=False, inc_write=True, treq_sel=4))
watcher = rp2.StateMachine(0, edges, freq=2_000_000, jmp_pin=Pin(15, Pin.IN, Pin.PULL_UP))
watcher.active(1)
def stored(): return (take.write - uctypes.addressof(stamps)) // 4
"""
ERASE = """
import rp2
area = rp2.Flash(start=262144, len=65536)
for turn in range(15): area.ioctl(6, turn)
"""


def truth(start_us):
    """Edges of a wheel's sensor, at random times by a seed."""
    chance = random.Random(1999)
    edges, t_us = [], start_us
    for turn in range(EDGES):
        t_us += chance.randint(20, 80)
        edges.append((t_us, "turn", turn % 2))
    return edges


def captured(bench):
    count = int(bench.python("import binascii\nprint(stored())"))
    words = [
        bench.python(f"print(binascii.hexlify(memoryview(stamps)[{i}:{i + 2000}]).decode())")
        for i in range(0, EDGES, 2000)
    ]
    return list(array.array("I", bytes.fromhex("".join(words))))[:count]


def capture(bench, program, during):
    bench.hang_up()
    bench.fixture.cut()
    bench.fixture.power()
    bench.python(program)
    bench.start_python(during)
    edges = truth(bench.fixture.now() + 200_000)
    bench.fixture.schedule(edges)
    bench.fixture.run(edges[-1][0] - bench.fixture.now() + 1000)
    bench.hang_up()
    return [t_us for t_us, _, _ in edges], captured(bench)


@pytest.mark.parametrize("during", ["", ERASE], ids=["idle", "erasing"])
def test_every_edge_is_stamped(bench, during):
    made, seen = capture(bench, STAMPED, during)
    assert len(seen) == EDGES
    offsets = {stamp - t_us for stamp, t_us in zip(seen, made, strict=True)}
    assert max(offsets) - min(offsets) <= 1, "to the microsecond, erase or no erase"


@pytest.mark.parametrize("during", ["", ERASE], ids=["idle", "erasing"])
def test_every_edge_is_counted(bench, during):
    made, seen = capture(bench, COUNTED, during)
    assert len(seen) == EDGES
    passed = [(seen[i - 1] - seen[i]) & 0xFFFFFFFF for i in range(1, EDGES)]
    wanted = [made[i] - made[i - 1] for i in range(1, EDGES)]
    # two instructions an edge do not count: one turn less, and one of rounding
    assert all(-3 <= a - b <= 1 for a, b in zip(passed, wanted, strict=True))
    assert bench.fixture.op("stats")["halted"] is None
