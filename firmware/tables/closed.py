"""A table that cannot open, and says why: no good configuration is on the board.

It takes no act but being configured. Never falls back to defaults in silence.
"""

from ..protocol import messages

DETAIL_BYTES = 100


class Closed:
    def __init__(self, log, fault, detail):
        self.fault = fault
        self.detail = messages.short(detail, DETAIL_BYTES)
        self.journal = log.journal
        log("fault", code=fault, detail=self.detail)

    def handlers(self):
        return {}

    def poll(self):
        pass

    def stop_devices(self):
        pass

    def is_idle(self):
        return True

    def is_awaited(self):
        return False

    def deadline_us(self):
        return None

    def status(self, _):
        return {
            "betting": "closed",
            "device": "fault",
            "round": self.journal.round,
            "fault": self.fault,
            "detail": self.detail,
        }
