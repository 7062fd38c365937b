"""A key, switch or sensor contact: edges in, presses and releases out. Knows no rule.

Anything that pulls its pin to ground and lets go: a key, a micro-switch, a reed switch (MK6 and its
like), a seal loop, a ball switch that closes while it is shaken (SW-18010P), a hall switch with an open
collector (Allegro A3144, A1101) or a slotted opto-switch (Vishay TCST2103) with its pull-up.

Judged by the edges' own times, never by when the loop came round: a level counts once it
has held for its time (press_us to close, release_us to open). So a bounce or a glitch
shorter than that is not a press, however late it is looked at. The main loop calls it.
"""

PRESSED, RELEASED = 1, 0


class Contact:
    def __init__(self, name, closed, now_us, press_us=2000, release_us=12000):
        self.name = name
        self.closed = closed  # as it stands, debounced
        self.raw = closed
        self.since_us = now_us
        self.hold_us = (release_us, press_us)
        self.edges = 0

    def edge(self, at_us, closed):
        """An edge that left the contact `closed` (0, 1) at this time: the change it confirms, or None."""
        self.edges += 1
        change = self.poll(at_us)
        self.raw, self.since_us = closed, at_us  # the same level twice: a pulse too short to see both ends
        return change

    def poll(self, now_us):
        """PRESSED or RELEASED once the level has held its time, else None."""
        if self.raw == self.closed or now_us - self.since_us < self.hold_us[self.raw]:
            return None
        self.closed = self.raw
        return self.closed

    def deadline_us(self):
        """When poll has something to say if no edge comes, or None."""
        return None if self.raw == self.closed else self.since_us + self.hold_us[self.raw]
