"""A new table tried part by part, for `pitkit io`: pins watched, lamps, digits and motor one by one.

Only between rounds, and the table is out of play until it is left: on request, when the table is
set up anew, or when no host has asked anything for a while. Every output is off afterwards. It
knows no rule and moves no meter; being entered and left is on the journal. main.py's loop polls it
in the table's place. A host may also only listen, at any time, while the table plays on: edges are
kept for it to fetch, and when it does not fetch them, no longer.
"""

from . import fit
from .devices.edges import EdgeRing, Tap
from .devices.tumbler import RUNNING, SETTLING
from .protocol.messages import IO_DARK, NO_GPIO
from .protocol.session import Refusal

SILENCE_US = 10_000_000  # without a word from the host: it is gone, and players may be waiting
LOOK_US = 10_000  # pins without a name have a ring of their own, which ends no wait
MOST_EDGES = 200  # kept for the host to fetch; what comes on top is counted as lost
TRY, LISTEN = 1, 2  # what a host may want of it
ASKING = ("pin", "levels", "edges")  # what one who listens may ask too
EDGES_A_FRAME = 28
MOST_MOTOR_MS = 5000
DEVICES = ("turn", "rest", "seal")  # these stay the table's: a seal opened now is a seal opened
STATES = ("idle", "running", "settling", "rested")  # the tumbler's, by number


