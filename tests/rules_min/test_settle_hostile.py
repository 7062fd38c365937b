"""settle_line against whatever JSON can say: it answers, it never raises, and its sums are right."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules_min import sic_bo
from rules_min.settlement import settle_line

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
EDITIONS = st.sampled_from(sorted(sic_bo.EDITIONS))
DICE = st.lists(st.integers(1, 6), min_size=3, max_size=3)
STAKES = st.integers(1, 10**12)
WAGERS = st.fixed_dictionaries(
    {"code": st.sampled_from(sic_bo.AREAS), "stake": STAKES},
    optional={
        "player": st.sampled_from(["p1", "p2"]),
        "note": ANYTHING,
        "pays": ANYTHING,
        "accepted": ANYTHING,
    },
)
PAIRS = st.tuples(STAKES, STAKES).map(lambda pair: [min(pair), max(pair)])
LIMITS = st.dictionaries(st.sampled_from([*sic_bo.AREAS, *sic_bo.KINDS, "*"]), PAIRS, max_size=4)


def or_anything(strategy: Any) -> Any:
    return strategy | ANYTHING


HOSTILE = st.fixed_dictionaries(
    {},
    optional={
        "game": or_anything(st.just("sic_bo")),
        "edition": or_anything(EDITIONS),
        "result": or_anything(DICE | st.just("no_spin")),
        "cause": or_anything(st.sampled_from(sorted(sic_bo.NO_SPIN["act1999"]))),
        "limits": or_anything(LIMITS | st.dictionaries(st.text(max_size=9), ANYTHING, max_size=2)),
        "wagers": or_anything(
            st.lists(
                or_anything(WAGERS | st.dictionaries(st.sampled_from(["code", "stake", "player"]), ANYTHING))
            )
        ),
        "more": ANYTHING,
    },
)


@settings(max_examples=400, deadline=None)
@given(HOSTILE | ANYTHING)
def test_every_line_has_an_answer_that_is_json(line: Any) -> None:
    before = json.dumps(line)
    answer = settle_line(line)
    assert json.dumps(line) == before  # what was asked is left as it was
    json.dumps(answer)
    if "error" in answer:
        assert answer["error"]["code"] in CODES
        assert answer["error"]["message"]
    else:
        assert len(answer["settlements"]) == len(line.get("wagers", []))


@settings(max_examples=300, deadline=None)
@given(EDITIONS, DICE, st.lists(WAGERS, max_size=6), LIMITS)
def test_every_cent_is_accounted_for(edition: str, dice: list[int], wagers: list[Any], limits: Any) -> None:
    line = {"game": "sic_bo", "edition": edition, "result": dice, "wagers": wagers, "limits": limits}
    answer = settle_line(line)
    for wager, settled in zip(wagers, answer["settlements"], strict=True):
        check_cents(wager, settled, sic_bo.winners(dice))


def check_cents(wager: dict[str, Any], settled: dict[str, Any], won: dict[str, tuple[int, int]]) -> None:
    stake = wager["stake"]
    excess = settled.get("excess", 0)
    accepted = stake - excess
    assert settled.get("accepted", stake) == accepted
    assert all(type(settled[name]) is int for name in ("pays", "returned", "stake"))
    assert settled.get("note") == wager.get("note")
    if settled["outcome"] == "void":
        assert (settled["pays"], settled["returned"], settled["odds"]) == (0, stake, None)
    elif settled["outcome"] == "win":
        to, one = won[wager["code"]]
        assert settled["pays"] * one == accepted * to
        assert settled["returned"] == accepted + settled["pays"] + excess
        assert settled["odds"] == [to, one]
    else:
        assert settled["outcome"] == "lose"
        assert wager["code"] not in won
        assert (settled["pays"], settled["returned"], settled["odds"]) == (0, excess, None)
    assert settled["rule"].startswith(("qld ", "act "))


@given(EDITIONS, st.lists(WAGERS, max_size=4), st.data())
def test_a_no_spin_gives_all_of_it_back(edition: str, wagers: list[Any], data: Any) -> None:
    cause = data.draw(st.sampled_from(sorted(sic_bo.NO_SPIN[edition])))
    line = {"game": "sic_bo", "edition": edition, "result": "no_spin", "cause": cause, "wagers": wagers}
    for wager, settled in zip(wagers, settle_line(line)["settlements"], strict=True):
        assert settled["outcome"] == "void"
        assert settled["returned"] == wager["stake"]
        assert settled["rule"] == sic_bo.NO_SPIN[edition][cause]
