"""Wagers over a list of results: two-up, triple penny two-up, craps. PURE.

A wager lies on a spot. Each result leaves it there, moves it to another spot or decides it: that
is the game's `decide`, which the table calls result by result and `follow` folds over a list.
Wagers on one spot fare alike, so a list costs its results times the spots in use, plus its wagers.
"""

from . import limits as table_limits
from .wagers import MAX_STAKE_CENTS, bad_stake, is_player, rejection


def follow(items, starts, changes, decide, count, known):
    """How each of `count` wagers ends: its decision, or the spot that it still lies on.

    `starts` is {index of an item: [(spot, wager), …]}, placed before that item; `changes` is
    {index: [(change, wager), …]}, `change` a function like `decide` of what is done by hand.
    `known` is {spot: {item: step}}, what `decide` said before, filled as it goes.
    """
    ends = [None] * count
    here, waiting = {}, len(starts)
    for index, item in enumerate(items):
        if index in starts:
            waiting -= 1
            for spot, wager in starts[index]:
                _put(here, known, spot, wager)
        elif not (here or waiting):
            break
        if changes and index in changes:
            _change(here, known, ends, changes[index], item)
        gone = None
        for spot in here:
            try:
                step = known[spot][item]
            except KeyError:
                step = known[spot][item] = decide(spot, item)
            if step is not None:
                gone = [] if gone is None else gone
                gone.append((spot, step))
        if gone is not None:
            _leave(here, known, ends, gone)
    for spot in here:
        for wager in here[spot]:
            ends[wager] = spot
    return ends


def _put(here, known, spot, wager):
    if spot in here:
        here[spot].add(wager)
        return
    here[spot] = {wager}
    if spot not in known:
        known[spot] = {}


def _leave(here, known, ends, gone):
    """Clears every spot before anything moves: what comes to a spot is not of those that leave it."""
    moved = []
    for spot, step in gone:
        wagers = here.pop(spot)
        if type(step) is str:
            moved.append((step, wagers))
        else:
            for wager in wagers:
                ends[wager] = step
    for spot, wagers in moved:
        if spot in here:
            here[spot].update(wagers)
        else:
            here[spot] = wagers
            if spot not in known:
                known[spot] = {}


def _change(here, known, ends, changes, item):
    """What is done to a wager by hand before an item; one that is decided is out of reach."""
    for change, wager in changes:
        for spot in here:
            if wager in here[spot]:
                step = change(spot, item)
                here[spot].remove(wager)
                if type(step) is str:
                    _put(here, known, step, wager)
                else:
                    ends[wager] = step
                if spot in here and not here[spot]:
                    del here[spot]
                break


# -- what every wager over a list is checked for, and how its answer is closed


def bad_shape(wager, index):
    """The rejection of what is no wager of any game; whether this one has its code is asked next."""
    if not isinstance(wager, dict):
        return rejection("bad_wager", "a wager is an object with a code and a stake", index)
    if type(wager.get("code")) is not str:
        return rejection("bad_wager", "no such wager in this game", index)
    return None


def bad_terms(wager, index, length):
    """The rejection of a stake, a player or a time that is none, whatever the game."""
    stake = wager.get("stake")
    if type(stake) is not int or not 0 < stake <= MAX_STAKE_CENTS:
        return rejection("bad_stake", bad_stake(stake), index)
    if "player" in wager and not is_player(wager["player"]):
        return rejection("bad_wager", "a player is a name or a number", index)
    if "at" in wager:
        at = wager["at"]
        if type(at) is not int or not 0 <= at < length:
            return rejection("bad_wager", "at is the index of a result that follows the wager", index)
    return None


def bad_limits(line, kinds, codes):
    """The rejection of the line's limits, or None; `codes` gives every exact code of the game."""
    if "limits" not in line:
        return None
    problem = table_limits.bad_limits(line["limits"], kinds, codes())
    return rejection("bad_wager", problem) if problem else None


def first_under(line, wagers, fixed=()):
    """{player: index} of each one's first wager under the minimum, by the time it was placed.

    That one is valid (qld s5(2)(a)), whatever its place in the list; `fixed` codes have no limits.
    """
    first = {}
    for index, wager in enumerate(wagers):
        if not isinstance(wager, dict) or bad_shape(wager, index) or bad_terms(wager, index, 1 << 62):
            continue
        player, at = wager.get("player"), wager.get("at", 0)
        under = (
            wager["code"] not in fixed
            and wager["stake"] < table_limits.limit_for(line["limits"], wager["code"])[0]
        )
        if under and (player not in first or at < first[player][0]):
            first[player] = at, index
    return {player: index for player, (_, index) in first.items()}


def taken(line, wager, index, first, pieces=1):
    """((accepted cents, the clause that cut it or None), the rejection where the edition refuses it).

    `first` is first_under(line, wagers).
    """
    player = wager.get("player")
    warned = set() if first.get(player) == index else {player}
    accepted, cut = table_limits.taken(
        line["game"],
        line["edition"],
        line["limits"],
        wager["code"],
        wager["stake"],
        player,
        warned,
    )
    if accepted is None:
        return None, rejection("bad_stake", "outside the table's limits (%s)" % cut, index)
    return (accepted - accepted % pieces, cut), None


def close(answer, accepted, cut, outcome, pays, back, odds, rule):
    """Writes how the wager came out into its answer; `back` is what the accepted part gives back."""
    answer["outcome"], answer["pays"], answer["returned"] = outcome, pays, back
    answer["odds"] = None if odds is None else list(odds)
    answer["rule"] = rule
    if cut:
        excess = answer["stake"] - accepted
        answer["returned"] += excess
        if accepted:
            answer["accepted"], answer["excess"] = accepted, excess
    return answer
