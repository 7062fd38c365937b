"""What is on the chip beside pins and flash: the ADC, timers and the watchdog.

Each with the rp2 port's names, numbers and limits. Timers and the watchdog live by the virtual
clock; the watchdog also bites a firmware that burns its CPU and never looks at the clock.
"""

import array

import bench
import fixture
from clock import board_clock
from interrupts import Irq
from pins import FIRST_ADC_GPIO, Pin


class ADC:
    def __init__(self, pin):
        channel = type(pin) is int and pin < FIRST_ADC_GPIO
        self._pin = Pin(pin + FIRST_ADC_GPIO if channel else pin)
        if not self._pin.has_adc:
            raise ValueError("Pin doesn't have ADC capabilities")

    def read_u16(self):
        noisy = self._pin.noisy
        return noisy.sample() if noisy else self._pin.voltage or 0


class Timer:
    ONE_SHOT = 0
    PERIODIC = 1

    def __init__(self, id=-1, **settings):
        self._event = None
        if settings:
            self.init(**settings)

    def init(self, *, mode=PERIODIC, freq=None, period=-1, callback=None, hard=False):
        self.deinit()
        self._mode = mode
        self._period_us = int(1_000_000 / freq) if freq else period * 1000
        if self._period_us < 1:
            raise ValueError("invalid period")
        self._irq = Irq(self, callback, 1, hard)
        self._arm(board_clock.now_us())

    def deinit(self):
        if self._event:
            board_clock.cancel(self._event)
            self._event = None

    def _arm(self, from_us):
        self._due_us = from_us + self._period_us
        self._event = board_clock.at(self._due_us, self._ring, None)

    def _ring(self, _):
        self._event = None
        if self._mode == Timer.PERIODIC:
            self._arm(self._due_us)
        self._irq.raise_flag(1)


class WDT:
    LONGEST_MS = 8388  # as long as the RP2040's counter lasts
    CPU_S = 5  # of the processor's own time, without a feed: stuck, whatever the clock says
    ITIMER_VIRTUAL = 1

    def __init__(self, id=0, timeout=5000):
        if not 1 <= timeout <= WDT.LONGEST_MS:
            raise ValueError(f"timeout exceeds {WDT.LONGEST_MS}")
        self._timeout_us = timeout * 1000
        self._cpu_limit = array.array("l", [0, 0, max(WDT.CPU_S, timeout // 1000), 0])
        self.feed()
        board_clock.at(self._due_us, self._check, None)

    def feed(self):
        self._due_us = board_clock.now_us() + self._timeout_us
        bench.set_timer(WDT.ITIMER_VIRTUAL, self._cpu_limit, None)

    def _check(self, _):
        if self._due_us > board_clock.now_us():
            board_clock.at(self._due_us, self._check, None)
        else:
            fixture.leave(bench.EXIT_WATCHDOG)
