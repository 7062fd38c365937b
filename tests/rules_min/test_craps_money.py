"""Craps in cents: rounding, odds, commission, on and off, taking down, limits, bad lines."""

from rules_min import craps, craps_facts, craps_money

QLD, CGR = "qld1985", "cgr1993"
FOUR, FIVE, SIX, SEVEN, EIGHT, NINE = [2, 2], [2, 3], [3, 3], [3, 4], [4, 4], [4, 5]


def settle(edition, rolls, *wagers, **more):
    line = {"game": "craps", "edition": edition, "result": rolls, "wagers": list(wagers)}
    line.update(more)
    return craps.settle_line(line)


def rows(edition, rolls, *wagers, **more):
    return settle(edition, rolls, *wagers, **more)["settlements"]


def error(edition, rolls, *wagers, **more):
    return settle(edition, rolls, *wagers, **more)["error"]["code"]


def bet(code, stake=600, **more):
    more["code"], more["stake"] = code, stake
    return more


def test_cgr_pays_the_next_dollar_up():
    """cgr 2(4)(f): for the wagers of its table; not for buy wagers and odds."""

    def pays(code, stake, *rolls, at=0):
        return rows(CGR, list(rolls), bet(code, stake, at=at))[0]["pays"]

    assert (
        pays("pass", 150, SEVEN) == 200 and pays("pass", 200, SEVEN) == 200 and pays("pass", 1, SEVEN) == 100
    )
    assert pays("place:6", 100, SIX, SIX) == 200 and pays("place:6", 600, SIX, SIX) == 700
    assert pays("lay:9", 100, SEVEN) == 100 and pays("lay:9", 301, SEVEN) == 300  # 66.67, 200.67
    assert pays("hop:2-2", 150, FOUR) == 4500 and pays("hop:2-2", 151, FOUR) == 4600
    assert pays("hard:4", 50, FOUR) == 400  # 7 to 1: 350
    assert pays("field", 50, [1, 1]) == 100
    horn = rows(CGR, [[1, 1]], bet("horn", 100))[0]  # a piece of 25: 750, paid as its own wager
    assert (horn["pays"], horn["returned"]) == (800, 825)
    assert error(CGR, [SIX, NINE], bet("buy:9", 101)) == "bad_stake"
    assert error(CGR, [NINE, NINE], bet("pass", 100, odds_stake=101)) == "bad_stake"


def test_qld_is_exact():
    assert error(QLD, [SIX, SIX], bet("place:6", 100)) == "bad_stake"
    assert rows(QLD, [SIX, SEVEN], bet("place:6", 100))[0]["outcome"] == "lose"
    assert error(QLD, [SIX, [1, 1]], bet("any_craps", 101, at=1)) == "bad_stake"
    assert rows(QLD, [SIX, [1, 1]], bet("any_craps", 102, at=1))[0]["pays"] == 765
    assert error(QLD, [NINE, NINE], bet("win", 101, odds_stake=101)) == "bad_stake"


def test_qld_may_round_odds():
    """qld s119(1B), s120(1B), s121(1B), s122(1B): a setting of the line; the wagers themselves stay exact."""
    win = rows(QLD, [NINE, NINE], bet("win", 500, odds_stake=500), round_odds=True)[0]
    assert (win["pays"], win["odds_pays"], win["odds_returned"]) == (500, 800, 1300)  # 750
    dont = rows(QLD, [NINE, SEVEN], bet("dont_win", 500, odds_stake=100), round_odds=True)[0]
    assert dont["odds_pays"] == 100  # 66.67
    for code, last in (("come", NINE), ("dont_come", SEVEN)):
        row = rows(QLD, [SIX, NINE, last], bet(code, 500, odds_stake=100, at=1), round_odds=True)[0]
        assert row["odds_pays"] == {"come": 200, "dont_come": 100}[code]
    assert rows(QLD, [NINE, NINE], bet("win", 500, odds_stake=500), round_odds=False)[0]["odds_pays"] == 750
    assert error(CGR, [NINE], round_odds=True) == error(QLD, [NINE], round_odds=1) == "bad_wager"


