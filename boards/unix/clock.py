"""The virtual clock: board microseconds since power-on, and everything due at one of them.

Time passes at wall rate, or jumps under the fixture's `run` from one due event to the next, or
stands (`frozen`) until a run or the firmware's own sleep moves it. An event is delivered at its
exact time whatever the wall clock says. Called by `time`, `select` and `machine`; knows no pin.
"""

from heapq import heappop, heappush

import bench
import interrupts
import utime

TICKS_MASK = (1 << 30) - 1  # as on the rp2 port, so that wrap bugs show
NEVER = 1 << 60
PATIENCE = 1000  # questions about the time, with no wait between, before a standing clock creeps
NAP_US = 1000
NAPS_MASK = 63  # every so many naps the fixture is looked at all the same
LONGEST_BLOCK_US = 60_000_000  # well inside the wrap of utime on a 32-bit build


class Clock:
    def __init__(self, mode, start_us):
        self._frozen = mode == "frozen"
        self._realtime = mode == "realtime"
        self._held = self._frozen  # held: wall time does not count
        self._us = start_us
        self._wall = utime.ticks_us()
        self._events = []  # heap of [t_us, serial, call, argument]
        self._serial = 0
        self._next_us = NEVER
        self._handler_ticks = -1  # not negative while handlers run: time stands still for them
        self.run_over = None  # called with (client, now_us) when a run is over
        self._runs = []  # [end_us, client]: runs under way
        self._ended = []  # runs over, but for the firmware's go at the end
        self._asked = 0
        self._naps = 0

    # -- reading the time

    def ticks_us(self):
        if self._handler_ticks >= 0:  # no arithmetic: a big integer would need the locked heap
            return self._handler_ticks
        return self.now_us() & TICKS_MASK

    def now_us(self):
        """The board time as the firmware sees it; what fell due meanwhile has happened."""
        if self._handler_ticks < 0:
            if self._held:
                self._creep()
            self.catch_up()
        return self._us

    def catch_up(self):
        self._follow_wall()
        while self._next_us <= self._us and self._handler_ticks < 0:
            self._deliver(self._next_us)

    def _follow_wall(self):
        if not self._held:
            wall = utime.ticks_us()
            self._us += utime.ticks_diff(wall, self._wall)
            self._wall = wall

    def _creep(self):
        # A firmware that counts microseconds in a loop must see them pass, or it hangs.
        self._asked += 1
        if self._asked > PATIENCE:
            self._us += 1

    # -- what happens when

    def at(self, t_us, call, argument):
        """Calls call(argument) when board time is t_us; answers the event, for `again` and `cancel`."""
        self._serial += 1
        return self._put([t_us, self._serial, call, argument])

    def again(self, event, t_us):
        """The same once more, in its old place among those of one time."""
        return self._put([t_us, event[1], event[2], event[3]])

    def _put(self, event):
        heappush(self._events, event)
        self._next_us = self._events[0][0]
        return event

    def cancel(self, event):
        event[2] = _nothing

    def _deliver(self, t_us):
        late_us, self._us = self._us, t_us
        self._handler_ticks = t_us & TICKS_MASK
        while self._next_us == t_us:
            event = heappop(self._events)
            self._next_us = self._events[0][0] if self._events else NEVER
            event[2](event[3])
        interrupts.dispatch()
        self._handler_ticks = -1
        self._us = late_us

    def interrupt(self):
        """Handlers run, at the present instant, for all that was raised."""
        if self._handler_ticks < 0:  # else one is running, and the rest come after it
            self._handler_ticks = self._us & TICKS_MASK
            interrupts.dispatch()
            self._handler_ticks = -1

    # -- letting time pass

    def run_until(self, end_us, client):
        """The fixture's run: time passes until end_us, as fast as may be; run_over says so."""
        self._follow_wall()
        self._runs.append([end_us, client])
        self._hold()

    def runs(self):
        return self._runs + self._ended

    def wait(self, deadline_us, look, standing=True):
        """The firmware waits for an interrupt, the deadline, or look(ms) to see a ready stream.

        A standing wait does not move a frozen clock; a sleep that an interrupt ends does.
        """
        self._answer_ended()
        while not look(0):
            self.catch_up()
            interrupts.run_soft()
            if interrupts.take_wake() or self._end_runs() or self._us >= deadline_us:
                return
            self._stand_or_move(deadline_us, look, standing)

    def wait_for_ever(self, look):
        """Only a ready stream ends this one; asyncio takes it so when it has nothing else to do."""
        while not look(0):
            self.catch_up()
            interrupts.run_soft()
            if not interrupts.take_wake():  # else a handler may have made a stream ready
                self._end_runs()
                self._answer_ended()
                self._stand_or_move(NEVER, look, True)

    def glance(self, look):
        """A wait of no length: the firmware is not idle, unless it does nothing but glance."""
        if not look(0):
            self._asked += 1
        if self._asked > PATIENCE:
            self._answer_ended()
        self.catch_up()
        interrupts.run_soft()
        if self._runs:
            self._end_runs()

    def sleep(self, us, look):
        """The firmware sleeps: nothing but the time ends it, though interrupts are served."""
        self._follow_wall()
        end_us = self._us + us
        self._naps += 1
        if us < NAP_US and self._naps & NAPS_MASK:
            self._nap(end_us)
            return
        self._answer_ended()
        while True:
            look(0)
            self.catch_up()
            interrupts.run_soft()
            self._end_runs()
            self._answer_ended()
            if self._us >= end_us:
                return
            self._move(min(end_us, self._next_us), look)

    def _nap(self, end_us):
        # Between two bits on a wire: hundreds of them in a row, too short to look elsewhere.
        if self._held:
            self._us = end_us
        self.catch_up()
        while self._us < end_us:
            self.catch_up()

    def _stand_or_move(self, deadline_us, look, standing):
        if standing and self._held and not self._runs:
            self._asked = 0
            look(-1)
        else:
            self._move(min(deadline_us, self._next_us), look)

    def _move(self, target_us, look):
        for end_us, _ in self._runs:
            target_us = min(target_us, end_us)
        if self._held:
            self._asked = 0
            self._us = max(self._us, target_us)
        else:
            look(max(0, min(target_us - self._us, LONGEST_BLOCK_US)) // 1000)

    def _end_runs(self):
        over = [run for run in self._runs if run[0] <= self._us]
        self._runs = [run for run in self._runs if run[0] > self._us]
        self._ended += over
        return bool(over)

    def _answer_ended(self):
        if self._ended:
            ended, self._ended = self._ended, []
            for _, client in ended:
                self.run_over(client, self._us)
            self._hold()

    def _hold(self):
        held = self._frozen or (bool(self._runs or self._ended) and not self._realtime)
        if self._held and not held:
            self._wall = utime.ticks_us()
        self._held = held


def _nothing(_):
    pass


board_clock = Clock(bench.CLOCK, bench.START_US)
