"""A decided spin, and what a stake on it comes to. PURE. The board and `pitkit settle` both ask here."""

from .wagers import decided, winnings


def pays(won, code, stake):
    """Cents that a stake on `code` wins; None where it loses. `won` is rules.winners(…)."""
    odds = won.get(code)
    return None if odds is None else winnings(stake, odds)


def settle_wager(rules, edition, won, code, accepted, result=None, variant=None):
    """(outcome, pays, returned, odds, rule) of a stake on `code`; `won` is rules.winners(…).

    Winnings that do not come out whole are None, and so is what goes back.
    """
    odds = won.get(code)
    if odds is None:
        return "lose", 0, 0, None, rules.lose_rule(edition, code, result, variant)
    cents = winnings(accepted, odds)
    back = None if cents is None else accepted + cents
    return "win", cents, back, odds, rules.win_rule(edition, code, result, variant)


class Areas:
    """The codes of a game as a thing to look in: `code in areas`."""

    def __init__(self, rules, edition, variant):
        self.rules, self.edition, self.variant = rules, edition, variant

    def __contains__(self, code):
        return isinstance(code, str) and self.rules.known(code, self.edition, self.variant)


class Round:
    """A decided spin: what wagers are settled against. A host keeps it for the next such spin."""

    def __init__(self, rules, edition, variant, result, voiding):
        self.rules, self.edition, self.result, self.voiding = rules, edition, result, voiding
        self.areas = Areas(rules, edition, variant)
        self.variant = variant
        self.won = {} if voiding else rules.winners(result, edition, variant)
        self.pieces = getattr(rules, "pieces", None)
        self.quick = None  # code: (odds to one, a plain wager's answer), where it is kept

    def learn(self, code):
        """Keeps how a plain wager on this code comes out: one wager, whole cents whatever the stake."""
        odds = self.won.get(code, (0, 1))
        if odds[1] == 1 and not (self.pieces and self.pieces(code)):
            self.quick[code] = odds[0], decided({"code": code, "stake": 0}, *self.settle(code, 0))

    def settle(self, code, accepted):
        """(outcome, pays, returned, odds, rule) of a stake on `code`."""
        return settle_wager(self.rules, self.edition, self.won, code, accepted, self.result, self.variant)
