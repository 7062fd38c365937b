"""The round of sic-bo with a covered tumbler (act sic-bo 5.1-5.3), as a table of transitions.

Owns two small states, betting and device. Every act, a key's, the host's or a device's, is
looked up in TRANSITIONS; a pair that is not there is refused. What a reading means and what
a wager pays is asked of rules_min; what was decided is on the journal before it is shown.
"""

from rules_min import sic_bo as rules

from .. import faults
from ..protocol.session import Refusal
from . import record
from .book import Book

CLOSED, OPEN, CALLED = "closed", "open", "called"
IDLE, RUNNING, AT_REST, RESULT, NO_SPIN, FAULT = "idle", "running", "at_rest", "result", "no_spin", "fault"

# act: (betting, device) pairs it may happen in. Anything else is refused, with the words below.
TRANSITIONS = {
    "open": ((CLOSED, IDLE), (CLOSED, RESULT), (CLOSED, NO_SPIN)),
    "wager": ((OPEN, IDLE), (OPEN, RUNNING), (OPEN, AT_REST)),
    "activate": ((OPEN, IDLE),),
    "rested": ((OPEN, RUNNING), (CALLED, RUNNING)),
    "no_more_bets": ((OPEN, RUNNING), (OPEN, AT_REST)),
    "uncover": ((OPEN, RUNNING), (OPEN, AT_REST), (CALLED, RUNNING), (CALLED, AT_REST)),
    "number": ((CALLED, AT_REST),),
    "entry": ((CALLED, AT_REST),),
    "no_spin": ((OPEN, IDLE), (OPEN, RUNNING), (OPEN, AT_REST), (CALLED, RUNNING), (CALLED, AT_REST)),
}
REFUSED = {
    "open": "a round is under way",
    "wager": "no wager can be placed now",
    "activate": "the tumbler is activated once, after the round is opened",
    "no_more_bets": "the call comes once, after the tumbler is activated",
    "number": "numbers are entered after the call, once the dice are at rest and uncovered",
    "entry": "ENTRY comes after the call, once the dice are at rest and uncovered",
    "no_spin": "there is no spin to declare void",
}
KEYS = {
    "key_open": "open",
    "key_spin": "activate",
    "key_no_more_bets": "no_more_bets",
    "key_no_spin": "no_spin",
    "key_entry": "entry",
}
NUMBER_KEYS = ("key1", "key2", "key3", "key4", "key5", "key6")
INPUTS = NUMBER_KEYS + tuple(sorted(KEYS)) + ("cover", "seal", "turn", "rest")
QUICK = ("turn",)


