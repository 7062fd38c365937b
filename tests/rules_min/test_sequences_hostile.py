"""Two-up, triple penny and craps against whatever JSON can say: they answer, and no cent is lost."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules_min import craps, craps_facts, triple_two_up, two_up

CODES = {"bad_json", "bad_game", "bad_edition", "bad_result", "bad_wager", "bad_stake"}
ODD_NUMBERS = st.sampled_from([0, -1, 1, 7, 2**31, 2**64, 10**400, True, False, 1.0, 0.5, 1e308, -0.0])
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | ODD_NUMBERS
    | st.floats(allow_nan=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
MODULES = {"two_up": two_up, "triple_two_up": triple_two_up, "craps": craps}
ROLLS = st.lists(st.lists(st.integers(1, 6), min_size=2, max_size=2), min_size=1, max_size=12)
SPINS = {
    game: st.lists(st.sampled_from(sorted(MODULES[game].CALLS)), min_size=1, max_size=12)
    for game in ("two_up", "triple_two_up")
}
ALL_CODES = sorted(
    {*two_up.CODES, *triple_two_up.CODES, *craps_facts.codes("qld1985"), *craps_facts.codes("cgr1993")}
)


def or_anything(strategy: Any) -> Any:
    return strategy | ANYTHING


HOSTILE_WAGERS = st.fixed_dictionaries(
    {},
    optional={
        "code": or_anything(st.sampled_from(ALL_CODES)),
        "stake": or_anything(st.just(1200)),
        "at": or_anything(st.integers(0, 3)),
        "on": or_anything(st.booleans()),
        "odds_stake": or_anything(st.just(1200)),
        "down_at": or_anything(st.integers(0, 4)),
        "player": or_anything(st.sampled_from(["a", "b"])),
        "pieces": ANYTHING,
        "commission": ANYTHING,
    },
)
HOSTILE = st.fixed_dictionaries(
    {"result": or_anything(ROLLS | SPINS["two_up"] | SPINS["triple_two_up"])},
    optional={
        "wagers": st.lists(or_anything(HOSTILE_WAGERS), max_size=5),
        "limits": or_anything(
            st.dictionaries(st.sampled_from([*ALL_CODES, "*", "place", "spinner"]), ANYTHING)
        ),
        "commission_percent": ANYTHING,
        "round_odds": ANYTHING,
        "free_odds": ANYTHING,
    },
)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(sorted(MODULES)), st.sampled_from(["qld1985", "cgr1993"]), HOSTILE)
def test_every_line_has_an_answer_that_is_json(game: str, edition: str, line: dict[str, Any]) -> None:
    line = {"game": game, "edition": edition if game == "craps" else "qld1985", **line}
    before = json.dumps(line)
    answer = MODULES[game].settle_line(line)
    assert json.dumps(line) == before  # what was asked is left as it was
    json.dumps(answer)
    if "settlements" in answer:
        assert len(answer["settlements"]) == len(line.get("wagers", []))
        assert len(answer["call"]) == len(line["result"])
    else:
        assert answer["error"]["code"] in CODES
        assert answer["error"]["message"]


def well_formed(codes: list[str], length: int) -> Any:
    return st.fixed_dictionaries(
        {"code": st.sampled_from(codes), "stake": st.integers(1, 10**12)},
        optional={
            "at": st.integers(0, length - 1),
            "odds_stake": st.integers(1, 10**12),
            "on": st.booleans(),
            "player": st.sampled_from(["a", "b"]),
            "note": ANYTHING,
        },
    )


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(["qld1985", "cgr1993"]), ROLLS, st.data(), st.integers(1, 10**6), st.booleans())
def test_craps_money_is_conserved(edition: str, rolls: Any, data: Any, high: int, limited: bool) -> None:
    wager = data.draw(well_formed(craps_facts.codes(edition), len(rolls)))
    line = {"game": "craps", "edition": edition, "result": rolls, "wagers": [wager]}
    if limited:
        line["limits"] = {"*": [1, high]}
    answer = craps.settle_line(line)
    if "settlements" not in answer:
        assert answer["error"]["code"] in ("bad_wager", "bad_stake")
        return
    check(wager, answer["settlements"][0])


def check(wager: dict[str, Any], row: dict[str, Any]) -> None:
    """What goes back is what the outcome says, to the cent, and never less than was not accepted."""
    excess = row.get("excess", 0)
    accepted = wager["stake"] - excess
    assert row["outcome"] in ("win", "lose", "void", "stays")
    assert all(type(row[name]) is int and row[name] >= 0 for name in ("pays", "returned"))
    assert (row["pays"] > 0) == (row["outcome"] == "win")
    if "pieces" in row:
        assert sum(piece["stake"] for piece in row["pieces"]) == accepted
        assert row["pays"] == sum(piece["pays"] for piece in row["pieces"])
        assert row["returned"] == sum(piece["returned"] for piece in row["pieces"]) + excess
    else:
        back = {"win": accepted + row["pays"], "void": accepted}.get(row["outcome"], 0)
        assert row["returned"] == back + excess
    if "odds_outcome" in row:
        back = {"win": wager["odds_stake"] + row["odds_pays"], "void": wager["odds_stake"]}
        assert row["odds_returned"] == back.get(row["odds_outcome"], 0)
        assert row["odds_outcome"] in (row["outcome"], "void")
    assert row["rule"].startswith(("qld ", "cgr "))
    assert row.get("note") == wager.get("note")


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(SPINS)), st.data())
def test_the_two_ups_conserve_money(game: str, data: Any) -> None:
    spins = data.draw(SPINS[game])
    wager = data.draw(well_formed([*MODULES[game].CODES], len(spins)))
    line = {"game": game, "edition": "qld1985", "result": spins, "wagers": [wager]}
    answer = MODULES[game].settle_line(line)
    if "settlements" in answer:
        row = answer["settlements"][0]
        assert "odds_outcome" not in row
        check(wager, row)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["qld1985", "cgr1993"]), ROLLS, st.data())
def test_a_wager_fares_alike_alone_and_among_others(edition: str, rolls: Any, data: Any) -> None:
    wagers = data.draw(st.lists(well_formed(craps_facts.codes(edition), len(rolls)), max_size=8))
    wagers = [{**wager, "player": str(n)} for n, wager in enumerate(wagers)]
    line = {"game": "craps", "edition": edition, "result": rolls}
    alone = [craps.settle_line({**line, "wagers": [wager]}) for wager in wagers]
    good = [wager for wager, answer in zip(wagers, alone, strict=True) if "settlements" in answer]
    together = craps.settle_line({**line, "wagers": good}, {})
    assert together["settlements"] == [a["settlements"][0] for a in alone if "settlements" in a]


LINE_WAGERS = st.fixed_dictionaries(
    {"code": or_anything(st.sampled_from(["win", "pass", "dont_win", "dont_pass"]))},
    optional={
        "stake": or_anything(st.sampled_from([1200, 1201])),
        "odds_stake": or_anything(st.sampled_from([600, 1200, 1201, 9600])),
        "at": or_anything(st.integers(0, 5)),
        "player": st.just("a"),
    },
)


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(["qld1985", "cgr1993"]), or_anything(ROLLS | ANYTHING), st.lists(LINE_WAGERS, max_size=6)
)
def test_the_shortcut_gives_the_same_answers(edition: str, rolls: Any, wagers: Any) -> None:
    line = {"game": "craps", "edition": edition, "result": rolls, "wagers": wagers}
    memory: dict[Any, Any] = {}
    plain = craps.settle_line(line)
    assert craps.settle_line(line, memory) == plain
    assert craps.settle_line(line, memory) == plain  # from what is kept
    for wager in wagers:
        alone = {**line, "wagers": [wager]}
        assert craps.settle_line(alone, memory) == craps.settle_line(alone)


def steps_of(rolls: int, wagers: int) -> int:
    """How often anything was looked at, for a list in which nothing is ever decided."""
    looked = 0

    class Counted(dict):  # type: ignore[type-arg]
        def __getitem__(self, key: Any) -> Any:
            nonlocal looked
            looked += 1
            return super().__getitem__(key)

    memory = {("craps", "qld1985"): Counted()}
    line = {
        "game": "craps",
        "edition": "qld1985",
        "result": [[1, 1]] * rolls,
        "wagers": [{"code": f"lay:{4 + n % 3}", "stake": 1200, "at": n % rolls} for n in range(wagers)],
    }
    assert all(row["outcome"] == "stays" for row in craps.settle_line(line, memory)["settlements"])
    return looked


def test_cost_grows_with_the_rolls_and_not_with_rolls_times_wagers() -> None:
    assert steps_of(2000, 1000) <= 2 * steps_of(1000, 1000) + 10
    assert steps_of(1000, 4000) <= steps_of(1000, 1000) + 10
