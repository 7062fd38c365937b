"""The tumbler's motor: on a relay or MOSFET (two levels), or on an H-bridge (two wires). Knows no rule.

It is never on for longer than its set time: the loop asks `poll`, whatever the tumbler believes.
While the chip resets its pins float, so the gate (or both inputs of the bridge) need a resistor to
the level that is off. The bridge is any with the inputs of TI's DRV8871 (SLVSCY9, table 1).
"""

from time import sleep_us

OFF, FORWARD, BACK, BRAKE = range(4)
DEAD_US = 2000  # both sides off before the other direction: relays and bare bridges need it, a DRV8871 not


class Switch:
    """A gate: on or off."""

    def __init__(self, gate, active=1):
        self.gate = gate
        self.levels = (1 - active, active)

    def put(self, state):
        self.gate(self.levels[state in (FORWARD, BACK)])


class HBridge:
    """Two inputs: 10 forward, 01 back, 11 brake, 00 off."""

    INPUTS = ((0, 0), (1, 0), (0, 1), (1, 1))

    def __init__(self, first, second):
        self.wires = first, second
        self.driven = OFF

    def put(self, state):
        if state in (FORWARD, BACK):
            if self.driven not in (OFF, state):
                self._write(OFF)
                sleep_us(DEAD_US)
            self.driven = state
        self._write(state)

    def _write(self, state):
        """The wire that would drive the other way goes first: no state on the way turns the motor round."""
        for number in (0, 1) if self.driven == BACK else (1, 0):
            self.wires[number](self.INPUTS[state][number])


class Motor:
    """`motor(1)` and `motor(0)`, as the tumbler asks; and the guard."""

    def __init__(self, drive, now_us, most_ms, brake_ms=0, both_ways=0):
        self.drive = drive
        self.now_us = now_us
        self.most_us, self.brake_us = most_ms * 1000, brake_ms * 1000
        self.ways = (FORWARD, BACK) if both_ways else (FORWARD, FORWARD)
        self.spins = 0
        self.state = OFF
        self.since_us = 0
        self.drive.put(OFF)

    def __call__(self, on):
        if on:
            self._enter(self.ways[self.spins & 1])
            self.spins += 1
        elif self.state in (FORWARD, BACK):
            self._enter(BRAKE if self.brake_us else OFF)

    def off(self):
        """At once, without the brake: for every way out."""
        self._enter(OFF)

    def _enter(self, state):
        self.drive.put(state)
        self.state, self.since_us = state, self.now_us()

    def poll(self, now_us):
        """Lets the brake go; True if it had to be switched off because nobody else did."""
        due_us = self.deadline_us()
        if due_us is None or now_us < due_us:
            return False
        overrun = self.state != BRAKE
        self.off()
        return overrun

    def deadline_us(self):
        if self.state == OFF:
            return None
        return self.since_us + (self.brake_us if self.state == BRAKE else self.most_us)