def test_odds_behind():
    """qld s119(1), s120(1), s121(1), s122(1); qld s119(2), s120(2), s121(2), s122(2); cgr 2(3)(a)-(d)."""
    for point, to, one in ((4, 2, 1), (5, 3, 2), (6, 6, 5), (8, 6, 5), (9, 3, 2), (10, 2, 1)):
        for kind in craps_facts.RIGHT:
            assert craps_money.odds_behind(kind, point) == (to, one)
        for kind in craps_facts.WRONG:
            assert craps_money.odds_behind(kind, point) == (one, to)
    none = rows(QLD, [SEVEN], bet("win", odds_stake=600))[0]
    assert (none["odds_outcome"], none["odds_pays"], none["odds_returned"]) == ("void", 0, 600)
    assert "odds_outcome" not in rows(QLD, [SEVEN], bet("win", odds_outcome="x"))[0]
    for stake in (0, -1, 1.0, True, "5", 2**63, [1]):
        assert error(QLD, [SEVEN], bet("win", odds_stake=stake)) == "bad_stake", stake
    assert error(QLD, [SEVEN], bet("place:6", odds_stake=600)) == "bad_wager"
    assert "odds_outcome" not in rows(QLD, [SEVEN], bet("win", odds_stake=None))[0]


def test_how_much_odds_may_be():
    """qld s119(1A), s121(1A): twice the wager; qld s120(1A), s122(1A): what would win twice the wager."""
    assert rows(QLD, [FOUR, FOUR], bet("win", odds_stake=1200))[0]["odds_pays"] == 2400
    assert error(QLD, [FOUR, FOUR], bet("win", odds_stake=1202)) == "bad_stake"
    assert error(QLD, [SIX, FOUR], bet("come", odds_stake=1201, at=1)) == "bad_stake"
    for rolls, most in (([FOUR, SEVEN], 2400), ([FIVE, SEVEN], 1800), ([SIX, SEVEN], 1440)):
        row = rows(QLD, rolls, bet("dont_win", odds_stake=most))[0]
        assert row["odds_pays"] == 1200 and row["odds_outcome"] == "win"
        assert error(QLD, rolls, bet("dont_win", odds_stake=most + 6)) == "bad_stake"
        assert error(QLD, [SIX] + rolls, bet("dont_come", odds_stake=most + 6, at=1)) == "bad_stake"
    assert rows(CGR, [FOUR, FOUR], bet("pass", odds_stake=60000))[0]["odds_pays"] == 120000  # cgr 2(3)(a)


def test_commission():
    """qld s116(1): 5% of the stake; qld s117(1): 5% of what could be won; s118(2): of nothing else."""
    assert rows(QLD, [SIX, SIX], bet("buy:6", 1000))[0]["commission"] == 50
    lost, won = rows(QLD, [SIX, SEVEN], bet("buy:6", 1000), bet("lay:4", 4000))
    assert (lost["commission"], lost["returned"]) == (50, 0)
    assert (won["commission"], won["pays"], won["returned"]) == (100, 2000, 6000)
    assert rows(QLD, [SIX], bet("buy:6", 1000))[0]["commission"] == 50  # paid when it is made
    assert error(QLD, [SIX, SIX], bet("buy:6", 110)) == "bad_stake"  # 5.5 cents
    assert rows(QLD, [SIX, SIX], bet("buy:6", 1000), commission_percent=4)[0]["commission"] == 40
    assert rows(CGR, [SIX, SIX], bet("buy:6", 1000))[0]["commission"] == 0  # cgr 2(5)(a): may be charged
    assert rows(CGR, [SIX], bet("lay:6", 1200), commission_percent=5)[0]["commission"] == 50  # cgr 2(2)(f)
    for percent in (6, -1, True, "5", 1.0, None):
        assert error(CGR, [SIX], commission_percent=percent) == "bad_wager"
    for code in craps_facts.codes(QLD):  # qld s118(2), cgr 2(5)(b)
        if code[:3] not in ("buy", "lay", "com", "don"):
            assert "commission" not in rows(QLD, [SIX], bet(code, 1000, commission=9))[0]


