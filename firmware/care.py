"""Looks after the parts in every turn of the loop, whatever the table does: motor, lamps, result line.

A lamp that fails is told at once and changes nothing else (qld s78(7), act sicbo 8.5): no result
waits for it. The motor's time is watched here a second time, apart from the tumbler's own judgement.
"""

from . import faults
from .devices.lamp_watch import WORKS
from .tables.table import RESULT


class Care:
    def __init__(self, parts, table, log, now_us):
        self.parts = parts
        self.table = table
        self.log = log
        self.now_us = now_us
        self.lamps = parts.lamps if hasattr(parts.lamps, "poll") else None  # their current is watched, or not

    def poll(self):
        now_us = self.now_us()
        if self.parts.motor.poll(now_us):
            self.table.fail(faults.MOTOR_OVERRUN)
        if self._may_look_at_lamps():
            self._look_at_lamps(now_us)
        if self.parts.line:
            self.parts.line.poll()

    def _may_look_at_lamps(self):
        """Not while the result is about to be entered: a record then would make the lamps lag.

        Nor while somebody else lights them, to try them.
        """
        return self.lamps and not self.table.is_awaited() and not self.table.aside

    def _look_at_lamps(self, now_us):
        """All areas are lit in turn only while no result is shown and none is to come."""
        light_all = self.table.is_idle() and self.table.device != RESULT
        for output, how in self.lamps.poll(now_us, light_all):
            areas = self.table.rules.AREAS
            unnamed = output is None
            fields = {"area": len(areas) if unnamed else output, "name": "" if unnamed else areas[output]}
            event = "lamp_works" if how == WORKS else "lamp_failed"
            self.log(event, round=self.table.round, rule=self.table.clauses["lamp_failed"], how=how, **fields)

    def stop(self):
        """The motor off, first of all and whatever state the rest is in."""
        self.parts.motor.off()

    def deadline_us(self):
        due = None
        for part in (self.parts.motor, self.parts.line, self._may_look_at_lamps() and self.lamps):
            at_us = part.deadline_us() if part else None
            if at_us is not None and (due is None or at_us < due):
                due = at_us
        return due
