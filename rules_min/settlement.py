"""One wager settled, one line settled. PURE.

`settle_line` answers one line of `pitkit settle`; the table on the board settles through
the same `settle_wager`. A bad wager is a returned rejection, never an exception.
"""

from . import limits as table_limits
from . import sic_bo
from .wagers import bad_stake, decided, echo, rejection, winnings

GAMES = {"sic_bo": sic_bo}


def pays(won, code, stake):
    """Cents that a stake on `code` wins; None where it loses. `won` is rules.winners(result)."""
    odds = won.get(code)
    return None if odds is None else winnings(stake, odds)


def settle_wager(rules, edition, won, code, accepted):
    """(outcome, pays, returned, odds, rule) of a stake on `code`; `won` is rules.winners(result)."""
    cents = pays(won, code, accepted)
    if cents is None:
        return "lose", 0, 0, None, rules.lose_rule(edition, code)
    return "win", cents, accepted + cents, won[code], rules.win_rule(edition, code)


def settle_line(line):
    """The answer to one line: its settlements in order, or the first thing wrong with it."""
    problem = _bad_head(line) or _bad_result(line) or _bad_limits(line)
    if problem:
        return problem
    rules, edition, result = GAMES[line["game"]], line["edition"], line["result"]
    answer = {"result": result}
    if result == "no_spin":
        won, voiding = None, rules.NO_SPIN[edition][line["cause"]]
        answer["cause"], answer["call"], answer["rule"] = line["cause"], "no spin", voiding
    else:
        won, voiding = rules.winners(result), None
        answer["call"] = rules.call(result)
    limits, warned, settlements = line.get("limits", {}), set(), []
    for index, wager in enumerate(line.get("wagers", ())):
        problem = _bad_wager(rules, wager, index)
        if problem:
            return problem
        settlements.append(_settle_one(rules, edition, won, voiding, limits, wager, warned))
    answer["settlements"] = settlements
    return answer


def _bad_head(line):
    if not isinstance(line, dict):
        return rejection("bad_json", "a line is one JSON object")
    game, edition = line.get("game"), line.get("edition")
    if not isinstance(game, str) or game not in GAMES:
        return rejection("bad_game", "no such game; known: " + ", ".join(sorted(GAMES)))
    editions = GAMES[game].EDITIONS
    if not isinstance(edition, str) or edition not in editions:
        return rejection(
            "bad_edition", "no such edition of %s; known: %s" % (game, ", ".join(sorted(editions)))
        )
    if "result" not in line:
        return rejection("bad_result", "the line has no result")
    if not isinstance(line.get("wagers", []), list):
        return rejection("bad_wager", "wagers is a list")
    return None


def _bad_result(line):
    rules, result = GAMES[line["game"]], line["result"]
    if result != "no_spin":
        problem = rules.bad_result(result)
        return rejection("bad_result", problem) if problem else None
    causes, cause = rules.NO_SPIN[line["edition"]], line.get("cause")
    if not isinstance(cause, str) or cause not in causes:
        return rejection("bad_result", "a no_spin needs a cause: " + ", ".join(sorted(causes)))
    return None


def _bad_limits(line):
    rules = GAMES[line["game"]]
    problem = table_limits.bad_limits(line.get("limits", {}), rules.KINDS, rules.AREA_INDEX)
    return rejection("bad_wager", problem) if problem else None


def _bad_wager(rules, wager, index):
    if not isinstance(wager, dict):
        return rejection("bad_wager", "a wager is an object with a code and a stake", index)
    code = wager.get("code")
    if not isinstance(code, str) or code not in rules.AREA_INDEX:
        return rejection("bad_wager", "no such wager in this game", index)
    problem = bad_stake(wager.get("stake"))
    if problem:
        return rejection("bad_stake", problem, index)
    player = wager.get("player")
    if player is not None and not isinstance(player, str):
        return rejection("bad_wager", "a player is a name", index)
    return None


def _settle_one(rules, edition, won, voiding, limits, wager, warned):
    code, stake = wager["code"], wager["stake"]
    answer = echo(wager)
    cut = None
    if voiding:
        outcome, cents, returned, odds, rule = "void", 0, stake, None, voiding
    else:
        accepted, cut = table_limits.taken(
            rules.GAME, edition, limits, code, stake, wager.get("player"), warned
        )
        if accepted:
            outcome, cents, returned, odds, rule = settle_wager(rules, edition, won, code, accepted)
        else:
            outcome, cents, returned, odds, rule = "void", 0, stake, None, cut
    decided(answer, outcome, cents, returned, odds, rule)
    if cut and outcome != "void":
        answer["accepted"], answer["excess"] = accepted, stake - accepted
        answer["returned"] += stake - accepted
    return answer
