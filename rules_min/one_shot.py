"""Games that one spin decides: sic-bo, mini-dice, roulette, wheels, tri-chro. PURE.

The rules module brings the facts: winners(result, edition, variant) -> {code: odds},
known(code, edition, variant), win_rule and lose_rule(edition, code, result, variant), bad_result, call,
NO_SPIN, kinds; and, where it has them, VARIANT (the line's field that names one), pieces(code),
on_peg. Here is what they share: the order of checks, limits, moved chips, the answer's shape.
"""

from . import limits as table_limits
from .chips import bad_chip, position
from .spin import Areas, Round
from .wagers import MAX_STAKE_CENTS, bad_stake, decided, echo, is_player, rejection

OURS = ("accepted", "excess", "pieces")
NOT_EXACT = "the winnings do not come out in whole cents"

# -- one line


def settle(rules, line, memory=None):
    """The answer to a line whose game and edition are good and whose wagers are a list."""
    variant, problem = _variant(rules, line)
    if problem:
        return problem
    result, voiding, problem = _spin(rules, variant, line)
    problem = problem or _bad_limits(rules, variant, line)
    if problem:
        return problem
    round_ = _round(rules, line["edition"], variant, result, voiding, memory)
    settlements = []
    problem = _settle_all(round_, line, settlements)
    if problem:
        return problem
    answer = {"result": line["result"]}
    if line["result"] == "no_spin":
        answer["cause"] = line["cause"]
    answer["call"] = "no spin" if voiding else rules.call(result)
    if voiding:
        answer["rule"] = voiding
    answer["settlements"] = settlements
    return answer


def _variant(rules, line):
    """(the variant's name or None, a rejection or None)."""
    field = getattr(rules, "VARIANT", None)
    if field is None:
        return None, None
    name = line.get(field)
    if type(name) is int and 0 < name < 100:
        name = str(name)
    if isinstance(name, str) and name in rules.EDITIONS[line["edition"]]:
        return name, None
    known = ", ".join(sorted(rules.EDITIONS[line["edition"]]))
    return None, rejection("bad_game", "%s names one of: %s" % (field, known))


def _spin(rules, variant, line):
    """(the result that decides, the clause that voids, a rejection): one of the three."""
    edition, result = line["edition"], line["result"]
    if result == "no_spin":
        causes, cause = rules.NO_SPIN[edition], line.get("cause")
        if isinstance(cause, str) and cause in causes:
            return None, causes[cause], None
        known = ", ".join(sorted(causes))
        return None, None, rejection("bad_result", "a no_spin needs a cause: " + known)
    if result == "peg" and hasattr(rules, "on_peg"):
        return rules.on_peg(edition, variant, line.get("last"))
    problem = rules.bad_result(result, edition, variant)
    return result, None, rejection("bad_result", problem) if problem else None


def _bad_limits(rules, variant, line):
    edition = line["edition"]
    areas = Areas(rules, edition, variant)
    kinds = rules.kinds(edition, variant)
    problem = table_limits.bad_limits(line.get("limits", {}), kinds, areas)
    if not problem and "markers" in line:
        problem = table_limits.bad_markers(rules.GAME, edition, line["markers"], kinds, areas)
    return rejection("bad_wager", problem) if problem else None


def _round(rules, edition, variant, result, voiding, memory):
    if voiding or memory is None:
        return Round(rules, edition, variant, result, voiding)
    key = (rules.GAME, edition, variant, tuple(result) if isinstance(result, list) else result)
    found = memory.get(key)
    if found is None:
        found = memory[key] = Round(rules, edition, variant, result, voiding)
        found.quick = {}
    return found


# -- its wagers


def _settle_all(round_, line, settlements):
    """Settles every wager of the line, or answers the first rejection.

    Plain wagers (a code met before, a stake, perhaps a player) go the quick way; whatever is
    not quite plain goes the long way, which also says what is wrong with it.
    """
    warned, append = set(), settlements.append
    quick = {} if line.get("limits") or round_.quick is None else round_.quick
    for index, wager in enumerate(line.get("wagers", ())):
        try:
            to, answer = quick[wager["code"]]
            stake, fields = wager["stake"], len(wager)
            plain = type(stake) is int and 0 < stake <= MAX_STAKE_CENTS
            if fields != 2:
                plain = plain and fields == 3 and type(wager["player"]) is str
        except (KeyError, TypeError):
            plain = False
        if plain:
            answer = answer.copy()
            answer["stake"] = stake
            if fields == 3:
                answer["player"] = wager["player"]
            if to:
                answer["pays"] = cents = stake * to
                answer["returned"] = stake + cents
                answer["odds"] = [to, 1]
        else:
            answer = _settle_one(round_, line, wager, index, warned)
            if "outcome" not in answer:
                return answer
        append(answer)
    return None