def test_commission_on_odds_over_the_free_odds():
    """cgr 2(3)(e): of the excess; cgr 2(3)(f): of what the excess could win; cgr 2(3)(g): what is free."""
    terms = {"free_odds": 2, "commission_percent": 5}
    win = rows(CGR, [FOUR, FOUR], bet("pass", 1000, odds_stake=5000), **terms)[0]
    assert (win["commission"], win["odds_pays"]) == (150, 10000)
    dont = rows(CGR, [FOUR, FOUR], bet("dont_pass", 1000, odds_stake=6000), **terms)[0]
    assert dont["commission"] == 100  # 4000 over, 2000 to win
    assert rows(CGR, [FOUR, FOUR], bet("pass", 1000, odds_stake=2000), **terms)[0]["commission"] == 0
    assert rows(CGR, [SEVEN], bet("pass", 1000, odds_stake=5000), **terms)[0]["commission"] == 0
    assert "commission" not in rows(CGR, [FOUR], bet("pass", 1000, odds_stake=5000))[0]
    assert error(QLD, [FOUR], free_odds=1) == error(CGR, [FOUR], free_odds=-1) == "bad_wager"


def test_off_on_the_come_out():
    """qld s112(1), s121(3), and no other: qld s112(3), s121(4); cgr 2(2)(e): place and so buy."""
    for edition, off in ((QLD, ("place:6", "buy:6", "hard:6")), (CGR, ("place:6", "buy:6"))):
        for code in ("place:6", "buy:6", "hard:6", "big:6", "lay:6"):
            first = rows(edition, [SEVEN], bet(code, 1200))[0]["outcome"]
            assert (first == "stays") == (code in off), (edition, code)
            assert rows(edition, [SEVEN], bet(code, 1200, on=True))[0]["outcome"] != "stays"
            assert rows(edition, [SEVEN], bet(code, 1200, on=False))[0]["outcome"] == first
    seven_out = [SIX, NINE, SIX, SEVEN]  # the point is made, then a come-out seven
    qld = rows(QLD, seven_out, bet("come", at=1, odds_stake=600))[0]
    assert (qld["outcome"], qld["odds_outcome"], qld["odds_returned"]) == ("lose", "void", 600)
    cgr = rows(CGR, seven_out, bet("come", at=1, odds_stake=600))[0]
    assert (cgr["outcome"], cgr["odds_outcome"], cgr["odds_returned"]) == ("lose", "lose", 0)
    made = rows(QLD, [SIX, NINE, SIX, NINE], bet("come", at=1, odds_stake=600))[0]
    assert (made["outcome"], made["odds_outcome"], made["odds_returned"]) == ("win", "void", 600)
    for on in (1, "yes", [], 0):
        assert error(QLD, [SIX], bet("place:6", on=on)) == "bad_wager"


def test_one_button_covers_a_players_similar_wagers():
    """qld s112(2): wagers of its kind, of that player, unless said otherwise; cgr has no such rule."""

    def outcomes(edition, rolls, *wagers):
        return [row["outcome"] for row in rows(edition, rolls, *wagers)]

    marked = bet("place:6", player="a", on=True)
    others = [bet("place:8", player="a"), bet("place:8", player="b"), bet("place:8", player="a", on=False)]
    others += [bet("hard:8", player="a"), bet("place:8")]
    assert outcomes(QLD, [SEVEN], marked, *others) == ["lose", "lose", "stays", "stays", "stays", "stays"]
    assert outcomes(CGR, [SEVEN], marked, others[0]) == ["lose", "stays"]
    late = bet("place:6", player="a", on=True, at=1)  # the button is not there yet for the first roll
    assert outcomes(QLD, [SEVEN], others[0]) == ["stays"]
    assert outcomes(QLD, [SEVEN, SEVEN], others[0], late) == ["lose", "lose"]
    assert outcomes(QLD, [EIGHT, SIX], bet("place:8", player="a"), late) == ["stays", "win"]
    assert outcomes(QLD, [SEVEN, [1, 1]], others[0], late) == ["stays", "stays"]


