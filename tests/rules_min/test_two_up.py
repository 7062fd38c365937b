"""Two-up over every list of up to six spins, against a reading of its own of qld Part 10."""

from rules_min import two_up

SPINS = ("heads", "tails", "odds", "no_spin")


def lists(length):
    found = [()]
    for _ in range(length):
        found = [before + (spin,) for before in found for spin in SPINS]
    return found


def settle(result, wagers, **more):
    line = {"game": "two_up", "edition": "qld1985", "result": list(result), "wagers": wagers}
    line.update(more)
    return two_up.settle_line(line)


def one(result, code, stake=200, **more):
    wager = {"code": code, "stake": stake}
    wager.update(more)
    answer = settle(result, [wager])
    return answer["settlements"][0] if "settlements" in answer else answer["error"]["code"]


def expected(result, code):
    """(outcome, returned of 200): qld s167(3)-(4), s168(4)-(5), s174, read spin by spin."""
    side = code.split(":")[-1]
    other = "tails" if side == "heads" else "heads"
    needed, prize = (3, 1500) if code.startswith("spinner") else (1, 200)
    mine = run = 0
    for spin in [s for s in result if s != "no_spin"]:
        run = run + 1 if spin == "odds" else 0
        if spin == other or run == 5:
            return "lose", 0
        mine += spin == side
        if mine == needed:
            return "win", 200 + prize
    return "stays", 0


def test_every_wager_on_every_list_of_spins():
    for length in range(1, 7):
        for result in lists(length):
            wagers = [{"code": code, "stake": 200} for code in two_up.CODES]
            for row in settle(result, wagers)["settlements"]:
                outcome, returned = expected(result, row["code"])
                assert (row["outcome"], row["returned"]) == (outcome, returned), (result, row)
                assert row["pays"] == (returned - 200 if outcome == "win" else 0)


def test_when_a_player_may_wager():
    """qld s168(6)(b): odds stand until heads, tails or the fifth odds; read backwards from the wager."""
    for result in lists(5):
        for at in range(5):
            before = [s for s in result[:at] if s != "no_spin"]
            standing = bool(before) and before[-1] == "odds"
            row = one(result, "heads", at=at)
            assert (row == "bad_wager") == standing, (result, at)
            if not standing:
                assert (row["outcome"], row["returned"]) == expected(result[at:], "heads")


def test_five_odds_decide_all_and_the_count_starts_again():
    five = ["odds"] * 5
    assert one(five, "heads")["rule"] == "qld s168(4)(c)"
    assert one(five, "tails")["rule"] == "qld s168(5)(c)"
    assert one(five, "spinner:heads")["rule"] == "qld s167(3)(c)"
    assert one(five, "spinner:tails")["rule"] == "qld s167(4)(c)"
    assert one(five + ["odds"], "heads", at=5)["outcome"] == "stays"
    assert one(five + ["odds", "heads"], "heads", at=6) == "bad_wager"
    assert one(five + ["odds"] * 5, "tails", at=5)["outcome"] == "lose"
    assert one(["odds"] * 4 + ["no_spin", "odds"], "heads")["outcome"] == "lose"  # a reading
    assert one(["odds"] * 4 + ["heads"] + ["odds"] * 4, "spinner:heads")["outcome"] == "stays"


def test_rules_and_odds():
    win = one(["heads"], "heads")  # qld s168(4)(a)
    assert (win["odds"], win["rule"]) == ([1, 1], "qld s174(1)")
    assert one(["tails"], "tails")["rule"] == "qld s174(2)"  # qld s168(5)(a)
    both = settle(["tails"], [{"code": "heads", "stake": 1}, {"code": "tails", "stake": 1}])["settlements"]
    assert [row["outcome"] for row in both] == ["lose", "win"]  # qld s168(2)-(3)
    assert one(["tails"], "heads")["rule"] == "qld s168(4)(b)"
    assert one(["heads"], "tails")["rule"] == "qld s168(5)(b)"
    assert one(["odds"], "tails")["rule"] == "qld s168(6)(a)"
    spinner = one(["heads"] * 3, "spinner:heads")  # qld s167(3)(a)
    assert (spinner["odds"], spinner["pays"], spinner["rule"]) == ([15, 2], 1500, "qld s174(3)")
    assert one(["tails"] * 3, "spinner:tails")["pays"] == 1500  # qld s167(4)(a)
    assert one(["heads"] * 2, "spinner:heads")["rule"] == "qld s167(3)(a)"
    assert one(["tails"], "spinner:heads")["rule"] == "qld s167(3)(b)"
    assert one(["heads"], "spinner:tails")["rule"] == "qld s167(4)(b)"
    assert one(["heads"] * 3, "spinner:heads", stake=201) == "bad_stake"  # 7.5 to 1 on an odd cent
    assert one(["tails"] * 3, "spinner:heads", stake=201)["outcome"] == "lose"


