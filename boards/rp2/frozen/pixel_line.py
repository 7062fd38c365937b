"""WS2812 lamps on a pin, sent by PIO and DMA: no interrupt waits and none disturbs a bit's time.

Ten cycles of 125 ns a bit: a 0 is high for 2 of them and a 1 for 7, as the WS2812B's datasheet (v5)
wants: 220-380 ns and 580-1000 ns. machine.bitstream would stop interrupts for 1.5 ms. Called by
firmware/board.py.
"""

from time import sleep_us, ticks_add, ticks_diff, ticks_us

import rp2

MACHINE = 4  # the first of the second block; the first block is for capturing edges
DATA_REQUEST = 8  # PIO1_TX0, RP2040 datasheet 2.5.3 (RP2350: the same number)
WORD_US, RESET_US = 30, 300


@rp2.asm_pio(
    sideset_init=rp2.PIO.OUT_LOW,
    out_shiftdir=rp2.PIO.SHIFT_LEFT,
    autopull=True,
    pull_thresh=24,
    fifo_join=rp2.PIO.JOIN_TX,
)
def _bits():
    # fmt: off
    wrap_target()                               # noqa: F821
    label("bit")                                # noqa: F821
    out(x, 1)               .side(0)    [2]     # noqa: F821
    jmp(not_x, "zero")      .side(1)    [1]     # noqa: F821
    jmp("bit")              .side(1)    [4]     # noqa: F821
    label("zero")                               # noqa: F821
    nop()                   .side(0)    [4]     # noqa: F821
    wrap()                                      # noqa: F821
    # fmt: on


class _Channel:
    dma = None  # one for good: a table set up anew takes it over


class PixelLine:
    def __init__(self, pin):
        self._machine = rp2.StateMachine(MACHINE, _bits, freq=8_000_000, sideset_base=pin)
        self._machine.active(1)
        if _Channel.dma is None:
            _Channel.dma = rp2.DMA()
        self._control = _Channel.dma.pack_ctrl(inc_write=False, treq_sel=DATA_REQUEST)
        self._free, self._takes_us = ticks_us(), 0  # when the picture before has gone out and shows

    def __call__(self, words):
        """Returns while they are under way; waits for those before, 2 ms at most."""
        left_us = ticks_diff(self._free, ticks_us())
        if 0 < left_us <= self._takes_us:  # ticks come round: after 9 minutes a time long past looks to come
            sleep_us(left_us)
        self._words = bytes(words)  # the DMA reads these while the caller changes its own
        _Channel.dma.config(
            read=self._words, write=self._machine, count=len(words), ctrl=self._control, trigger=True
        )
        self._takes_us = len(words) * WORD_US + RESET_US
        self._free = ticks_add(ticks_us(), self._takes_us)