def test_taking_a_wager_down():
    """qld s111, s118(1), cgr 2(6)(c)-(d): down_at is the roll before which it is taken down."""
    place, buy = rows(QLD, [SIX, NINE, SEVEN], bet("place:6", down_at=1), bet("buy:6", 1000, down_at=2))
    assert (place["outcome"], place["returned"], place["rule"]) == ("void", 600, "qld s111(1)")
    assert (buy["outcome"], buy["returned"], buy["commission"]) == ("void", 1000, 0)
    assert rows(CGR, [SIX, NINE], bet("buy:6", 1000, down_at=1), commission_percent=5)[0]["commission"] == 50
    assert error(QLD, [SIX, NINE], bet("win", down_at=1)) == "bad_wager"  # a come-out point is set
    assert error(CGR, [SIX, NINE, SEVEN], bet("come", at=1, down_at=2)) == "bad_wager"
    dont = rows(QLD, [SIX, SEVEN], bet("dont_win", odds_stake=600, down_at=1))[0]
    assert (dont["outcome"], dont["returned"], dont["rule"]) == ("void", 600, "qld s111(2)")
    assert (dont["odds_outcome"], dont["odds_returned"]) == ("void", 600)
    assert rows(CGR, [SIX, SEVEN], bet("dont_pass", down_at=1))[0]["rule"] == "cgr 2(6)(d)"
    assert rows(CGR, [NINE, SEVEN], bet("big:6", down_at=1))[0]["rule"] == "cgr 2(6)(c)"
    assert rows(QLD, [SEVEN, SEVEN], bet("win", down_at=1))[0]["outcome"] == "win"  # decided before
    for down in (0, -1, 2, True, "1", None):
        assert error(QLD, [SIX, SEVEN], bet("place:6", down_at=down)) == "bad_wager"
    assert craps_facts.refuses_increase(QLD, "dont_win", True) == "qld s111(2)"
    assert craps_facts.refuses_increase(CGR, "dont_come", True) == "cgr 2(6)(d)"
    assert craps_facts.refuses_increase(QLD, "place", True) is None


def test_wagers_of_several_pieces():
    """qld s109, s115(2): horn and horn high; cgr 2(4)(d)-(e): horn and world."""
    horn = rows(QLD, [[6, 6]], bet("horn", 400))[0]
    assert (horn["outcome"], horn["pays"], horn["returned"], horn["odds"]) == ("win", 3300, 3400, None)
    assert [piece["outcome"] for piece in horn["pieces"]] == ["lose", "lose", "lose", "win"]
    high = rows(QLD, [[6, 6]], bet("horn_high:12", 500))[0]
    assert (high["pays"], high["returned"], len(high["pieces"])) == (6600, 6800, 5)
    assert rows(QLD, [[1, 2]], bet("horn_high:12", 500))[0]["returned"] == 1700
    world = rows(CGR, [SEVEN], bet("world", 500))[0]
    assert (world["pays"], world["returned"]) == (400, 500)
    for code, stake in (("horn", 402), ("horn_high:2", 404)):
        assert error(QLD, [SIX], bet(code, stake)) == "bad_stake"
    assert error(CGR, [SIX], bet("world", 404)) == "bad_stake"


def test_limits():
    cut, under, again = rows(
        QLD,
        [[1, 1]],
        bet("horn", 4000, player="a"),
        bet("field", 100, player="a"),
        bet("field", 100, player="a", commission=1),
        limits={"horn": [100, 1003], "*": [500, 1000]},
    )
    assert (cut["accepted"], cut["excess"], cut["pays"]) == (1000, 3000, 8250)
    assert cut["returned"] == 8250 + 250 + 3000
    assert under["outcome"] == "win"  # qld s5(2)(a): once
    assert (again["outcome"], again["returned"], again["rule"]) == ("void", 100, "qld s5(2)(a)")
    line = rows(QLD, [SIX], bet("win", 2000, odds_stake=1500), limits={"*": [500, 1000]})[0]
    assert (line["outcome"], line["returned"], line["accepted"]) == ("stays", 1000, 1000)
    assert line["odds_stake"] == 1500 and line["odds_outcome"] == "stays"  # qld s113(2)(b)
    void = rows(QLD, [SIX], bet("win", 5), bet("win", 5, odds_stake=5), limits={"*": [500, 1000]})[1]
    assert (void["outcome"], void["odds_outcome"], void["odds_returned"]) == ("void", "void", 5)
    two = rows(QLD, [SEVEN], bet("win", 2000), bet("win", 3000), limits={"*": [500, 1000]})
    assert [(row["excess"], row["returned"]) for row in two] == [(1000, 3000), (2000, 4000)]
    assert error(CGR, [SIX], bet("pass", 5), limits={"pass": [500, 1000]}) == "bad_stake"  # cgr 2(6)(e)
    assert error(QLD, [SIX], limits={"pass": [500, 1000]}) == "bad_wager"
    assert rows(QLD, [SIX], bet("lay:9"), limits={"lay:9": [500, 1000]})[0]["outcome"] == "stays"