class SicBo:
    def __init__(self, edition, limits, parts, journal, now_us):
        self.edition = edition
        self.clauses = rules.PROCEDURE[edition]
        self.parts = parts  # .tumbler .lamps .display .panel
        self.log = record.Log(journal)
        self.now_us = now_us
        self.book = Book(rules, edition, limits)
        self.betting, self.device = CLOSED, IDLE
        self.round, self.revision = journal.round, 0
        self.dice, self.pressed, self.uncovered = (), [], False
        self.fault, self.detail = 0, ""
        self.refused = set()  # in this round: each is journalled once, so a stuck key wears nothing
        record.recover(self)
        if not parts.panel.closed("seal"):
            self.fail(faults.SEAL_BROKEN)

    # -- what comes in

    def handlers(self):
        acts = ("open", "wager", "activate", "no_more_bets", "no_spin")
        found = {name: self._command(name) for name in acts}
        found["status"] = self.status
        found["payout"] = lambda asked: self.book.payout(asked["ref"])
        found["clear_fault"] = self.clear_fault
        return found

    def _command(self, name):
        def handle(asked):
            self.act(name, asked)
            return {"round": self.round}

        return handle

    def poll(self):
        """Once round the loop: contacts, then the tumbler."""
        for name, closed, at_us in self.parts.panel.poll():
            self._contact(name, closed, at_us)
        if self.parts.panel.lost():
            self.fail(faults.EDGES_LOST)
        reading = self.parts.tumbler.poll(self.now_us())
        if reading:
            self.act("rested", reading)

    def _contact(self, name, closed, at_us):
        if name == "turn":
            if closed:
                self.parts.tumbler.turned(at_us)
        elif name == "rest":
            self.parts.tumbler.shook(at_us)
        elif name == "seal":
            if not closed:
                self.fail(faults.SEAL_BROKEN)
        elif name == "cover":
            if not closed and self._allowed("uncover"):
                self._uncover()
        elif closed:
            self._key(name)

    def _key(self, name):
        try:
            if name in NUMBER_KEYS:
                self.act("number", NUMBER_KEYS.index(name) + 1)
            else:
                self.act(KEYS[name], {})
        except Refusal:
            pass  # it is in the journal; the dealer sees that nothing lit up

    def _allowed(self, act):
        return (self.betting, self.device) in TRANSITIONS[act]

    def act(self, act, argument):
        """Does it, or raises Refusal. The one door for keys, commands and devices."""
        try:
            if act == "open" and self.fault:
                raise Refusal("fault", faults.words(self.fault, self.detail))
            if not self._allowed(act):
                code = "too_late" if act == "wager" and self.betting == CALLED else "wrong_state"
                raise Refusal(code, REFUSED[act], self.clauses.get(act, ""))
            getattr(self, "_" + act)(argument)
        except Refusal as refusal:
            self._note_refusal(act, refusal)
            raise

    def _note_refusal(self, act, refusal):
        if (act, refusal.code) not in self.refused:
            self.refused.add((act, refusal.code))
            self.log("refused", round=self.round, act=act, why=refusal.message, rule=refusal.rule)

    # -- the round

    def _open(self, _):
        self.round += 1
        self.log.begin(self.round)
        self.log("opened", round=self.round, game="sic_bo", edition=self.edition)
        self.book.clear()
        self.betting, self.device = OPEN, IDLE
        self.revision, self.dice, self.pressed, self.uncovered = 0, (), [], False
        self.refused.clear()
        self._show(())

    def _wager(self, asked):
        wager = asked["ref"], asked["code"], asked["stake"], asked["player"]
        if self.book.is_known(*wager):
            return
        self.book.check(asked["code"], asked["stake"])
        ref, code, stake, player = wager
        self.log("wager", round=self.round, ref=ref, code=code, stake=stake, player=player)
        self.book.add(*wager)

    def _activate(self, _):
        if not self.parts.panel.closed("cover"):
            raise Refusal("cover_off", "put the cover on first", self.clauses["activate"])
        self.log("activated", round=self.round)
        self.device = RUNNING
        self.parts.tumbler.start(self.now_us())

    def _rested(self, reading):
        self.log(
            "rested",
            round=self.round,
            turns=reading.turns,
            run_ms=reading.run_ms,
            settle_ms=reading.settle_ms,
        )
        self.device = AT_REST
        if reading.trouble:
            self.fail(faults.TUMBLER_STALLED, reading.trouble)
            return
        cause = rules.bad_reading(self.edition, reading.turns, True)
        if cause:
            self._void(cause)

    def _no_more_bets(self, _):
        self.log("called", round=self.round, rule=self.clauses["no_more_bets"])
        self.betting = CALLED

    def _uncover(self):
        if self.betting == OPEN:
            self._void("exposed")
        elif not self.uncovered:
            self.log("uncovered", round=self.round)
            self.uncovered, self.pressed = True, []

    def _number(self, number):
        self._need_uncovered("number")
        self.pressed = (self.pressed + [number])[-3:]  # a wrong one is put right by pressing three more
        self.parts.display.show(self.pressed)

    def _entry(self, _):
        self._need_uncovered("entry")
        if len(self.pressed) != 3:
            raise Refusal("three_numbers", "three numbers are pressed before ENTRY", self.clauses["entry"])
        self._result(tuple(sorted(self.pressed)))

    def _need_uncovered(self, act):
        if not self.uncovered:
            raise Refusal("cover_on", REFUSED[act], self.clauses["entry"])

    def _no_spin(self, asked):
        """The dealer's word. By the bare key: dice at rest are not flat; moving, the tumbler went wrong."""
        cause = asked.get("cause") or ("not_flat" if self.device == AT_REST else "malfunction")
        if cause not in rules.NO_SPIN[self.edition]:
            causes = ", ".join(sorted(rules.NO_SPIN[self.edition]))
            raise Refusal("bad_cause", "a no spin has one of these causes: " + causes)
        if self.device == IDLE and cause != "invalidated":
            raise Refusal(
                "wrong_state", REFUSED["no_spin"]
            )  # nothing was spun; a round may still be called off
        self._void(cause)

    # -- how a round ends

    def _result(self, dice):
        self.revision += 1
        self.log(
            "result",
            round=self.round,
            revision=self.revision,
            dice=dice,
            call=rules.call(dice),
            rule=self.clauses["result"],
            turns=self.parts.tumbler.turns,
        )
        self.show_result(dice)
        self.settle()

    def show_result(self, dice):
        """Lamps of the areas that win, and no other. The journal has the result already."""
        self.betting, self.device, self.dice = CLOSED, RESULT, dice
        self.book.won = rules.winners(dice)
        self._show([rules.AREA_INDEX[area] for area in self.book.won])

    def settle(self):
        pays, returned = self.book.totals()
        self.log(
            "settled",
            round=self.round,
            revision=self.revision,
            wagers=len(self.book.wagers),
            staked=self.book.staked,
            pays=pays,
            returned=returned,
        )
        self.log.end()

    def _void(self, cause):
        self.void(cause)
        self.parts.tumbler.stop()
        self._show(())

    def void(self, cause):
        clause = rules.NO_SPIN[self.edition][cause]
        self.log(
            "voided",
            round=self.round,
            cause=cause,
            rule=clause,
            wagers=len(self.book.wagers),
            returned=self.book.staked,
        )
        self.log.end()
        self.book.voiding = clause
        self.betting, self.device, self.dice = CLOSED, NO_SPIN, ()

    def _show(self, outputs):
        self.parts.lamps.show(outputs)
        if self.device != RESULT:
            self.parts.display.show(())

    # -- faults

    def fail(self, code, detail=""):
        """A fault: told, the round voided if it has no result yet, no new one until it is cleared."""
        if self.fault == code:
            return
        self.fault, self.detail = code, detail
        self.log("fault", code=code, detail=detail)
        if self.betting != CLOSED:
            self._void("malfunction")
        if self.device != RESULT:
            self.device = FAULT

    def clear_fault(self, _):
        if self.fault == faults.SEAL_BROKEN and not self.parts.panel.closed("seal"):
            raise Refusal("fault", faults.words(self.fault))
        if self.fault:
            self.log("fault_cleared", code=self.fault)
        self.fault, self.detail = 0, ""
        if self.device == FAULT:
            self.device = IDLE

    # -- asked

    def is_idle(self):
        """No wager, no device under way: the time for erasing and collecting."""
        return self.betting == CLOSED

    def status(self, _):
        return {
            "betting": self.betting,
            "device": self.device,
            "round": self.round,
            "revision": self.revision,
            "wagers": len(self.book.wagers),
            "staked": self.book.staked,
            "cover_on": self.parts.panel.closed("cover"),
            "dice": self.dice,
            "fault": self.fault,
            "detail": self.detail,
        }

    def deadline_us(self):
        panel, tumbler = self.parts.panel.deadline_us(), self.parts.tumbler.deadline_us()
        if panel is None or tumbler is None:
            return tumbler if panel is None else panel
        return min(panel, tumbler)
