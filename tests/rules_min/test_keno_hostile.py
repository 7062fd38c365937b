"""Keno and tri-chro against whatever JSON can say: an answer always, and every cent accounted for."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules_min import keno, keno_draw, tri_chro
from rules_min.one_shot import settle as settle_spin

CODES = {"bad_game", "bad_result", "bad_wager", "bad_stake"}
ODD = st.sampled_from([0, -1, 1, 7, 2**31, 2**64, 10**400, True, False, 1.0, 0.5, 1e308, float("inf")])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | ODD | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NUMBERS = st.lists(st.integers(1, 80), min_size=1, max_size=15, unique=True)
DRAWS = st.permutations(range(1, 81)).map(lambda order: list(order[:20]))
EDITIONS = st.sampled_from(["qld1985", "act1999"])
STAKES = st.integers(1, 99).map(lambda dollars: dollars * 100)
SCHEDULES = {"mine": {str(n): {str(k): 50 * k * k for k in range(n // 2, n + 1)} for n in range(1, 16)}}
POOLS = {"6": 123457, "8": 99}


def maybe(strategy: Any) -> Any:
    return strategy | ANYTHING


SPOTS = st.fixed_dictionaries(
    {"code": st.just("spots"), "numbers": NUMBERS, "stake": STAKES},
    optional={"games": st.integers(1, 10), "player": st.sampled_from(["a", "b"]), "pieces": ANYTHING},
)
WAYS = st.fixed_dictionaries(
    {"code": st.just("ways"), "ways": st.lists(NUMBERS, min_size=2, max_size=9), "stake": STAKES},
)
JACKPOTS = st.fixed_dictionaries(
    {
        "code": st.just("spots"),
        "numbers": st.sampled_from([6, 8]).flatmap(
            lambda n: st.lists(st.integers(1, 22), min_size=n, max_size=n, unique=True)
        ),
        "stake": STAKES,
        "jackpot": st.just(True),
    },
)
GOOD = st.lists(SPOTS | WAYS | JACKPOTS, max_size=8)
BAD = st.fixed_dictionaries(
    {},
    optional={
        "code": maybe(st.sampled_from(["spots", "ways"])),
        "numbers": maybe(NUMBERS),
        "ways": maybe(st.lists(maybe(NUMBERS), max_size=4)),
        "stake": maybe(STAKES),
        "schedule": maybe(st.sampled_from(["standard", "special1", "special2", "special3", "mine"])),
        "jackpot": maybe(st.booleans()),
        "games": maybe(st.integers(1, 200)),
        "player": maybe(st.just("a")),
    },
)
LINES = st.fixed_dictionaries(
    {"edition": EDITIONS, "wagers": st.lists(maybe(SPOTS | WAYS | JACKPOTS | BAD), max_size=4)},
    optional={
        "result": maybe(DRAWS | st.just("no_spin")),
        "cause": maybe(st.sampled_from(sorted(keno_draw.MISHAPS["act1999"]))),
        "schedules": maybe(st.just(SCHEDULES) | st.dictionaries(st.text(max_size=3), ANYTHING, max_size=2)),
        "jackpot": maybe(st.just(POOLS) | st.dictionaries(st.sampled_from(["6", "8", "7"]), ANYTHING)),
        "prorate": maybe(st.booleans()),
        "limits": maybe(st.just({"*": [500, 2000]})),
    },
)


@settings(max_examples=500, deadline=None)
@given(LINES)
def test_every_line_of_keno_has_an_answer(line: Any) -> None:
    before = json.dumps(line)
    answer = keno.settle_line(line)
    assert json.dumps(line) == before
    json.dumps(answer)
    if "error" in answer:
        assert answer["error"]["code"] in CODES and answer["error"]["message"]
    else:
        assert len(answer["settlements"]) == len(line["wagers"])


def settled(edition: str, result: Any, wagers: Any, **more: Any) -> Any:
    given_schedules = SCHEDULES if edition == "qld1985" else {}
    line = {"edition": edition, "result": result, "wagers": wagers, "schedules": given_schedules, **more}
    return keno.settle_line(line)


@settings(max_examples=300, deadline=None)
@given(EDITIONS, DRAWS, GOOD, st.booleans())
def test_every_cent_of_keno_is_accounted_for(edition: str, result: Any, wagers: Any, cut: bool) -> None:
    answer = settled(edition, result, wagers, jackpot=POOLS, prorate=cut and edition == "act1999")
    if "error" in answer:  # qld prizes of 50c steps always come out whole on whole dollars
        raise AssertionError(answer)
    jackpots: dict[int, int] = {}
    for wager, row in zip(wagers, answer["settlements"], strict=True):
        assert row["outcome"] == ("win" if row["pays"] else "lose")
        assert row["pays"] == row["returned"] >= 0 and row["odds"] is None
        assert row["rule"].startswith("qld s" if edition == "qld1985" else "act keno ")
        assert ("pieces" in row) == (wager["code"] == "ways")
        if "pieces" in row:
            assert sum(piece["pays"] for piece in row["pieces"]) == row["pays"]
        if wager.get("jackpot") and set(wager["numbers"]) <= set(result):
            spots = len(wager["numbers"])
            jackpots[spots] = jackpots.get(spots, 0) + row["pays"]
    guaranteed = {6: 100000, 8: 1250000} if edition == "act1999" else {}
    for spots, paid in jackpots.items():
        pool = max(POOLS[str(spots)], guaranteed.get(spots, 0))
        assert pool - len(wagers) < paid <= pool  # all of the pool but the odd cents


@settings(max_examples=200, deadline=None)
@given(DRAWS, GOOD)
def test_prorating_takes_from_major_prizes_only(result: Any, wagers: Any) -> None:
    plain = settled("act1999", result, wagers)["settlements"]
    cut = settled("act1999", result, wagers, prorate=True)["settlements"]
    for before, after in zip(plain, cut, strict=True):
        ways = zip(before.get("pieces", [before]), after.get("pieces", [after]), strict=True)
        for one, other in ways:
            assert min(20000, one["pays"]) <= other["pays"] <= one["pays"]


@given(EDITIONS, GOOD, st.data())
def test_a_draw_that_decides_nothing(edition: str, wagers: Any, data: Any) -> None:
    cause = data.draw(st.sampled_from(sorted(keno_draw.ends(edition))))
    answer = settled(edition, "no_spin", wagers, cause=cause, jackpot=POOLS)
    for wager, row in zip(wagers, answer["settlements"], strict=True):
        staked = wager["stake"] * len(wager.get("ways", [0]))
        back = {"void": staked}[row["outcome"]]
        assert (row["pays"], row["returned"], row["odds"]) == (0, back, None)


BALLS = st.sampled_from([colour + star for colour in tri_chro.COLOURS for star in ("", "*")])
CHIPS = st.fixed_dictionaries({"code": maybe(st.sampled_from(tri_chro.AREAS)), "stake": maybe(STAKES)})
SPINS = st.fixed_dictionaries(
    {
        "edition": st.just("qld1985"),
        "result": maybe(st.lists(maybe(BALLS), min_size=2, max_size=2) | st.just("no_spin")),
        "wagers": st.lists(maybe(CHIPS), max_size=3),
    },
    optional={"balls": maybe(st.sampled_from([54, 63])), "cause": maybe(st.just("malfunction"))},
)


@settings(max_examples=300, deadline=None)
@given(SPINS)
def test_every_line_of_tri_chro_has_an_answer(line: Any) -> None:
    answer = settle_spin(tri_chro, line)
    json.dumps(answer)
    assert "settlements" in answer or answer["error"]["code"] in CODES


@given(st.sampled_from([54, 63]), st.tuples(BALLS, BALLS), st.integers(1, 500))
def test_the_wagers_of_tri_chro_partition(balls: int, result: Any, dollars: int) -> None:
    wagers = [{"code": code, "stake": dollars * 2000} for code in tri_chro.AREAS]
    line = {"edition": "qld1985", "balls": balls, "result": list(result), "wagers": wagers}
    rows = settle_spin(tri_chro, line)["settlements"]
    won = {row["code"] for row in rows if row["outcome"] == "win"}
    for colour in tri_chro.COLOURS:
        assert ("any:" + colour in won) != ("no:" + colour in won)
    assert sum(code.startswith(("pair:", "odd_pair:")) for code in won) == 1
    for row in rows:
        to, one = row["odds"] or (0, 1)
        assert row["pays"] * one == row["stake"] * to
        assert row["returned"] == (row["stake"] + row["pays"] if row["code"] in won else 0)