def test_bad_lines():
    """qld s109, cgr 2(5)(c): no other wagers than those listed."""
    for result in (
        [],
        [[]],
        [[1]],
        [[1, 2, 3]],
        [[0, 1]],
        [[7, 1]],
        [[True, 2]],
        [[1.0, 2]],
        "no_spin",
        None,
        7,
    ):
        assert error(QLD, result) == "bad_result", result
    for result in (["12"], [[1, 2], None], [[1, "2"]], [{1: 2, 3: 4}], {"a": 1}, [[2**63, 1]], [[-1, -2]]):
        assert error(QLD, result) == "bad_result", result
    for code in (
        "pass",
        "world",
        "hop:1-2",
        "dont_pass",
        "place",
        "place:7",
        "place:04",
        "place:6 ",
        "win:6",
        "x",
    ):
        assert error(QLD, [SIX], bet(code)) == "bad_wager", code
    for code in (
        "win",
        "horn_high:2",
        "hop:2-1",
        "hop:1-7",
        "hop",
        "come:6",
        "big:4",
        "hard:5",
        "field:2",
        "pass on",
    ):
        assert error(CGR, [SIX], bet(code)) == "bad_wager", code
    for at in (2, -1, True, None, "0", 1.0, 2**63):
        assert error(QLD, [SIX, SIX], bet("field", at=at)) == "bad_wager", at
    for wager in (None, 5, [], "win", {}, {"code": "win"}, {"stake": 5}, {"code": ["win"], "stake": 5}):
        assert error(QLD, [SIX], wager) in ("bad_wager", "bad_stake"), wager
    first = settle(QLD, [SIX, SIX], bet("place:6", 100), bet("nothing"))["error"]
    assert (first["code"], first["wager"]) == ("bad_stake", 0)
    own = rows(QLD, [SEVEN], bet("win", error=1, pays="x", note=[2]))[0]
    assert (own["error"], own["pays"], own["note"]) == (1, 600, [2])


def test_invalid_rolls_have_their_clause():
    assert sorted(craps_facts.NO_ROLL[QLD].values()) == ["qld s127(1)(%s)" % c for c in "abcdefg"] + [
        "qld s127(2)(%s)" % c for c in "abc"
    ]
    assert craps_facts.NO_ROLL[CGR]["off_table"] == craps_facts.NO_ROLL[CGR]["die_on_die"] == "cgr 2(9)(a)"
    assert craps_facts.NO_ROLL[CGR]["disputed"] == "cgr 2(10)(a)"
    named = sorted(clause for clause in craps_facts.NO_ROLL[CGR].values() if clause.startswith("cgr 2(9)(b)"))
    assert named == sorted("cgr 2(9)(b)(%s)" % c for c in ("i", "ii", "iii", "iv", "v", "vi"))


def test_odds_are_measured_by_the_flat_that_counts():  # qld s5(2)(b), s119(1A)
    line = {
        "edition": "qld1985",
        "game": "craps",
        "result": [[2, 2], [2, 2]],
        "limits": {"win": [500, 1000]},
        "wagers": [{"code": "win", "stake": 9000, "odds_stake": 18000}],
    }
    assert craps.settle_line(line)["error"]["code"] == "bad_stake"
    line["wagers"][0]["odds_stake"] = 2000
    assert craps.settle_line(line)["settlements"][0]["odds_pays"] == 4000
