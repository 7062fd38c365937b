"""The dice tumbler: drives it, counts its turns, waits until the dice are still. Knows no rule.

start -> running (motor on, turns counted) -> settling (motor off) -> resting. What it saw is
a Reading: turns, times, and whether it stalled. How many turns are enough is not its to say.
The main loop calls `turned`, `passed` and `shook` from the contacts, and `poll`.
"""

# A mark that is back sooner has not been round: its contact bounces (8 ms in a bad reed), or the drum
# is stuck and rocks. Too few turns void a round, too many would let an untumbled one stand.
AWAY_US = 100_000

IDLE, RUNNING, SETTLING, RESTING = range(4)


class Reading:
    def __init__(self, turns, run_ms, settle_ms, trouble):
        self.turns = turns
        self.run_ms = run_ms
        self.settle_ms = settle_ms
        self.trouble = trouble  # None, "stalled" or "never_still"


class Tumbler:
    def __init__(self, motor, turns, stall_ms, rest_ms, settle_most_ms):
        self.motor = motor  # function(1 or 0)
        self.wanted = turns
        self.stall_us = stall_ms * 1000
        self.rest_us = rest_ms * 1000
        self.settle_most_us = settle_most_ms * 1000
        self.state = IDLE
        self.turns = 0
        self.shaking = 0  # the vibration switch as it stands
        self.started_us = self.turned_us = self.stopped_us = self.shook_us = 0
        self.passed_us = None  # when the mark last left the sensor

    def start(self, now_us, shaking=0):
        self.turns, self.shaking, self.passed_us = 0, shaking, None
        self.started_us = self.turned_us = now_us
        self.state = RUNNING
        self.motor(1)

    def stop(self):
        """Motor off, whatever it was doing: the round is over for it."""
        self.motor(0)
        self.state = IDLE

    def turned(self, at_us):
        """The mark came: the bottom is at the top once more."""
        if self.state == IDLE or at_us < self.started_us:
            return
        self.shook_us = at_us
        if self.passed_us is not None and at_us - self.passed_us < AWAY_US:
            return
        self.turns += 1
        self.turned_us = at_us
        if self.state == RUNNING and self.turns >= self.wanted:
            self._motor_off(at_us)

    def passed(self, at_us):
        """The mark left the sensor."""
        self.passed_us = self.shook_us = at_us

    def shook(self, at_us, shaking=0):
        """The vibration switch moved: the dice are not still, nor while it stays closed."""
        self.shook_us, self.shaking = at_us, shaking

    def _motor_off(self, at_us):
        self.motor(0)
        self.stopped_us = self.shook_us = at_us
        self.state = SETTLING

    def poll(self, now_us):
        """The Reading, once, when the spin is over; None until then."""
        if self.state == RUNNING and now_us - self.turned_us >= self.stall_us:
            self._motor_off(now_us)
            return self._over(now_us, "stalled")
        if self.state != SETTLING:
            return None
        if not self.shaking and now_us - self.shook_us >= self.rest_us:
            return self._over(self.shook_us, None)
        if now_us - self.stopped_us >= self.settle_most_us:
            return self._over(now_us, "never_still")
        return None

    def _over(self, still_us, trouble):
        self.state = RESTING
        run_ms = (self.stopped_us - self.started_us) // 1000
        return Reading(self.turns, run_ms, max(still_us - self.stopped_us, 0) // 1000, trouble)

    def deadline_us(self):
        if self.state == RUNNING:
            return self.turned_us + self.stall_us
        if self.state == SETTLING:
            most_us = self.stopped_us + self.settle_most_us
            return most_us if self.shaking else min(self.shook_us + self.rest_us, most_us)
        return None
