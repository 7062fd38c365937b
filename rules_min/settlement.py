"""One line of wagers settled: finds the game, and lets it or the one-shot rules answer. PURE.

`settle_line` answers one line of `pitkit settle`; a table on the board settles wager by wager
through spin.py, as this does. A bad wager is a returned rejection, never an exception.
"""

from . import one_shot
from .games import GAMES as GAMES
from .wagers import rejection


def settle_line(line, memory=None):
    """The answer to one line: its settlements in order, or the first thing wrong with it.

    `memory` is a dict in which a host keeps what it worked out for results seen before; a board
    has no room for one.
    """
    problem = _bad_head(line)
    if problem:
        return problem
    rules = GAMES[line["game"]]
    edition = line["edition"]
    if edition not in rules.EDITIONS:
        known = ", ".join(sorted(rules.EDITIONS))
        return rejection("bad_edition", "no such edition of %s; known: %s" % (line["game"], known))
    if "result" not in line:
        return rejection("bad_result", "the line has no result")
    if not isinstance(line.get("wagers", []), list):
        return rejection("bad_wager", "wagers is a list")
    own = getattr(rules, "settle_line", None)
    return own(line, memory) if own else one_shot.settle(rules, line, memory)


def _bad_head(line):
    if not isinstance(line, dict):
        return rejection("bad_json", "a line is one JSON object")
    game = line.get("game")
    if not isinstance(game, str) or game not in GAMES:
        return rejection("bad_game", "no such game; known: " + ", ".join(GAMES))
    if not isinstance(line.get("edition"), str):
        return rejection("bad_edition", "an edition is a name, as qld1985")
    return None
