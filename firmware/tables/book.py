"""The wagers of one round, and what becomes of them. Draws nothing, shows nothing.

Each has a `ref` of the host's choosing: the same wager sent again (after a cut, say) is the
same wager. Settling is a pure function of wagers and result, so it can be done again after a
power cut, to the same cent.
"""

from rules_min import limits as table_limits
from rules_min import spin
from rules_min.wagers import bad_stake

from ..protocol.session import Refusal

PLAYER_BYTES = 40
MOST_WAGERS = 250  # what a Pico's memory holds with room to spare


class Book:
    def __init__(self, rules, edition, limits):
        self.rules = rules
        self.edition = edition
        self.limits = limits
        self.clear()

    def clear(self):
        self.wagers = {}  # ref: (code, stake, player)
        self.staked = 0
        self.won = None  # {area: odds} once there is a result
        self.voiding = None  # the clause, once the round is void

    def is_known(self, ref, code, stake, player):
        """Whether this very wager is in the book; another one under its ref is refused."""
        known = self.wagers.get(ref)
        if known is not None and known != (code, stake, player):
            raise Refusal("ref_taken", "wager %d of this round is another one" % ref)
        return known is not None

    def check(self, code, stake, player):
        """Refuses what the game, the limits or the room in memory do not allow."""
        if code not in self.rules.AREA_INDEX:
            raise Refusal("bad_wager", "no such wager in this game: %s" % code)
        if len(player.encode()) > PLAYER_BYTES:
            raise Refusal("bad_wager", "a player's name is at most %d bytes long" % PLAYER_BYTES)
        why = bad_stake(stake)
        if why:
            raise Refusal("bad_stake", why)
        clause = table_limits.offered(self.rules.GAME, self.edition, self.limits, code, stake)
        if clause:
            low, high = table_limits.limit_for(self.limits, code)
            raise Refusal("outside_limits", "%s takes %d to %d cents" % (code, low, high), clause)
        if len(self.wagers) >= MOST_WAGERS:
            raise Refusal("table_full", "a round takes at most %d wagers" % MOST_WAGERS)

    def add(self, ref, code, stake, player):
        self.wagers[ref] = (code, stake, player)
        self.staked += stake

    def payout(self, ref):
        """The wager as settled: a dict of the payout message's fields."""
        if ref not in self.wagers:
            raise Refusal("no_wager", "there is no wager %d in this round" % ref)
        code, stake, _ = self.wagers[ref]
        outcome, pays, returned, odds, rule = self._decide(code, stake)
        return {
            "code": code,
            "stake": stake,
            "outcome": outcome,
            "pays": pays,
            "returned": returned,
            "odds": odds or (),
            "rule": rule,
        }

    def _decide(self, code, stake):
        if self.voiding:
            return "void", 0, stake, None, self.voiding
        if self.won is None:
            return "stays", 0, 0, None, ""
        return spin.settle_wager(self.rules, self.edition, self.won, code, stake)

    def totals(self):
        """(what is won, all that goes back) over every wager."""
        if self.voiding or self.won is None:
            return 0, self.staked if self.voiding else 0
        pays = returned = 0
        for code, stake, _ in self.wagers.values():
            won = spin.pays(self.won, code, stake)
            if won is not None:
                pays += won
                returned += stake + won
        return pays, returned
