"""The round of sic-bo (act sicbo 5.1-5.3, qld s72, ss76-78): its acts, with a covered tumbler or without.

What a reading means and what a wager pays is asked of rules_min; what was decided is on the
journal before it is shown (table.py). Driven by main.py's loop through `poll`.
"""

from rules_min import sic_bo as rules

from .. import faults
from ..protocol.session import Refusal
from . import record
from .table import AT_REST, CALLED, CLOSED, IDLE, OPEN, RESULT, RUNNING, Table
from .tumbler_times import times

KEYS = {
    "key_open": "open",
    "key_spin": "activate",
    "key_no_more_bets": "no_more_bets",
    "key_no_spin": "no_spin",
    "key_entry": "entry",
}
NUMBER_KEYS = ("key1", "key2", "key3", "key4", "key5", "key6")
INPUTS = NUMBER_KEYS + tuple(sorted(KEYS)) + ("cover", "seal", "turn", "rest")
# µs: the turn's sensor is electronic, its pulse short; of the vibration switch every chatter counts. A cover
# that comes off is known as soon as a key: whether it was before the call decides a round (act sicbo 8.3).
QUICK = {"turn": 500, "rest": 0, "cover": 2000}
OF_THE_OUTCOME = ("invalidated", "disrupted")  # act sicbo 10.1, 10.5: whatever the device does, or did


