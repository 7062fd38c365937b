"""Triple penny two-up over every list of up to five spins, against a reading of its own of qld Part 21."""

from rules_min import triple_two_up as game

SPINS = ("heads", "tails", "triple_heads", "triple_tails", "no_spin")


def lists(length):
    found = [()]
    for _ in range(length):
        found = [before + (spin,) for before in found for spin in SPINS]
    return found


def settle(result, wagers, **more):
    line = {"game": "triple_two_up", "edition": "qld1985", "result": list(result), "wagers": wagers}
    line.update(more)
    return game.settle_line(line)


def one(result, code, stake=100, **more):
    wager = {"code": code, "stake": stake}
    wager.update(more)
    wagers = [wager]
    if code.startswith("spinner_bonus"):
        wagers.append({"code": code.replace("_bonus", ""), "stake": 100})
    answer = settle(result, wagers)
    return answer["settlements"][0] if "settlements" in answer else answer["error"]["code"]


def expected(result, code):
    """(outcome, returned of 100): qld s472(5)-(6), s473(3)-(8), s480, read spin by spin."""
    kind, _, side = code.rpartition(":")
    side = side or code
    own, triple = side, "triple_" + side
    spins = [s for s in result if s != "no_spin"]
    if kind == "spinner":
        for count, spin in enumerate(spins):
            if spin not in (own, triple):
                return "lose", 0
            if count == 2:
                return "win", 750
        return "stays", 0
    if kind == "spinner_bonus":
        for count, spin in enumerate(spins):
            if spin != triple:
                return "lose", 0
            if count == 2:
                return "win", 49600
        return "stays", 0
    if not spins:
        return "stays", 0
    if spins[0] == own:
        return "win", 200
    if spins[0] != triple:
        return "lose", 0
    if len(spins) == 1:
        return "stays", 0  # in bonus play: qld s473(4), s473(7)
    return ("win", {own: 300, triple: 500}[spins[1]]) if spins[1] in (own, triple) else ("lose", 0)


def test_every_wager_on_every_list_of_spins():
    for length in range(1, 6):
        for result in lists(length):
            wagers = [{"code": code, "stake": 100} for code in game.CODES]
            for row in settle(result, wagers)["settlements"]:
                outcome, returned = expected(result, row["code"])
                assert (row["outcome"], row["returned"]) == (outcome, returned), (result, row)
                assert row["pays"] == (returned - 100 if outcome == "win" else 0)


def test_a_player_may_wager_before_any_spin():
    """qld s473(2), s475(5)."""
    for result in lists(4):
        for at in range(4):
            row = one(result, "tails", at=at)
            assert (row["outcome"], row["returned"]) == expected(result[at:], "tails"), (result, at)


def test_rules_and_odds():
    assert one(["heads"], "heads")["rule"] == "qld s480(1)"  # qld s473(3)(a)
    assert one(["tails"], "tails")["odds"] == [1, 1]  # qld s473(6)(a)
    assert one(["triple_tails"], "heads")["rule"] == "qld s473(3)(b)"
    assert one(["heads"], "tails")["rule"] == "qld s473(6)(b)"
    assert one(["triple_heads"], "heads")["rule"] == "qld s473(4)"
    assert one(["triple_tails"], "tails")["rule"] == "qld s473(7)"
    assert one(["triple_heads", "heads"], "heads")["odds"] == [2, 1]  # qld s473(5)(a)
    assert one(["triple_tails", "triple_tails"], "tails")["odds"] == [4, 1]  # qld s473(8)(a)
    assert one(["triple_heads", "tails"], "heads")["rule"] == "qld s473(5)(b)"
    assert one(["triple_tails", "triple_heads"], "tails")["rule"] == "qld s473(8)(b)"
    spinner = one(["heads", "triple_heads", "heads"], "spinner:heads")  # qld s472(5)(a)
    assert (spinner["odds"], spinner["rule"]) == ([13, 2], "qld s480(2)(a)")
    assert one(["tails", "heads"], "spinner:tails")["rule"] == "qld s472(6)(a)"
    bonus = one(["triple_heads"] * 3, "spinner_bonus:heads")  # qld s472(5)(b)
    assert (bonus["odds"], bonus["rule"]) == ([495, 1], "qld s480(2)(b)")
    assert one(["triple_tails", "tails"], "spinner_bonus:tails")["rule"] == "qld s472(6)(b)"
    assert one(["tails"] * 3, "spinner:tails", stake=101) == "bad_stake"


