"""What the one-shot games share: the quick way and the long way agree; markers; hostile heads."""

from rules_min import settlement, sic_bo

LINE = {
    "game": "sic_bo",
    "edition": "act1999",
    "result": [3, 3, 4],
    "wagers": [{"code": code, "stake": 100 + n} for n, code in enumerate(sic_bo.AREAS)],
}


def line(**more):
    return dict(LINE, **more)


def test_what_is_remembered_answers_as_what_is_worked_out():
    memory = {}
    wagers = LINE["wagers"] + [
        {"code": "small", "stake": 7, "player": "p"},
        {"stake": 7, "code": "big", "x": [1]},
    ]
    for result in ([3, 3, 4], [4, 3, 3], [6, 6, 6], [1, 2, 3]):
        asked = line(result=result, wagers=wagers)
        plain = settlement.settle_line(asked)
        for _ in range(3):
            assert settlement.settle_line(asked, memory) == plain
    for edition in ("qld1985", "act1999"):  # one edition's clauses are not another's
        asked = line(edition=edition)
        assert settlement.settle_line(asked, memory) == settlement.settle_line(asked)


def test_what_is_remembered_keeps_to_limits_and_to_whole_cents():
    memory = {}
    wagers = [{"code": "small", "stake": 900}, {"code": "small", "stake": 100}]
    for limits in ({}, {"*": [200, 500]}, {"small": [100, 900]}, {}):
        asked = line(wagers=wagers, limits=limits)
        assert settlement.settle_line(asked, memory) == settlement.settle_line(asked)
    cut = settlement.settle_line(line(wagers=wagers, limits={"*": [50, 500]}), memory)["settlements"][0]
    assert (cut["accepted"], cut["pays"], cut["returned"]) == (500, 500, 1400)
    head = {"game": "tri_chro", "edition": "qld1985", "balls": 54, "result": ["red", "gold"]}
    for _ in range(3):  # 3 to 4 on 10 cents is no whole number of cents
        asked = dict(head, wagers=[{"code": "any:red", "stake": 8}])
        row = settlement.settle_line(asked, memory)["settlements"][0]
        assert (row["pays"], row["returned"], row["odds"]) == (6, 14, [3, 4])
        asked = dict(head, wagers=[{"code": "any:red", "stake": 10}])
        assert settlement.settle_line(asked, memory)["error"]["code"] == "bad_stake"


def test_an_answer_is_the_callers_to_change():
    memory = {}
    for _ in range(3):
        rows = settlement.settle_line(LINE, memory)["settlements"]
        assert rows[0]["odds"] == [1, 1] and rows[0]["pays"] == 100
        rows[0]["odds"].append("spoilt")
        rows[0]["pays"] = rows[1]["rule"] = "spoilt"


def test_a_bad_wager_is_refused_the_quick_way_too():  # qld s5(1)(a)
    memory = {}
    settlement.settle_line(LINE, memory)
    for stake in (0, -1, True, 1.5, "5", None, 10**12 + 1, 2**63, [5]):
        for more in ({}, {"player": "p"}):
            wagers = [{"code": "big", "stake": 5}, dict({"code": "small", "stake": stake}, **more)]
            answer = settlement.settle_line(line(wagers=wagers), memory)
            assert answer["error"]["code"] == "bad_stake" and answer["error"]["wager"] == 1
    for wager in (None, 5, "small", [], ["code"], {}, {"code": "small"}, {"code": ["small"], "stake": 5}):
        assert "error" in settlement.settle_line(line(wagers=[wager]), memory)
    wagers = [{"code": "small", "stake": 5, "player": ["p"]}]
    assert settlement.settle_line(line(wagers=wagers), memory)["error"]["code"] == "bad_wager"
    wagers = [{"code": "small", "stake": 5, "player": 7}]
    assert settlement.settle_line(line(wagers=wagers), memory)["settlements"][0]["player"] == 7


def test_fields_that_are_ours_to_say_are_not_echoed():
    memory = {}
    for _ in range(2):
        wagers = [{"code": "small", "stake": 5, "pieces": 1, "excess": 2, "outcome": "win", "pays": 9}]
        row = settlement.settle_line(line(result=[6, 6, 5], wagers=wagers), memory)["settlements"][0]
        assert (row["outcome"], row["pays"]) == ("lose", 0) and "pieces" not in row and "excess" not in row


def test_a_marker_raises_one_players_maximum():  # act sicbo 3.2
    limits = {"*": [100, 1000]}
    markers = {"p": {"small": 5000}}
    wagers = [
        {"code": "small", "stake": 4000, "player": "p"},
        {"code": "small", "stake": 4000, "player": "q"},
    ]
    high, cut = settlement.settle_line(line(wagers=wagers, limits=limits, markers=markers))["settlements"]
    assert high["pays"] == 4000 and "accepted" not in high
    assert cut["accepted"] == 1000 and cut["returned"] == 2000 + 3000
    for wrong in (7, {"p": 7}, {"p": {"small": 0}}, {"p": {"nothing": 5}}, {"p": {"small": True}}):
        answer = settlement.settle_line(line(limits=limits, markers=wrong))
        assert answer["error"]["code"] == "bad_wager"
    assert settlement.settle_line(line(edition="qld1985", markers=markers))["error"]["code"] == "bad_wager"


def test_a_void_round_does_not_use_up_the_one_low_wager():  # qld s5(2)(a)
    limits = {"*": [100, 1000]}
    wagers = [{"code": "small", "stake": 50, "player": "p"}] * 2
    asked = line(edition="qld1985", wagers=wagers, limits=limits)
    first, second = settlement.settle_line(asked)["settlements"]
    assert (first["outcome"], second["outcome"], second["rule"]) == ("win", "void", "qld s5(2)(a)")
    asked = line(edition="qld1985", wagers=wagers, limits=limits, result="no_spin", cause="not_flat")
    for row in settlement.settle_line(asked)["settlements"]:
        assert (row["outcome"], row["rule"]) == ("void", "qld s80(1)")


def test_hostile_heads():
    for whole, code in (
        (None, "bad_json"),
        ([], "bad_json"),
        ({}, "bad_game"),
        (line(game="poker"), "bad_game"),
        (line(game=["sic_bo"]), "bad_game"),
        (line(game="one_shot"), "bad_game"),
        (line(game="sic_bo."), "bad_game"),
        (line(edition="cgr1993"), "bad_edition"),
        (line(edition=None), "bad_edition"),
        (line(edition=["act1999"]), "bad_edition"),
        ({"game": "sic_bo", "edition": "act1999"}, "bad_result"),
        (line(wagers={}), "bad_wager"),
        (line(limits=[]), "bad_wager"),
        (line(limits={"small": [1, 0]}), "bad_wager"),
        (line(limits={"small": [True, 5]}), "bad_wager"),
    ):
        assert settlement.settle_line(whole)["error"]["code"] == code, whole


def test_the_games_are_found_by_name():
    for game in settlement.GAMES:
        rules = settlement.GAMES[game]
        assert game == rules.GAME and rules.EDITIONS
