"""What time it is, where the board knows: a Pico has no clock until somebody sets it.

UTC is kept as a distance from the board's own milliseconds and forgotten with the power; the
journal's `clock` records let anyone date every record of that start. Never guessed.
"""

from .protocol.session import Refusal

EARLIEST_MS = 1704067200000  # 2024: an earlier time is a mistake, not a time
LATEST_MS = 4102444800000  # 2100, likewise
HOST = "host"  # how it was known: the bench tool set it


class Utc:
    def __init__(self, now_ms, log):
        self.now_ms = now_ms
        self.log = log
        self.ahead_ms = None  # UTC less the board's own milliseconds; None: not known

    def utc_ms(self):
        """0 where it is not known."""
        return 0 if self.ahead_ms is None else self.ahead_ms + self.now_ms()

    def handlers(self):
        return {"time_set": self._set, "time": self._tell}

    def _set(self, asked):
        utc_ms, now_ms = asked["utc_ms"], self.now_ms()
        if not EARLIEST_MS <= utc_ms <= LATEST_MS:
            raise Refusal("bad_time", "that is no time of this century that we could be living in")
        # after a start without a clock, it is at least as late as when it was last set
        back_ms = max((self.utc_ms() or self.log.journal.meters.utc_ms) - utc_ms, 0)
        self.log("clock", utc_ms=utc_ms, how=HOST, back_ms=back_ms)
        self.ahead_ms = utc_ms - now_ms
        return {"back_ms": back_ms}

    def _tell(self, _):
        now_ms = self.now_ms()
        if self.ahead_ms is None:
            return {"at_ms": now_ms}
        return {"utc_ms": self.utc_ms(), "how": HOST, "at_ms": now_ms}