def test_the_spinners_bonus():
    """qld s472(2)(b): one dollar, on the side of the spinner's wager, beside one."""
    bonus = {"code": "spinner_bonus:heads", "stake": 100}
    assert settle(["heads"], [bonus])["error"]["code"] == "bad_wager"
    assert settle(["heads"], [bonus, {"code": "spinner:tails", "stake": 100}])["error"]["wager"] == 0
    rows = settle(["heads"], [bonus, {"code": "spinner:heads", "stake": 100}])["settlements"]
    assert [row["outcome"] for row in rows] == ["lose", "stays"]
    for stake in (50, 99, 101, 200):
        assert one(["heads"], "spinner_bonus:heads", stake=stake) == "bad_stake"
    assert one(["heads", "heads"], "spinner:heads", at=1) == "bad_wager"  # qld s472(2)(a), s472(10)
    assert one(["no_spin", "heads"], "spinner:heads", at=1)["outcome"] == "stays"
    assert one(["heads", "heads"], "spinner_bonus:heads", at=1) == "bad_wager"


def test_what_may_not_be_taken_back_or_made():
    assert game.may_withdraw("bonus:heads", (1, 1)) == "qld s475(3)"
    assert game.may_withdraw("spinner:heads:1", (1, 1)) == "qld s472(10)"
    assert game.may_withdraw("spinner:heads", (1, 0)) is None
    assert game.may_withdraw("heads", (1, 1)) is None
    assert game.boxer_refuses("spinner:heads") == game.boxer_refuses("spinner_bonus:tails") == "qld s471(6)"
    assert game.boxer_refuses("heads") is None


def test_invalid_spins():
    no, yes = "no_spin", "heads"
    assert game.invalid_spins([no, no, no]) == ("spinner", "qld s478(1)")
    assert game.invalid_spins([yes] * 4 + [no, no, no]) == ("floor_manager", "qld s478(2)(a)")
    assert game.invalid_spins([no, yes, no]) == ("floor_manager", "qld s478(2)(b)")
    assert game.invalid_spins([no, yes]) is None
    assert game.INVALID["floater"] == (False, "qld s477(1)")  # qld s477(6)
    must = sorted(clause for must, clause in game.INVALID.values() if must)
    assert must == ["qld s477(2)(%s)" % letter for letter in "abcde"]


def test_calls_and_limits():
    answer = settle(
        ["triple_heads", "no_spin", "heads"], [{"code": "heads", "stake": 300}], limits={"*": [100, 200]}
    )
    assert answer["call"] == ["triple heads", "no spin", "heads"]  # qld s468, s477(3)
    row = answer["settlements"][0]
    assert (row["accepted"], row["excess"], row["pays"], row["returned"]) == (200, 100, 400, 700)
    assert settle(["odds"], [])["error"]["code"] == "bad_result"


def bonus(wagers, limits=None):
    line = {"edition": "qld1985", "game": "triple_two_up", "result": ["triple_heads"] * 3, "wagers": wagers}
    if limits:
        line["limits"] = limits
    return game.settle_line(line)


def test_a_bonus_stands_beside_the_same_players_wager():  # qld s472(2)(b)
    spinner = {"code": "spinner:heads", "stake": 200, "player": "a"}
    mine = {"code": "spinner_bonus:heads", "stake": 100, "player": "a"}
    assert bonus([spinner, mine])["settlements"][1]["pays"] == 49500
    for other in (dict(mine, player="b"), {"code": "spinner_bonus:heads", "stake": 100}):
        assert bonus([spinner, other])["error"] == dict(
            bonus([spinner, other])["error"], code="bad_wager", wager=1
        )


def test_no_limit_of_the_table_touches_the_dollar_of_the_bonus():  # qld s472(2)(b)
    spinner = {"code": "spinner:heads", "stake": 40, "player": "a"}
    mine = {"code": "spinner_bonus:heads", "stake": 100, "player": "a"}
    rows = bonus([spinner, mine], {"*": [10, 50]})["settlements"]
    assert rows[1]["pays"] == 49500 and "accepted" not in rows[1]
    heads = {"code": "heads", "stake": 100, "player": "a"}
    rows = bonus([dict(spinner, stake=600), mine, heads], {"*": [500, 1000]})["settlements"]
    assert rows[2]["outcome"] != "void", "the bonus used up the one wager under the minimum"
