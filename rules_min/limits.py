"""Table limits and what an edition does with a stake outside them. PURE.

A limit is (minimum, maximum) in cents, found by the wager's exact code, then its kind, then
"*". A wager outside them is refused when it is offered; one that was taken all the same is
cut or voided when it is settled, as the edition says.
"""

# The start of an edition's name: (refused when offered, under the minimum, over the maximum).
CLAUSES = {
    "qld": ("qld s5(1)(b)", "qld s5(2)(a)", "qld s5(2)(b)"),
    "act": ("act sicbo 3.1", "act sicbo 3.4", "act sicbo 3.5"),
}
NO_LIMIT = (1, None)


def limit_for(limits, code):
    """(minimum, maximum) of this wager; maximum None where there is none."""
    for key in (code, code.split(":", 1)[0], "*"):
        if key in limits:
            return limits[key]
    return NO_LIMIT


def bad_limits(limits, kinds, areas):
    """Why `limits` is no table of limits, or None."""
    if not isinstance(limits, dict):
        return "limits is a table of [minimum, maximum] by wager code"
    for key, pair in limits.items():
        if key != "*" and key not in kinds and key not in areas:
            return "limits.%s: no such wager" % str(key)[:40]  # some readers of JSON take {7: …}
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            return "limits.%s: give [minimum, maximum] in cents" % key
        low, high = pair
        if type(low) is not int or type(high) is not int or not 1 <= low <= high:
            return "limits.%s: whole cents, the minimum at least 1 and not over the maximum" % key
    return None


def offered(edition, limits, code, stake):
    """The clause by which a wager offered now is refused, or None."""
    low, high = limit_for(limits, code)
    if stake < low or (high is not None and stake > high):
        return CLAUSES[edition[:3]][0]
    return None


def taken(edition, limits, code, stake, player, warned):
    """What counts of a wager that was taken: (accepted cents, the clause that cut it or None).

    `warned` is the set of players who already had their one wager under the minimum
    (qld s5(2)(a), act 3.4); the caller keeps it for as long as "once" lasts.
    """
    _, under, over = CLAUSES[edition[:3]]
    low, high = limit_for(limits, code)
    if high is not None and stake > high:
        return high, over
    if stake >= low:
        return stake, None
    if player in warned:
        return 0, under
    warned.add(player)
    return stake, None