class SicBo(Table):
    COMMANDS = ("open", "wager", "activate", "no_more_bets", "no_spin")
    REFUSED = {
        "open": "a round is under way",
        "wager": "no wager can be placed now",
        "activate": "the tumbler is activated once a round, at its time",
        "no_more_bets": "the call comes once a round, at its time",
        "number": "numbers are entered after the call, once the dice lie open and at rest",
        "entry": "ENTRY comes after the call, once the dice lie open and at rest",
        "no_spin": "there is no spin to declare void",
    }

    def __init__(self, edition, limits, parts, log, now_us, covered=True):
        self.covered = covered  # the clauses hang on it
        super().__init__("sic_bo", rules, edition, limits, log, now_us)
        self.parts = parts  # .tumbler .lamps .display .panel
        self.transitions = times(edition, covered)
        self.pressed, self.uncovered = [], not covered
        self.recalled = 0  # how many games back the display shows; 0: it shows this one
        record.recover(self)
        if not parts.panel.closed("seal"):
            self.fail(faults.SEAL_BROKEN)

    def clauses_of(self, edition):
        """Those of a tumbler without a cover stand beside those of one with it."""
        found = self.rules.PROCEDURE[edition]
        if self.covered:
            return found
        own = [act for act in found if act + "_uncovered" in found]
        return dict(found, **{act: found[act + "_uncovered"] for act in own})

    # -- what comes in

    def poll(self):
        """Once round the loop: contacts, then the tumbler."""
        for name, closed, at_us in self.parts.panel.poll():
            self.contact(name, closed, at_us)
        if self.parts.panel.lost():
            self.fail(faults.EDGES_LOST)
        reading = self.parts.tumbler.poll(self.now_us())
        if reading:
            self.act("rested", reading)

    def contact(self, name, closed, at_us):
        if name == "turn":
            (self.parts.tumbler.turned if closed else self.parts.tumbler.passed)(at_us)
        elif name == "rest":
            self.parts.tumbler.shook(at_us, closed)
        elif name == "seal":
            if not closed:
                self.fail(faults.SEAL_BROKEN)
        elif name == "cover":
            if not closed and self.allowed("uncover"):
                self._uncover()
        elif closed:
            self._key(name)

    def _key(self, name):
        if name == "key_no_spin" and self.betting == CLOSED:
            self._recall()
            return
        if self.recalled:
            self._end_recall()
            if name != "key_open":
                return  # it ended the look back, and does nothing else
        try:
            if name in NUMBER_KEYS:
                self.act("number", NUMBER_KEYS.index(name) + 1)
            else:
                self.act(KEYS[name], {})
        except Refusal:
            pass  # it is in the journal; the dealer sees that nothing lit up

    # -- the games before, at the terminal

    def _recall(self):
        """Between rounds NO SPIN shows the games before, newest first, and how many back; lamps stay dark."""
        if self.recalled >= self.round:
            self._end_recall()  # there is no game before the first
            return
        dice = record.dice_of(self.log.journal, self.round - self.recalled)
        self.recalled += 1
        self.parts.display.show((dice or (None, None, None)) + (self.recalled % 10,))

    def _end_recall(self):
        self.recalled = 0
        self.parts.display.show(self.pressed if self.device == RESULT else ())

    # -- the acts

    def _open(self, asked):
        super()._open(asked)
        self.pressed, self.uncovered, self.recalled = [], not self.covered, 0
        self.light(())
        self.parts.display.show(())

    def _activate(self, _):
        if self.covered and not self.parts.panel.closed("cover"):
            raise Refusal("cover_off", "put the cover on first", self.clauses["cover"])
        self.log("activated", round=self.round)
        self.device = RUNNING
        self.parts.tumbler.start(self.now_us(), self.parts.panel.closed("rest"))

    def _rested(self, reading):
        times = {"run_ms": reading.run_ms, "settle_ms": reading.settle_ms}
        self.turns = reading.turns
        self.log("rested", round=self.round, turns=reading.turns, **times)
        self.device = AT_REST
        if reading.trouble:
            self.fail(faults.TUMBLER_STALLED, reading.trouble)
            return
        cause = rules.bad_reading(self.edition, reading.turns, True)
        if cause:
            self.void(cause)

    def _no_more_bets(self, _):
        self._close_betting(self.clauses["no_more_bets"])

    def _close_betting(self, rule):
        self.log("called", round=self.round, rule=rule)
        self.betting = CALLED
        self.log.get_ready()

    def _uncover(self):
        if self.betting == OPEN and "exposed" in rules.NO_SPIN[self.edition]:
            self.void("exposed")
            return
        if self.betting == OPEN:  # qld s72(4): no wager once the cover starts to come off
            self._close_betting(self.clauses["wager"])
        if not self.uncovered:
            self.log("uncovered", round=self.round)
            self.uncovered, self.pressed = True, []

    def _number(self, number):
        self._need_uncovered("number")
        self.pressed = (self.pressed + [number])[-3:]  # a wrong one is put right by pressing three more
        self.parts.display.show(self.pressed)

    def _entry(self, _):
        if self.device == RESULT:
            self.clear_result()  # qld s78(5): ENTRY a second time clears the numbers
            return
        self._need_uncovered("entry")
        if len(self.pressed) != 3:
            raise Refusal("three_numbers", "three numbers are pressed before ENTRY", self.clauses["entry"])
        self.result(tuple(sorted(self.pressed)))

    def await_entry(self):
        super().await_entry()
        self.pressed, self.uncovered = [], True
        self.parts.display.show(())

    def _need_uncovered(self, act):
        if not self.uncovered or (self.covered and self.parts.panel.closed("cover")):
            raise Refusal("cover_on", self.REFUSED[act], self.clauses["entry"])

    def _no_spin(self, asked):
        """The dealer's word. By the bare key: dice at rest are not flat; moving, the tumbler went wrong."""
        cause = asked.get("cause") or ("not_flat" if self.device == AT_REST else "malfunction")
        known = [name for name in rules.NO_SPIN[self.edition] if name != "power_lost"]  # no dealer's word
        if cause not in known:
            raise Refusal("bad_cause", "a no spin has one of these causes: " + ", ".join(sorted(known)))
        spun = self.device not in (IDLE, RESULT) and (cause != "exposed" or self.betting == OPEN)
        if not spun and cause not in OF_THE_OUTCOME:  # nothing was spun, or it has its result
            raise Refusal("wrong_state", self.REFUSED["no_spin"])
        self.void(cause)

    # -- what table.py asks of it

    def light(self, outputs):
        self.parts.lamps.show(outputs)

    def halt(self):
        self.parts.tumbler.stop()

    def stop_devices(self):
        self.halt()
        self.light(())
        self.parts.display.show(())

    def fault_stands(self):
        """Why no fault can be cleared yet, or None: behind any other the seal may have broken too."""
        return None if self.parts.panel.closed("seal") else faults.words(faults.SEAL_BROKEN)

    def status(self, asked):
        fields = super().status(asked)
        fields["cover_on"] = self.parts.panel.closed("cover")
        return fields

    def deadline_us(self):
        panel, tumbler = self.parts.panel.deadline_us(), self.parts.tumbler.deadline_us()
        if panel is None or tumbler is None:
            return tumbler if panel is None else panel
        return min(panel, tumbler)