def _settle_one(round_, line, wager, index, warned):
    """The wager settled, or a rejection."""
    problem = _bad_wager(round_, wager, index)
    if problem:
        return problem
    code, stake, answer = wager["code"], wager["stake"], echo(wager, OURS)
    if "moved_chip" in wager:
        game = round_.rules.GAME
        code, rule = position(game, round_.edition, code, wager["moved_chip"])
        answer["position"], answer["position_rule"] = code, rule
    pieces = round_.pieces(code) if round_.pieces else None
    if pieces and stake % len(pieces):
        return rejection("bad_stake", "a stake on %s divides by %d" % (code, len(pieces)), index)
    if round_.voiding:
        return _void(answer, stake, pieces, round_.voiding)
    if round_.quick is not None:
        round_.learn(code)
    return _settle_within(round_, line, wager, index, (code, stake, pieces, answer), warned)


def _settle_within(round_, line, wager, index, asked, warned):
    """Cut to the limits, then settled whole or piece by piece."""
    code, stake, pieces, answer = asked
    accepted, cut = _accepted(round_, line, wager, code, warned)
    if accepted is None:
        return rejection("bad_stake", "outside the limits (%s)" % cut, index)
    if pieces:
        accepted -= accepted % len(pieces)
    if not accepted:
        return _void(answer, stake, pieces, cut)
    if pieces:
        outcome = _settle_pieces(round_, code, pieces, accepted // len(pieces), answer)
    else:
        outcome = round_.settle(code, accepted)
    if outcome[1] is None:
        return rejection("bad_stake", NOT_EXACT, index)
    decided(answer, *outcome)
    if cut:
        answer["accepted"], answer["excess"] = accepted, stake - accepted
        answer["returned"] += stake - accepted
    return answer


def _void(answer, stake, pieces, rule):
    """All of it goes back, piece by piece where it has pieces."""
    if pieces:
        each = stake // len(pieces)
        answer["pieces"] = [
            decided({"code": piece, "stake": each}, "void", 0, each, None, rule) for piece in pieces
        ]
    return decided(answer, "void", 0, stake, None, rule)


def _accepted(round_, line, wager, code, warned):
    limits, player = line.get("limits", {}), wager.get("player")
    marker = None
    if "markers" in line:
        marker = table_limits.marker_for(line["markers"].get(player, {}), code)
    return table_limits.taken(
        round_.rules.GAME, round_.edition, limits, code, wager["stake"], player, warned, marker
    )


def _settle_pieces(round_, code, pieces, each, answer):
    """Several wagers as one: any that wins makes it win; each piece is listed with what it came to."""
    cents, back, listed = 0, 0, []
    for piece in pieces:
        outcome = round_.settle(piece, each)
        listed.append(decided({"code": piece, "stake": each}, *outcome))
        cents, back = cents + outcome[1], back + outcome[2]
    answer["pieces"] = listed
    rule = round_.rules.lose_rule(round_.edition, code, round_.result, round_.variant)
    return "win" if back else "lose", cents, back, None, rule


def _bad_wager(round_, wager, index):
    if not isinstance(wager, dict):
        return rejection("bad_wager", "a wager is an object with a code and a stake", index)
    if wager.get("code") not in round_.areas:  # qld s5(1)(a): only what the game permits
        return rejection("bad_wager", "no such wager in this game", index)
    problem = bad_stake(wager.get("stake"))
    if problem:
        return rejection("bad_stake", problem, index)
    if not is_player(wager.get("player")):
        return rejection("bad_wager", "a player is a name or a number", index)
    return _bad_chip(round_, wager, index) if "moved_chip" in wager else None


def _bad_chip(round_, wager, index):
    problem = bad_chip(wager["moved_chip"])
    if not problem and wager["moved_chip"]["belongs"] not in round_.areas:
        problem = "moved_chip belongs to no such wager"
    return rejection("bad_wager", problem, index) if problem else None
