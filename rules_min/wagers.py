"""What every game's settlement shares: stakes, rejections, the shape of an answer. PURE.

A bad wager is a returned rejection, never an exception. Money is whole cents.
"""

ONLY_OURS = ("accepted", "excess")  # said of a cut wager and of no other, whatever a line brings along
MAX_STAKE_CENTS = 10**12  # ten thousand million dollars: beyond it, a stake is a typing error


def rejection(code, message, wager=None):
    error = {"code": code, "message": message}
    if wager is not None:
        error["wager"] = wager
    return {"error": error}


def bad_stake(stake):
    """Why `stake` is no stake, or None."""
    if type(stake) is not int:
        return "a stake is whole cents"
    if not 1 <= stake <= MAX_STAKE_CENTS:
        return "a stake is at least 1 cent and at most %d" % MAX_STAKE_CENTS
    return None


def is_player(player):
    """A name, a number or nobody: whatever tells one player from another and comes back as it was."""
    return not isinstance(player, (list, dict))


def winnings(stake, odds):
    """Cents won at these odds, or None where they do not come out whole."""
    cents, over = divmod(stake * odds[0], odds[1])
    return None if over else cents


def echo(wager, ours=ONLY_OURS):
    """The wager's own fields, as they came, but for those that are `ours` to say."""
    answer = dict(wager)
    for field in ours:
        answer.pop(field, None)
    return answer


def decided(answer, outcome, pays, returned, odds, rule):
    """Writes how the wager came out into its answer. `returned` is all that goes back now."""
    answer["outcome"], answer["pays"], answer["returned"] = outcome, pays, returned
    answer["odds"] = None if odds is None else list(odds)
    answer["rule"] = rule
    return answer
