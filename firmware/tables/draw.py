"""The game of a draw table (keno, tri-chro by generator): idle, committed, closed, drawn.

    open   a seed is made and its commitment is on record: from here on tickets may be sold
    close  the digest of the tickets and the host's nonce come in: no ticket any more
    draw   the numbers come from seed, game number, digest and nonce, and from nothing else

The seed is in memory only: a game that the power cut short has a commitment that is never opened, and
is void. What is drawn is asked of firmware/rng; driven by the host's commands.
"""

from rules_min import draws

from .. import faults
from ..protocol import messages
from ..protocol.session import Refusal
from ..rng import verifiable
from . import record
from .table import CALLED, CLOSED, IDLE, NO_SPIN, OPEN, RESULT, Table

COMMITTED, DRAWN = record.NUMBER["committed"], record.NUMBER["drawn"]
BETWEEN = ((CLOSED, IDLE), (CLOSED, RESULT), (CLOSED, NO_SPIN))
TRANSITIONS = {
    "open": BETWEEN,
    "close": ((OPEN, IDLE),),
    "draw": ((CALLED, IDLE),),
    "no_spin": ((OPEN, IDLE), (CALLED, IDLE)),
}
# command: the act
ACTS = {"game_open": "open", "game_close": "close", "game_draw": "draw", "no_spin": "no_spin"}


class Draw(Table):
    REFUSED = {
        "open": "a game is under way",
        "close": "only a game that is open can be closed, once",
        "draw": "numbers are drawn once, after the close",
        "no_spin": "there is no game to declare void",
    }

    def __init__(self, game, edition, variant, generator, boot, log, now_us):
        super().__init__(game, draws, edition, {}, log, now_us)
        self.count, self.of = draws.size(game, variant)
        self.generator = generator
        self.boot = boot
        self.transitions = TRANSITIONS
        self.seed = self.pool = self.nonce = b""
        self.commitment, self.last = b"", verifiable.FIRST
        self.drawn = {}  # the fields of the newest draw's record
        self._recover()
        try:
            generator.start(boot)
        except faults.Fault as fault:
            self.fail(fault.code, fault.detail)

    def clauses_of(self, edition):
        return draws.clauses(self.game, edition)

    # -- the acts

    def handlers(self):
        found = {command: self._handler(act) for command, act in ACTS.items()}
        found["clear_fault"] = self.clear_fault
        return found

    def _handler(self, act):
        def handle(asked):
            self.act(act, asked)
            told = {"round": self.round, "commitment": self.commitment, "last": self.last}
            return self.drawn if act == "draw" else told

        return handle

    def _open(self, asked):
        game = self.round + 1
        self._guard(game <= self.drawn.get("round", 0), faults.COUNTER_BACK, "game %d" % game)
        seed = self._noise(lambda: self.generator.seed(game))
        self._guard(seed == self.drawn.get("seed"), faults.DRAW_REPEATED, "seed of game %d" % game)
        commitment = verifiable.commitment(self.generator.unique_id, game, seed)
        self._guard(commitment == self.commitment, faults.DRAW_REPEATED, "commitment of game %d" % game)
        super()._open(asked)
        self.log("committed", round=game, commitment=commitment, last=self.last)
        self.seed, self.commitment = seed, commitment

    def _noise(self, ask):
        """What the generator gives; where it does not, the table closes."""
        try:
            return ask()
        except faults.Fault as fault:
            self.fail(fault.code, fault.detail)
            raise

    def _guard(self, wrong, code, detail):
        if wrong:
            self.fail(code, detail)
            raise faults.Fault(code, detail)

    def _close(self, asked):
        pool, nonce = asked["pool"], asked["nonce"]
        if not self.seed:  # its record failed as it was opened
            raise Refusal("no_commitment", "the game has no commitment on record: declare it void")
        if len(pool) != verifiable.DIGEST_BYTES or len(nonce) != verifiable.NONCE_BYTES:
            raise Refusal("bad_close", "the tickets' digest and the nonce are 32 bytes each")
        self.log("closed", round=self.round, pool=pool, nonce=nonce, rule=self.clauses["no_more_bets"])
        self.betting, self.pool, self.nonce = CALLED, pool, nonce

    def _draw(self, _):
        numbers = verifiable.numbers(self.seed, self.round, self.pool, self.nonce, self.count, self.of)
        again = numbers == list(self.drawn.get("numbers", ()))
        repeated = again and verifiable.is_guarded(self.count, self.of)
        self._guard(repeated, faults.DRAW_REPEATED, "numbers of game %d" % self.round)
        said = (self.of, self.seed, self.pool, self.nonce, numbers, self.last)
        digest = verifiable.digest(self.generator.unique_id, self.round, *said)
        names = ("of", "seed", "pool", "nonce", "numbers", "last")
        fields = dict(zip(names, said), round=self.round, digest=digest)
        self.log("drawn", **fields)
        self._take_draw(fields)
        self.log.end()

    def _take_draw(self, fields):
        self.drawn, self.last = fields, fields["digest"]
        self.dice = tuple(fields["numbers"])
        self.betting, self.device = CLOSED, RESULT
        self.seed = b""

    def _no_spin(self, asked):
        causes = draws.voids(self.game, self.edition)
        cause = asked["cause"] or "malfunction"
        if cause not in causes:
            raise Refusal("bad_cause", "a void draw has one of these causes: " + ", ".join(sorted(causes)))
        self.void(cause)

    # -- after the power came back

    def _recover(self):
        """The newest game: drawn, or void."""
        journal = self.log.journal
        self._find_last()
        found = dict(record.newest_round(journal))
        for event in ("opened", "adopted"):
            if event in found:
                self.round = journal.round = max(journal.round, found[event]["round"])
        self._end_newest(found)
        self.log.end()
        if journal.meters.standing:
            self.stand_faulted(journal.meters.standing)

    def _end_newest(self, found):
        """By its events; another game's is over, and none of ours is shown."""
        if "opened" not in found or found["opened"]["game"] != self.game:
            self.device, self.dice = IDLE, ()
        elif "drawn" not in found:
            self.device, self.dice = NO_SPIN, ()
            if "voided" not in found:
                self.void("power_lost")

    def _find_last(self):
        """The newest draw, whatever came since; where it is gone, what the newest commitment says of it."""
        for _, _, type_, payload in self.log.journal.backwards((COMMITTED, DRAWN)):
            fields = messages.unpack(messages.EVENTS[type_][1], payload, older=True)
            if type_ == DRAWN:
                self._take_draw(fields)
                return
            if not self.commitment:
                self.commitment, self.last = fields["commitment"], fields["last"]

    # -- what table.py asks of it

    def void_clause(self, cause):
        return draws.voids(self.game, self.edition)[cause]

    def stop_devices(self):
        self.seed = b""

    def fault_stands(self):
        """Sources are started anew, with all their tests; a counter gone back is the supervisor's word."""
        try:
            self.generator.start(self.boot, self.fault == faults.COUNTER_BACK)
        except faults.Fault as fault:
            return faults.words(fault.code, fault.detail)
        return None

    def poll(self):
        pass

    def deadline_us(self):
        return None
