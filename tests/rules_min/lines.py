"""Well-formed lines of every game for hypothesis, and what JSON may say in the place of any part of one."""

from typing import Any

from hypothesis import strategies as st

from rules_min import mini_dice, roulette, sic_bo, tri_chro, triple_two_up, two_up, wheel
from rules_min.craps_facts import codes as craps_codes

ODD_NUMBERS = st.sampled_from([0, -1, 1, 7, 2**31, 2**63, 10**400, True, False, 1.0, 0.5, 1e308, -0.0])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | ODD_NUMBERS | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
DIE = st.integers(1, 6)
DICE = st.lists(DIE, min_size=3, max_size=3)
NUMBERS = st.lists(st.integers(1, 80), min_size=1, max_size=15, unique=True)
DRAWN = st.lists(st.integers(1, 80), min_size=20, max_size=20, unique=True)
# 360 divides by every denominator of the odds and by every number of pieces
STAKES = st.integers(1, 10**6).map(lambda n: 360 * n)
BALLS = ("red", "green", "gold", "red*", "green*", "gold*")


def roulette_codes(edition: str) -> list[str]:
    pockets: list[Any] = [*range(37), *(["00"] if edition == "cgr1993" else [])]
    codes = {code for pocket in pockets for code in roulette.winners(pocket, edition)}
    race = [*roulette.RACE_TRACK, "neighbours:0", "neighbours:17"] if edition == "act1999" else []
    return [*sorted(codes), *race]


def wheel_codes(edition: str, name: str) -> list[str]:
    return list(wheel.symbols(edition, name)) or [f"number:{n}" for n in range(1, 7)]


# (game, edition, more fields of the line): its codes, its results
ONE_SHOT: list[tuple[dict[str, Any], list[str], Any]] = []
for _edition in sic_bo.EDITIONS:
    ONE_SHOT.append(({"game": "sic_bo", "edition": _edition}, list(sic_bo.AREAS), DICE))
for _edition in mini_dice.EDITIONS:
    ONE_SHOT.append(({"game": "mini_dice", "edition": _edition}, list(mini_dice.AREAS), DICE))
for _edition in roulette.EDITIONS:
    _pockets = st.integers(0, 36) | st.sampled_from(["00"] if _edition == "cgr1993" else [0])
    ONE_SHOT.append(({"game": "roulette", "edition": _edition}, roulette_codes(_edition), _pockets))
for _edition, _wheels in wheel.EDITIONS.items():
    for _name in _wheels:
        _codes = wheel_codes(_edition, _name)
        _results = DICE if _name == "big_six" else st.sampled_from(_codes)
        ONE_SHOT.append(({"game": "wheel", "edition": _edition, "wheel": _name}, _codes, _results))
for _balls in (54, 63):
    _results = st.lists(st.sampled_from(BALLS), min_size=2, max_size=2)
    _head = {"game": "tri_chro", "edition": "qld1985", "balls": _balls}
    ONE_SHOT.append((_head, list(tri_chro.AREAS), _results))

ROLLS = st.lists(st.lists(DIE, min_size=2, max_size=2), min_size=1, max_size=12)
LISTS: list[tuple[dict[str, Any], list[str], Any]] = [
    (
        {"game": "two_up", "edition": "qld1985"},
        list(two_up.CODES),
        st.lists(st.sampled_from(sorted(two_up.CALLS)), min_size=1, max_size=12),
    ),
    (
        {"game": "triple_two_up", "edition": "qld1985"},
        list(triple_two_up.CODES),
        st.lists(st.sampled_from(sorted(triple_two_up.CALLS)), min_size=1, max_size=12),
    ),
    ({"game": "craps", "edition": "qld1985"}, craps_codes("qld1985"), ROLLS),
    ({"game": "craps", "edition": "cgr1993"}, craps_codes("cgr1993"), ROLLS),
]


def wagers_of(codes: list[str], **more: Any) -> Any:
    optional = {"player": st.sampled_from(["p1", "p2"]), "note": ANYTHING, "accepted": ANYTHING, **more}
    return st.fixed_dictionaries({"code": st.sampled_from(codes), "stake": STAKES}, optional=optional)


def limits_of(codes: list[str]) -> Any:
    pairs = st.tuples(STAKES, STAKES).map(lambda pair: [min(pair), max(pair)])
    return st.dictionaries(st.sampled_from([*codes, "*"]), pairs, max_size=3)


def _line(case: tuple[dict[str, Any], list[str], Any], **more: Any) -> Any:
    head, codes, results = case
    wagers = st.lists(wagers_of(codes, **more), max_size=6)
    fields = {key: st.just(value) for key, value in head.items()}
    return st.fixed_dictionaries({**fields, "result": results, "wagers": wagers})


ONE_SHOT_LINES = st.sampled_from(ONE_SHOT).flatmap(_line)
LIST_LINES = st.sampled_from(LISTS).flatmap(lambda case: _line(case, at=st.integers(0, 5)))
PAI_GOW_LINES = st.fixed_dictionaries(
    {
        "game": st.just("pai_gow_dice"),
        "edition": st.sampled_from(["qld1985", "act1999"]),
        "result": DICE,
        "chung": st.integers(1, 8),
    }
)
KENO_LINES = st.fixed_dictionaries(
    {
        "game": st.just("keno"),
        "edition": st.just("act1999"),
        "result": DRAWN,
        "wagers": st.lists(
            st.fixed_dictionaries(
                {
                    "code": st.just("spots"),
                    "numbers": NUMBERS,
                    "stake": st.integers(1, 99).map(lambda n: 100 * n),
                }
            ),
            max_size=4,
        ),
    }
)
LINES = ONE_SHOT_LINES | LIST_LINES | PAI_GOW_LINES | KENO_LINES
FIELDS = (
    "cause",
    "last",
    "limits",
    "markers",
    "jackpot",
    "schedules",
    "prorate",
    "commission_percent",
    "round_odds",
)

WAGER_FIELDS = ("at", "on", "odds_stake", "down_at", "moved_chip", "player", "ways", "jackpot", "games")


@st.composite
def spoilt(draw: Any) -> Any:
    """A good line with parts of it, or of one of its wagers, replaced by anything or taken away."""
    line = dict(draw(LINES))
    if line.get("wagers"):
        wager = dict(draw(st.sampled_from(line["wagers"])))
        wager[draw(st.sampled_from([*wager, *WAGER_FIELDS]))] = draw(ANYTHING)
        line["wagers"] = [*line["wagers"], wager]
    for key in draw(st.lists(st.sampled_from([*line, *FIELDS]), max_size=2)):
        line[key] = draw(ANYTHING | st.just("no_spin") | st.just("peg"))
    return line
