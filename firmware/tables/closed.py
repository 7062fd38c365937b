"""A table that cannot open, and says why: no good configuration is on the board.

It takes no act but being configured. Never falls back to defaults in silence.
"""

from .record import Log


class Closed:
    def __init__(self, journal, fault, detail):
        self.fault = fault
        self.detail = detail
        Log(journal)("fault", code=fault, detail=detail[:100])

    def handlers(self):
        return {}

    def poll(self):
        pass

    def is_idle(self):
        return True

    def deadline_us(self):
        return None

    def status(self, _):
        return {"betting": "closed", "device": "fault", "fault": self.fault, "detail": self.detail[:100]}
