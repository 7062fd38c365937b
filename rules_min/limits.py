"""Table limits, and what an edition does with a stake outside them. PURE.

A limit is (minimum, maximum) in cents, found by the wager's exact code, then its kind, then
"*". A wager outside them is refused when it is offered (`offered`); one that was taken all the
same is cut or voided when it is settled, as the edition says (`taken`). Limits themselves
change only with notice (`may_change`); what floors a maximum has is in floors.py.
"""

# (start of the edition's name, game): refused when offered, under the minimum, over the maximum,
# a player's own higher limit, increments. None: the text has no such rule. "*": every other game.
# No remedy for under and over (cgr): such a wager is refused at entry, and `taken` says None.
CLAUSES = {
    ("qld", "*"): ("qld s5(1)(b)", "qld s5(2)(a)", "qld s5(2)(b)", None, "qld s5(3)"),
    ("act", "sic_bo"): (
        "act sicbo 3.1",
        "act sicbo 3.4",
        "act sicbo 3.5",
        "act sicbo 3.2",
        "act sicbo 3.3",
    ),
    ("act", "roulette"): (
        "act roulette 3.1",
        "act roulette 3.4",
        "act roulette 3.5",
        "act roulette 3.2",
        "act roulette 3.3",
    ),
    ("act", "wheel"): ("act wheel 3.1", "act wheel 3.4", "act wheel 3.5", "act wheel 3.2", "act wheel 3.3"),
    ("act", "pai_gow_dice"): (
        "act pai gow 5.1",
        "act pai gow 5.6",
        "act pai gow 5.7",
        "act pai gow 5.2",
        "act pai gow 5.5",
    ),
    ("act", "keno"): ("act keno 3.1", None, None, None, "act keno 3.1"),
    ("cgr", "roulette"): ("cgr 6(1)(e)", None, None, None, None),
    ("cgr", "wheel"): ("cgr 7(3)", None, None, None, None),
    ("cgr", "craps"): ("cgr 2(6)(e)", None, None, None, None),
}
NO_LIMIT = (1, None)

# (start of the edition's name, game): minutes that a sign stands before the change, the clause.
# qld: before a higher minimum. act: before any change, no period named. cgr: the Board approves.
NOTICE = {
    ("qld", "sic_bo"): (20, "qld s74(3)"),
    ("qld", "craps"): (20, "qld s113(4)"),
    ("qld", "roulette"): (20, "qld s141(4)"),
    ("qld", "wheel"): (20, "qld s153(4)"),  # the wheel of 52 too: qld s158
    ("qld", "two_up"): (20, "qld s171(4)"),
    ("qld", "mini_dice"): (20, "qld s183(3)"),
    ("act", "sic_bo"): (0, "act sicbo 3.1"),
    ("act", "roulette"): (0, "act roulette 3.1"),
    ("act", "wheel"): (0, "act wheel 3.1"),
    ("act", "pai_gow_dice"): (0, "act pai gow 5.1"),
}
# Omitted by qld2004 sch 10 s10(3), qld2004 sch 9 s11(3) and qld2004 sch 12 s10(3).
NOTICE_REPEALED = ("sic_bo", "roulette", "wheel")

READINGS = {
    "qld2004 notice": "the subsections omitted (sch 10 s10(3), sch 9 s11(3), sch 12 s10(3)) are, by their "
    "place, the 20 minutes' notice for sic-bo, roulette and wheels: not applied",
    "cgr limits": "cgr names no remedy for a wager outside the limits: it is refused",
    "composite": "a maximum cuts a wager of several pieces to the most that divides among them",
}


def clauses(game, edition):
    """The row of CLAUSES that holds for this game."""
    found = CLAUSES.get((edition[:3], game))
    return found or CLAUSES.get((edition[:3], "*")) or (None, None, None, None, None)


def limit_for(limits, code):
    """(minimum, maximum) of this wager; maximum None where there is none."""
    for key in (code, code.split(":", 1)[0], "*"):
        if key in limits:
            return limits[key]
    return NO_LIMIT


def bad_limits(limits, kinds, areas):
    """Why `limits` is no table of limits, or None. `areas` are the exact codes, if any can be named."""
    if not isinstance(limits, dict):
        return "limits is a table of [minimum, maximum] by wager code"
    for key, pair in limits.items():
        if key != "*" and key not in kinds and key not in areas:
            return "limits.%s: no such wager" % str(key)[:40]  # some readers of JSON take {7: …}
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            return "limits.%s: give [minimum, maximum] in cents" % key
        low, high = pair
        if type(low) is not int or type(high) is not int or not 0 <= low <= high or not high:
            return "limits.%s: whole cents, the minimum not over the maximum" % key
    return None


