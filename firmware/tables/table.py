"""What every table does alike: looks acts up by its two states, refuses, settles, voids, fails.

A game's table derives from it and brings its transitions (act: the (betting, device) pairs it may
happen in), REFUSED (the words when it may not), its rules and its acts as methods named _act.
"""

from .. import faults
from ..journal.meters import TEST
from ..protocol.session import Refusal
from .book import Book

CLOSED, OPEN, CALLED = "closed", "open", "called"
IDLE, RUNNING, AT_REST, RESULT, NO_SPIN, FAULT = "idle", "running", "at_rest", "result", "no_spin", "fault"


class Table:
    COMMANDS = ()  # the acts the host may ask for
    REFUSED = {}

    def __init__(self, game, rules, edition, limits, log, now_us):
        self.game = game
        self.rules = rules
        self.edition = edition
        self.set_up_as = edition
        self.clauses = self.clauses_of(edition)
        self.transitions = {}  # act: the (betting, device) pairs it may happen in
        self.log = log
        self.now_us = now_us
        self.book = Book(rules, edition, limits)
        self.betting, self.device = CLOSED, IDLE
        self.round, self.revision, self.dice = log.journal.round, 0, ()
        self.is_whole = True  # every wager of this round is known
        self.turns = 0  # of this round's spin: evidence that goes with its result
        self.fault, self.detail = 0, ""
        self.aside = ""  # why the table is out of play
        self.refused = set()  # in this round: each is journalled once, so a stuck key wears nothing

    # -- acts

    def handlers(self):
        """{command: function(fields) -> answer}."""
        found = {name: self._command(name) for name in self.COMMANDS}
        found["payout"] = lambda asked: self.book.payout(asked["ref"])
        found["clear_fault"] = self.clear_fault
        return found

    def _command(self, name):
        def handle(asked):
            self.act(name, asked)
            return {"round": self.round}

        return handle

    def take_edition(self, edition):
        """A round goes by the edition it was opened under, though the table was set up anew since."""
        self.edition = self.book.edition = edition
        self.clauses = self.clauses_of(edition)

    def clauses_of(self, edition):
        """The clause of each act."""
        return self.rules.PROCEDURE[edition]

    def allowed(self, act):
        return (self.betting, self.device) in self.transitions[act]

    def act(self, act, argument):
        """Does it, or raises Refusal. The one door for keys, commands and devices."""
        try:
            if act == "open" and self.aside:
                raise Refusal("out_of_play", self.aside)
            if act == "open" and self.fault:
                raise Refusal("fault", faults.words(self.fault, self.detail))
            if not self.allowed(act):
                code = "too_late" if act == "wager" and self.betting == CALLED else "wrong_state"
                raise Refusal(code, self.REFUSED[act], self.clauses.get(act, ""))
            getattr(self, "_" + act)(argument)
        except Refusal as refusal:
            self._note_refusal(act, refusal)
            raise

    def _note_refusal(self, act, refusal):
        if (act, refusal.code) not in self.refused:
            self.refused.add((act, refusal.code))
            self.log("refused", round=self.round, act=act, why=refusal.message, rule=refusal.rule)

    def _open(self, _):
        self.take_edition(self.set_up_as)
        self.log.begin()
        self.log("opened", round=self.round + 1, game=self.game, edition=self.edition)
        self.round += 1
        self.book.clear()
        self.betting, self.device = OPEN, IDLE
        self.revision, self.dice, self.turns, self.is_whole = 0, (), 0, True
        self.refused.clear()

    def _wager(self, asked):
        ref, code, stake, player = asked["ref"], asked["code"], asked["stake"], asked["player"]
        if self.book.is_known(ref, code, stake, player):
            return
        self.book.check(code, stake, player)
        if not self.log.has_room():
            raise Refusal("table_full", "the journal has no room for another wager of this round")
        self.log("wager", round=self.round, ref=ref, code=code, stake=stake, player=player)
        self.book.add(ref, code, stake, player)

    # -- how a round ends: on the journal first, then to be seen

    def result(self, dice):
        self.revision += 1
        fields = {"call": self.rules.call(dice), "rule": self.clauses["result"], "turns": self.turns}
        self.log("result", round=self.round, revision=self.revision, dice=dice, **fields)
        self.show_result(dice)
        self.settle()

    def show_result(self, dice):
        """Lights the areas that win, and no other. The journal has the result already."""
        self.betting, self.device, self.dice = CLOSED, RESULT, dice
        self.book.won = self.rules.winners(dice)
        self.light([self.rules.AREA_INDEX[area] for area in self.book.won])

    def settle(self):
        pays, returned = self.book.totals()
        money = {"staked": self.book.staked, "pays": pays, "returned": returned}
        self.log("settled", round=self.round, revision=self.revision, wagers=len(self.book.wagers), **money)
        self.log.end()

    def clear_result(self):
        """Takes a result back, to be entered anew: the next one supersedes it and is paid in its place."""
        if not self.log.can_find_round(self.round):
            raise Refusal("too_late", "that result is too long ago to be corrected")
        if not self.is_whole:
            raise Refusal("spoilt", "a wager of that round can no longer be read: settle it by hand")
        if not self.log.has_room():
            raise Refusal("journal_full", faults.words(faults.JOURNAL_FULL))
        self.log.hold()
        rule = self.clauses.get("correct", self.clauses["entry"])
        self.log("cleared", round=self.round, revision=self.revision, rule=rule)
        self.await_entry()

    def await_entry(self):
        """The dice lie where they lay; betting is over, and numbers are to be entered."""
        self.betting, self.device, self.dice = CALLED, AT_REST, ()
        self.book.won = None
        self.light(())

    def void(self, cause):
        """Neither wins nor loses: every stake goes back."""
        clause = self.void_clause(cause)
        if self.revision:  # in place of a result that was taken back: another word, paid in its place
            self.revision += 1
        back = {"wagers": len(self.book.wagers), "returned": self.book.staked, "revision": self.revision}
        self.log("voided", round=self.round, cause=cause, rule=clause, **back)
        self.log.end()
        self.book.voiding = clause
        self.betting, self.device, self.dice = CLOSED, NO_SPIN, ()
        self.stop_devices()

    # -- faults

    def fail(self, code, detail=""):
        """A fault: told, the round voided if it has no result yet, no new one until it is cleared."""
        if self.fault == code:
            return
        self.log("fault", code=code, detail=detail)
        self.halt()
        if self.betting != CLOSED and not self.revision:  # one whose result was taken back had a valid spin
            self.void("malfunction")
        self.stand_faulted(code, detail)

    def stand_faulted(self, code, detail=""):
        """The fault is on the journal; a lasting one is found there at the next start."""
        self.fault, self.detail = code, detail
        if self.betting == CLOSED and self.device != RESULT:
            self.device = FAULT

    def clear_fault(self, asked):
        why = self.fault_stands()
        if why:
            raise Refusal("fault", why)
        if self.fault:
            self.log("fault_cleared", code=self.fault, author=asked.get("by", ""))
        self.fault, self.detail = 0, ""
        if self.device == FAULT:
            self.device = IDLE

    # -- what a table may have otherwise

    def void_clause(self, cause):
        return self.rules.NO_SPIN[self.edition][cause]

    # -- out of play and back

    def set_aside(self, why):
        """No round opens until it is taken up; its devices are somebody else's meanwhile."""
        self.stop_devices()
        self.aside = why

    def take_up(self):
        self.stop_devices()
        self.aside = ""
        if self.device == RESULT:
            self.light([self.rules.AREA_INDEX[area] for area in self.book.won])

    # -- what a table with devices brings of its own

    def light(self, outputs):
        """Lights exactly these areas."""

    def halt(self):
        """Whatever moves stops; what is shown is shown."""

    def stop_devices(self):
        """The round is over for them; nothing is lit."""

    def fault_stands(self):
        """Why the fault cannot be cleared yet, or None."""
        return None

    # -- asked

    def is_idle(self):
        """No wager, no device under way: the time for erasing and collecting."""
        return self.betting == CLOSED

    def is_awaited(self):
        """The result is about to be entered: a collection now would be seen as a lamp that lags."""
        return self.betting == CALLED

    def status(self, _):
        return {
            "betting": self.betting,
            "device": self.device,
            "round": self.round,
            "revision": self.revision,
            "wagers": len(self.book.wagers),
            "staked": self.book.staked,
            "dice": self.dice,
            "fault": self.fault,
            "detail": self.detail,
            "test": self.log.journal.meters.flags & TEST,
        }