class BenchIo:
    def __init__(self, board, log):
        self.board = board
        self.log = log
        self.table = None  # main.py sets it, after `leave`
        self.on = False  # the parts are in a host's hands
        self.listening = False

    def handlers(self):
        found = {"io": self._switch}
        for name in ASKING + ("lamps", "digits", "motor", "tumble"):
            found["io_" + name] = self._handler(name)
        return found

    def _handler(self, name):
        act = getattr(self, "_" + name)

        def handle(asked):
            if not self.on and not (self.listening and name in ASKING):
                raise Refusal("wrong_state", "enter io first: it ends by itself when no host asks")
            self.heard_us = self.board.now_us()
            return act(asked)

        return handle

    # -- in and out

    def _switch(self, asked):
        if asked["on"] > 2:
            raise Refusal("bad_mode", "on is 0, 1 (out of play) or 2 (listening)")
        if not asked["on"]:
            self.leave("asked", asked["by"])
            return None
        if not self.on:
            self._enter(asked["by"], asked["on"])
        self.heard_us = self.board.now_us()
        return {
            "pins": len(self.edges_seen),
            "lamps": self.parts.lamps.outputs,
            "digits": self.parts.display.digits,
            "silence_ms": SILENCE_US // 1000,
        }

    def _enter(self, author, wanted):
        if wanted == TRY and not self.table.is_idle():
            raise Refusal("wrong_state", "a round is under way: try the parts when it is over")
        self.parts = getattr(self.table, "parts", None)
        if self.parts is None:
            raise Refusal("wrong_state", "the table is closed: configure it first, then try its parts")
        self.named = len(self.parts.panel.contacts)
        self.spare = []  # (gpio, pin)
        if wanted == TRY:
            self._take_the_parts(author)
        self.edges, self.lost = [], 0  # (at_us, pin * 2 + closed)
        self.edges_seen = [0] * (self.named + len(self.spare))
        self.on, self.listening = wanted == TRY, wanted == LISTEN
        self.parts.panel.heard = self._edge

    def _take_the_parts(self, author):
        self.log("io_entered", author=author)
        self.table.set_aside("the table is out of play: its parts are being tried (pitkit io)")
        self._watch_the_rest()
        self.reading = self.motor_until_us = None

    def _watch_the_rest(self):
        """A key on a pin that has no name is found too."""
        idle = fit.idle_pins(self.board.parts, self.parts.settings)
        named = [name for name in self.board.pins if name not in idle]
        used = [self.board.gpio(name, self.parts.panel.overrides) for name in named]
        self.ring = EdgeRing()
        for gpio in self.board.data.get("header", ()):
            if gpio not in used:
                pin = self.board.spare_input(gpio)
                self.board.watch(pin, Tap(self.ring, len(self.spare)))
                self.spare.append((gpio, pin))

    def leave(self, cause, author=""):
        """Everything off and dark; the table may open again. For one who only listened, that is all."""
        if not self.on and not self.listening:
            return
        self.parts.panel.heard = None
        self.edges = []
        if self.on:
            for _, pin in self.spare:
                self.board.release(pin)
            self.table.take_up()
            self.log("io_left", author=author, cause=cause)
        self.on = self.listening = False

    # -- the loop

    def poll(self):
        now_us = self.board.now_us()
        if now_us - self.heard_us >= SILENCE_US:
            self.leave("silence")
            return
        for name, closed, at_us in self.parts.panel.poll():
            if name in DEVICES:
                self.table.contact(name, closed, at_us)
        self._drain_the_rest()
        self.lost += self.parts.panel.lost()
        tumbler = self.parts.tumbler
        self.reading = tumbler.poll(now_us) or self.reading
        if self.motor_until_us is not None and now_us >= self.motor_until_us:
            self.motor_until_us = None
            tumbler.stop()

    def _drain_the_rest(self):
        for _ in range(self.ring.SIZE):
            edge = self.ring.drain()
            if edge is None:
                break
            ticks, number, level = edge
            self._edge(self.board.edge_us(ticks), self.named + number, 1 - level)
        self.lost += self.ring.lost
        self.ring.lost = 0

    def _edge(self, at_us, number, closed):
        self.edges_seen[number] += 1
        if len(self.edges) < MOST_EDGES:
            self.edges.append((at_us, number * 2 + closed))
        elif self.on:
            self.lost += 1
        else:
            self.leave("silence")  # nobody fetches: the table does not pay for it

    def deadline_us(self):
        return self.board.now_us() + LOOK_US

    # -- what a host asks: the pins

    def _pin(self, asked):
        """One pin: a contact by its name, or one that has none."""
        index = asked["index"]
        if index >= len(self.edges_seen):
            raise Refusal("no_pin", "the board watches %d pins" % len(self.edges_seen))
        if index >= self.named:
            return {"name": "", "gpio": self.spare[index - self.named][0], "active": 0}
        panel = self.parts.panel
        name = panel.contacts[index].name
        if index >= len(panel.active):  # a key of a matrix
            return {"name": name, "gpio": NO_GPIO, "active": 0}
        return {"name": name, "gpio": panel.gpios[name], "active": panel.active[index]}

    def _levels(self, _):
        closed = [contact.raw for contact in self.parts.panel.contacts]
        closed += [1 - pin.value() for _, pin in self.spare]
        return {"closed": closed, "edges": self.edges_seen}

    def _edges(self, _):
        """The oldest edges not fetched yet; asked again until none are left."""
        flat = []
        for at_us, code in self.edges[:EDGES_A_FRAME]:
            flat += [at_us, code]
        del self.edges[:EDGES_A_FRAME]
        lost, self.lost = self.lost, 0
        return {"now_us": self.board.now_us(), "lost": lost, "edges": flat}

    # -- what a host asks: the parts

    def _lamps(self, asked):
        wrong = [output for output in asked["outputs"] if output >= self.parts.lamps.outputs]
        if wrong:
            raise Refusal("no_lamp", "there are %d lamp outputs" % self.parts.lamps.outputs)
        self.parts.lamps.show(asked["outputs"])

    def _digits(self, asked):
        digits = asked["digits"]
        if len(digits) > self.parts.display.digits or [digit for digit in digits if digit > IO_DARK]:
            raise Refusal("no_digit", "the display has %d places, 0 to 9" % self.parts.display.digits)
        self.parts.display.show([None if digit == IO_DARK else digit for digit in digits])

    def _motor(self, asked):
        """On for so long; 0 is off. It ends before that when the tumbler has had its turns, or stalls."""
        if asked["ms"] > MOST_MOTOR_MS:
            raise Refusal("too_long", "the motor is tried for at most %d ms" % MOST_MOTOR_MS)
        if not asked["ms"]:
            self.motor_until_us = None
            self.parts.tumbler.stop()
            return
        self._start()
        self.motor_until_us = self.board.now_us() + asked["ms"] * 1000

    def _tumble(self, asked):
        if asked["start"]:
            self._start()
        tumbler, reading = self.parts.tumbler, self.reading
        fields = {"state": STATES[tumbler.state], "turns": tumbler.turns}
        if reading:
            fields["run_ms"], fields["settle_ms"] = reading.run_ms, reading.settle_ms
            fields["trouble"] = reading.trouble or ""
        return fields

    def _start(self):
        tumbler = self.parts.tumbler
        if tumbler.state in (RUNNING, SETTLING):
            raise Refusal("wrong_state", "the tumbler runs already")
        self.reading = self.motor_until_us = None  # a trial of the motor before it is over
        tumbler.start(self.board.now_us(), self.parts.panel.closed("rest"))