def bad_increments(game, edition, increments, limits):
    """Why these steps ({key: cents}) cannot be required at this table, or None."""
    if not isinstance(increments, dict):
        return "increments is a table of cents by wager code"
    clause = clauses(game, edition)[4]
    for key, step in increments.items():
        if type(step) is not int or step < 1:
            return "increments.%s: whole cents, at least 1" % str(key)[:40]
        if clause is None:
            return "increments.%s: this edition has no increments" % str(key)[:40]
        low = limit_for(limits, key)[0]
        if step > low and clause == "qld s5(3)":
            return "increments.%s: not over the table's minimum of %d cents (%s)" % (key, low, clause)
    return None


def bad_markers(game, edition, markers, kinds, areas):
    """Why `markers` ({player: {key: cents}}, the players' own higher maxima) cannot be, or None."""
    if not clauses(game, edition)[3]:
        return "markers: this edition has no higher limit for one player"
    if not isinstance(markers, dict):
        return "markers is a table of cents by wager code for each player"
    for player, own in markers.items():
        if not isinstance(own, dict):
            return "markers.%s: a table of cents by wager code" % str(player)[:40]
        for key, most in own.items():
            if key != "*" and key not in kinds and key not in areas:
                return "markers.%s: no such wager" % str(player)[:40]
            if type(most) is not int or most < 1:
                return "markers.%s: whole cents, at least 1" % str(player)[:40]
    return None


def marker_for(own, code):
    """The higher maximum that a player's marker gives this wager, or None (act x.3.2)."""
    for key in (code, code.split(":", 1)[0], "*"):
        if key in own:
            return own[key]
    return None


def offered(game, edition, limits, code, stake, marker=None, increment=1):
    """The clause by which a wager offered now is refused, or None.

    `marker` is the player's own higher maximum in cents (act x.3.2), None where no marker stands.
    """
    row = clauses(game, edition)
    low, high = limit_for(limits, code)
    if stake % increment:
        return row[4]
    if stake < low or (high is not None and stake > _highest(row, high, marker)):
        return row[0]
    return None


def taken(game, edition, limits, code, stake, player, warned, marker=None):
    """What counts of a wager that was taken: (accepted cents, the clause that cut it or None).

    `warned` is the set of players who already had their one wager under the minimum
    (qld s5(2)(a), act 3.4); the caller keeps it for as long as "once" lasts. Where the edition
    has no remedy accepted is None: the wager is refused by that clause.
    """
    row = clauses(game, edition)
    refused, under, over = row[:3]
    low, high = limit_for(limits, code)
    if high is not None and stake > _highest(row, high, marker):
        return (_highest(row, high, marker), over) if over else (None, refused)
    if stake >= low:
        return stake, None
    if under is None:
        return None, refused
    if player in warned:
        return 0, under
    warned.add(player)
    return stake, None


def _highest(row, high, marker):
    return marker if marker is not None and row[3] and marker > high else high


# -- changing the limits


def notice(game, edition):
    """(minutes, clause) of the notice before limits change, or None where none is due."""
    if edition == "qld2004" and game in NOTICE_REPEALED:
        return None
    return NOTICE.get((edition[:3], game))


def raised(old, new, codes):
    """The first of these codes or kinds whose minimum is higher under the new limits, or None."""
    for code in codes:
        if limit_for(new, code)[0] > limit_for(old, code)[0]:
            return code
    return None


def may_change(game, edition, old, new, codes, noticed_ms, now_ms):
    """(from when the new limits may hold, the clause that says so).

    `codes` are the table's areas or kinds, with every key of both limits among them;
    `noticed_ms` is when the sign with the new limits went up, None where none did. The time is
    `now_ms` where no notice is due (clause None), None where notice must first be given.
    """
    due = notice(game, edition)
    if due is None:
        return now_ms, None
    minutes, clause = due
    needs = raised(old, new, codes) if minutes else _differs(old, new, codes)
    if needs is None:
        return now_ms, None
    return (None if noticed_ms is None else noticed_ms + minutes * 60000), clause


def _differs(old, new, codes):
    for code in codes:
        if tuple(limit_for(new, code)) != tuple(limit_for(old, code)):
            return code
    return None
