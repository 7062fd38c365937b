"""Mini-dice over all 216 throws, against a reading of its own of qld s178, s184."""

from rules_min import chips, mini_dice, settlement

THROWS = [(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]


def expected(code, dice):
    """The odds "to 1", or 0: written from qld s178(4) and s184(a)-(b)."""
    if code == "field":
        return 1 if 5 <= sum(dice) <= 8 or 13 <= sum(dice) <= 16 else 0
    return {0: 0, 1: 1, 2: 2, 3: 12}[dice.count(int(code[-1]))]


def line(result, wagers, edition="qld1985", **more):
    whole = {"game": "mini_dice", "edition": edition, "result": result, "wagers": wagers}
    whole.update(more)
    return settlement.settle_line(whole)


def test_every_wager_on_every_throw():
    wagers = [{"code": code, "stake": 300} for code in mini_dice.AREAS]
    for edition in mini_dice.EDITIONS:
        for dice in THROWS:
            settled = line(list(dice), wagers, edition)["settlements"]
            for wager, row in zip(wagers, settled):
                odds = expected(wager["code"], dice)
                assert row["pays"] == 300 * odds and row["odds"] == ([odds, 1] if odds else None)
                assert row["returned"] == (300 + 300 * odds if odds else 0)


def test_the_faces_decide_whichever_die_shows_them():  # qld s178(2)
    for a, b, c in THROWS:
        assert mini_dice.winners((a, b, c)) == mini_dice.winners((c, a, b))


def test_what_the_house_keeps_of_216():
    kept = {}
    for code in ("field", "single:3"):
        kept[code] = 216 - sum(expected(code, dice) + 1 for dice in THROWS if expected(code, dice))
    assert kept == {"field": 8, "single:3": 8}  # 104 of 216 throws have a field total
    won = sum(mini_dice.winners(d)["field"][0] + 1 for d in THROWS if "field" in mini_dice.winners(d))
    assert 216 - won == kept["field"]


def test_clauses():
    won, lost = line([1, 2, 5], [{"code": "field", "stake": 1}, {"code": "single:6", "stake": 1}])[
        "settlements"
    ]
    assert (won["rule"], lost["rule"]) == ("qld s184(a)", "qld s178(4)")
    assert line([2, 2, 5], [{"code": "single:2", "stake": 1}])["settlements"][0]["rule"] == "qld s184(b)"


def test_the_call_is_as_at_sic_bo():  # qld s186(2)-(3), its own examples
    assert line([6, 3, 2], [])["call"] == "2, 3, 6; total 11"
    assert line([3, 4, 3], [])["call"] == "double 3, 4; total 10"
    assert line([5, 5, 5], [])["call"] == "triple 5; total 15"


def test_no_spin():  # qld s185, s188(1)-(2)
    clauses = {"not_flat": "qld s188(1)", "malfunction": "qld s188(2)", "short_turns": "qld s185"}
    for cause, clause in clauses.items():
        answer = line("no_spin", [{"code": "field", "stake": 70}], cause=cause)
        row = answer["settlements"][0]
        assert (row["outcome"], row["returned"], row["rule"]) == ("void", 70, clause)
    assert mini_dice.bad_reading("qld1985", 2, True) == "short_turns"
    assert mini_dice.bad_reading("qld2004", 3, False) == "not_flat"
    assert mini_dice.bad_reading("qld1985", 3, True) is None


def test_the_dealers_acts_have_their_clauses():
    acts = mini_dice.PROCEDURE["qld1985"]
    assert acts["no_more_bets_uncovered"] == "qld s181(1)" and acts["wager_uncovered"] == "qld s181(2)"
    assert acts["open"] == "qld s177" and acts["result"] == "qld s186(1)"
    acts = mini_dice.PROCEDURE["qld2004"]
    assert acts["no_more_bets_uncovered"] == "qld2004 sch 7 s7(1)"
    assert (acts["no_more_bets"], acts["wager"]) == ("qld2004 sch 7 s7(2)", "qld2004 sch 7 s7(3)")


def moved(**told):
    chip = {"belongs": "single:2", "by": "moved"}
    chip.update(told)
    wager = {"code": "field", "stake": 100, "moved_chip": chip}
    return line([2, 2, 6], [wager], "qld2004")["settlements"][0]


def test_a_moved_chip_counts_where_it_belongs_if_its_place_is_known():
    # qld2004 sch 7 s9(1)(a)(i), qld2004 sch 7 s9(1)(b), s9(2)
    settled = moved(identified=True, unfair=True)
    assert settled["position"] == "single:2" and settled["position_rule"] == "qld2004 sch 7 s9(2)"
    assert (settled["outcome"], settled["pays"]) == ("win", 200)
    for told in ({"identified": True}, {"unfair": True}, {"identified": 1, "unfair": True}, {}):
        settled = moved(**told)  # qld2004 sch 7 s8: strictly by its position
        assert settled["position"] == "field" and settled["position_rule"] == "qld2004 sch 7 s8"
        assert settled["outcome"] == "lose"


def test_a_chip_the_dealer_misplaced_counts_as_instructed():  # qld2004 sch 7 s9(1)(a)(ii)
    assert moved(by="misplaced", confirmed=True, unfair=True)["position"] == "single:2"
    assert moved(by="misplaced", identified=True, unfair=True)["position"] == "field"
    told = {"belongs": "single:2", "by": "moved", "identified": True, "unfair": True}
    assert chips.position("mini_dice", "qld1985", "field", told) == ("field", None)


def test_a_chip_badly_told_of_is_refused():
    for chip in (None, 7, {}, {"belongs": "single:2"}, {"belongs": "big", "by": "moved"}, {"by": "moved"}):
        answer = line([1, 2, 3], [{"code": "field", "stake": 1, "moved_chip": chip}])
        assert answer["error"]["code"] == "bad_wager" and answer["error"]["wager"] == 0


def test_what_is_no_wager_here():
    for code in ("big", "single:7", "single:0", "single:01", "field:1", "", "total:5"):
        assert line([1, 2, 3], [{"code": code, "stake": 1}])["error"]["code"] == "bad_wager", code
