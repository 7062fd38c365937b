"""settle_line over every game, against all that JSON can say: it answers and its sums are right."""

import json
import math
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from lines import ANYTHING, LIST_LINES, ONE_SHOT, ONE_SHOT_LINES, limits_of, spoilt, wagers_of

from rules_min.settlement import GAMES, settle_line

CODES = {"bad_json", "bad_game", "bad_edition", "bad_result", "bad_wager", "bad_stake"}
OUTCOMES = {"win", "lose", "void", "stays"}


def same(one: Any, other: Any) -> bool:
    """As JSON says it; NaN is as good as NaN."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@settings(max_examples=700, deadline=None)
@given(spoilt() | ANYTHING)
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
        for wager, settled in zip(line.get("wagers", []), answer["settlements"], strict=True):
            check_cents(wager, settled)


def check_cents(wager: dict[str, Any], settled: dict[str, Any]) -> None:
    """Conservation, of any wager that was settled: nothing comes from nowhere, nothing is lost."""
    stake, pays, returned = wager["stake"], settled["pays"], settled["returned"]
    assert settled["outcome"] in OUTCOMES
    assert all(type(cents) is int and cents >= 0 for cents in (stake, pays, returned))
    assert settled["rule"].startswith(("qld ", "qld2004 ", "act ", "cgr "))
    if "numbers" in wager or "ways" in wager:
        return  # keno: a prize is the whole return (test_keno_hostile)
    excess = settled.get("excess", 0)
    accepted = stake - excess
    assert settled.get("accepted", stake) == accepted
    if settled["outcome"] == "void":
        assert (pays, returned, settled["odds"]) == (0, stake, None)
    elif settled["outcome"] != "win":
        assert (pays, returned, settled["odds"]) == (0, excess, None)
    elif "pieces" in settled:
        check_pieces(settled, accepted, excess)
    else:
        assert returned == accepted + pays + excess
        to, one = settled["odds"]
        rounded = settled["rule"].startswith("cgr 2(4)")  # craps: up to the next dollar
        assert pays * one == accepted * to or (rounded and 0 <= pays * one - accepted * to < 100 * one)


def check_pieces(settled: dict[str, Any], accepted: int, excess: int) -> None:
    pieces = settled["pieces"]
    assert sum(piece["stake"] for piece in pieces) == accepted
    assert sum(piece["pays"] for piece in pieces) == settled["pays"]
    assert sum(piece["returned"] for piece in pieces) + excess == settled["returned"]
    assert any(piece["outcome"] == "win" for piece in pieces)


@settings(max_examples=400, deadline=None)
@given(ONE_SHOT_LINES | LIST_LINES)
def test_a_wager_comes_out_alone_as_it_does_in_company(line: Any) -> None:
    answer = settle_line(line)
    if "error" in answer:
        assert line["game"] in ("two_up", "triple_two_up", "craps")  # placed at a time that is not theirs
        return
    if line["game"] == "triple_two_up":
        return  # a bonus needs its spinner's wager beside it
    for wager, settled in zip(line["wagers"], answer["settlements"], strict=True):
        assert same(settle_line(line | {"wagers": [wager]})["settlements"], [settled])


MEMORY: dict[Any, Any] = {}


@settings(max_examples=500, deadline=None)
@given(spoilt() | ONE_SHOT_LINES | LIST_LINES)
def test_a_memory_changes_nothing(line: Any) -> None:
    plain = settle_line(line)
    for _ in range(2):
        assert same(settle_line(line, MEMORY), plain)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(ONE_SHOT), st.data())
def test_limits_cut_and_every_cent_is_accounted_for(case: Any, data: Any) -> None:
    head, codes, results = case
    wagers = data.draw(st.lists(wagers_of(codes), max_size=6))
    line = {**head, "result": data.draw(results), "wagers": wagers, "limits": data.draw(limits_of(codes))}
    answer = settle_line(line)
    if "error" in answer:
        assert head["edition"] == "cgr1993" and answer["error"]["code"] == "bad_stake"
        return
    for wager, settled in zip(wagers, answer["settlements"], strict=True):
        check_cents(wager, settled)
        low, high = limit(line["limits"], wager["code"])
        if wager["stake"] <= high:
            assert "excess" not in settled
        if low <= wager["stake"] <= high:
            assert settled["outcome"] in ("win", "lose")


def limit(limits: dict[str, Any], code: str) -> tuple[float, float]:
    low, high = limits.get(code) or limits.get(code.split(":")[0]) or limits.get("*") or (0, math.inf)
    return low, high


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(ONE_SHOT), st.data())
def test_a_no_spin_gives_all_of_it_back(case: Any, data: Any) -> None:
    head, codes, _ = case
    causes = GAMES[head["game"]].NO_SPIN[head["edition"]]
    cause = data.draw(st.sampled_from(sorted(causes)))
    wagers = data.draw(st.lists(wagers_of(codes), max_size=4))
    answer = settle_line({**head, "result": "no_spin", "cause": cause, "wagers": wagers})
    for wager, settled in zip(wagers, answer["settlements"], strict=True):
        assert (settled["outcome"], settled["returned"]) == ("void", wager["stake"])
        assert settled["rule"] == causes[cause]


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 36))
def test_even_chances_partition_the_wheel(pocket: int) -> None:
    for sides in (("red", "black"), ("odd", "even"), ("low", "high"), ("dozen:1", "dozen:2", "dozen:3")):
        wagers = [{"code": side, "stake": 1} for side in sides]
        line = {"game": "roulette", "edition": "act1999", "result": pocket, "wagers": wagers}
        won = [row for row in settle_line(line)["settlements"] if row["outcome"] == "win"]
        assert len(won) == (1 if pocket else 0)
