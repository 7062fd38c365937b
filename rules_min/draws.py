"""The drawn games: how many numbers of how many, and the clause by which a draw is no draw. PURE."""

from .games import GAMES

# game: variant: (numbers drawn, of how many); a table without a variant has the first.
SIZES = {
    "keno": {"80": (20, 80)},  # qld s222(4), act keno 7.1
    "tri_chro": {"54": (2, 54), "63": (2, 63)},  # qld s461(1), s462(1)
}


def size(game, variant=""):
    """(numbers drawn, of how many)."""
    sizes = SIZES[game]
    return sizes[variant or sorted(sizes)[0]]


def clauses(game, edition):
    """The acts of a draw and the clause that orders each."""
    return _rules(game).PROCEDURE[edition]


def voids(game, edition):
    """cause: the clause by which a draw that ends so decides nothing."""
    if game == "keno":
        return {cause: follows[1] for cause, follows in _rules(game).ends(edition).items()}
    return _rules(game).NO_SPIN[edition]


def _rules(game):
    if game == "keno":
        from . import keno_draw

        return keno_draw
    return GAMES[game]