def test_a_spinners_wager_is_made_before_the_first_valid_spin():
    assert one(["no_spin", "heads"], "spinner:heads", at=1)["outcome"] == "stays"
    assert one(["heads", "heads"], "spinner:heads", at=1) == "bad_wager"  # qld s167(2)
    assert one(["odds", "heads"], "spinner:tails", at=1) == "bad_wager"
    assert two_up.may_withdraw("spinner:heads", (0, 1)) == "qld s167(8)"
    assert two_up.may_withdraw("spinner:heads", (0, 0)) is None
    assert two_up.may_withdraw("heads", (1, 1)) == "qld s168(6)(a)"
    assert two_up.may_withdraw("heads", (0, 1)) is None


def test_bad_lines():
    for result in (
        [],
        "no_spin",
        "heads",
        ["head"],
        [1],
        [None],
        ["heads", ["tails"]],
        {"heads": 1},
        5,
        None,
    ):
        line = {"game": "two_up", "edition": "qld1985", "result": result, "wagers": []}
        assert two_up.settle_line(line)["error"]["code"] == "bad_result", result
    for at in (1, -1, 2**63, True, "0", None, 0.0):
        assert one(["heads"], "heads", at=at) == "bad_wager", at
    for code in ("odds", "spinner", "spinner:odds", "Heads", "", None, 7, ["heads"]):
        assert one(["heads"], code) == "bad_wager", code
    for stake in (0, -5, 2**63, 1.5, True, "100", None):
        assert one(["heads"], "heads", stake=stake) == "bad_stake", stake
    bad = settle(["heads"], [{"code": "heads", "stake": 1}, {"code": "x", "stake": 1}])
    assert bad["error"]["wager"] == 1
    # the first that is wrong is named, though it is found last: 7.5 to 1 on an odd cent
    wagers = [{"code": "spinner:heads", "stake": 1}, {"code": "x", "stake": 1}]
    assert settle(["heads"] * 3, wagers)["error"] == {
        "code": "bad_stake",
        "message": "the stake does not pay in whole cents",
        "wager": 0,
    }


def test_limits_calls_and_own_fields():
    wagers = [{"code": "heads", "stake": 900, "player": "a", "note": 1, "accepted": 7}]
    answer = settle(["odds", "no_spin", "heads"], wagers, limits={"heads": [100, 500]})
    row = answer["settlements"][0]
    assert (row["accepted"], row["excess"], row["pays"], row["returned"]) == (500, 400, 500, 1400)
    assert row["note"] == 1 and answer["call"] == ["odds", "no spin", "heads"]  # qld s163
    assert settle(["odds"], wagers, limits={"heads": [100, 500]})["settlements"][0]["returned"] == 400
    assert settle(["heads"], wagers, limits={"spun": [1, 2]})["error"]["code"] == "bad_wager"


def test_lamps_and_invalid_spins():
    assert two_up.lamps(["odds", "odds", "no_spin", "odds"]) == (3, 0, 0)  # qld s173(1)(a)
    assert two_up.lamps(["odds"] * 5) == (5, 0, 0)
    assert two_up.lamps(["odds", "heads", "heads"]) == (0, 2, 0)  # qld s173(1)(b)
    assert two_up.lamps(["tails"]) == (0, 0, 1)  # qld s173(1)(c)
    assert two_up.invalid_in_a_row(["no_spin"] * 3) == ("spinner", "qld s172(1)")
    assert two_up.invalid_in_a_row(["heads"] + ["no_spin"] * 3) == ("floor_manager", "qld s172(2)")
    assert two_up.invalid_in_a_row(["no_spin", "heads", "no_spin", "no_spin"]) is None
    assert two_up.INVALID["floater"] == (False, "qld s175(1)")
    must = sorted(clause for must, clause in two_up.INVALID.values() if must)
    assert must == ["qld s175(2)(%s)" % letter for letter in "abcde"]


def test_the_first_wager_under_the_minimum_is_the_first_that_was_placed():  # qld s5(2)(a)
    wagers = [{"code": "heads", "stake": 100, "player": 3, "at": at} for at in (2, 0)]
    line = {
        "edition": "qld1985",
        "game": "two_up",
        "result": ["heads", "tails", "heads"],
        "limits": {"*": [500, 1000]},
        "wagers": wagers,
    }
    rows = two_up.settle_line(line)["settlements"]
    assert [row["outcome"] for row in rows] == ["void", "win"] and rows[0]["rule"] == "qld s5(2)(a)"


def test_a_code_nobody_knows_is_named_before_its_stake():
    line = {
        "edition": "qld1985",
        "game": "two_up",
        "result": ["heads"],
        "wagers": [{"code": "x", "stake": 0}],
    }
    assert two_up.settle_line(line)["error"]["code"] == "bad_wager"
