"""Sic-bo over all 216 throws: every wager against a reading of its own of the texts, and exact edges."""

from rules_min import limits, settlement, sic_bo

THROWS = [(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]


def expected(code, dice):
    """The odds "to 1" that qld s70, s75 and act 4.3, 6.1 give, or 0: written from the texts, not the code."""
    kind, _, rest = code.partition(":")
    total = sum(dice)
    is_triple = dice[0] == dice[1] == dice[2]
    if kind == "small":
        return 1 if 4 <= total <= 10 and not is_triple else 0
    if kind == "big":
        return 1 if 11 <= total <= 17 and not is_triple else 0
    if kind == "any_triple":
        return 31 if is_triple else 0
    if kind == "triple":
        return 180 if is_triple and dice[0] == int(rest) else 0
    if kind == "double":
        return 11 if dice.count(int(rest)) >= 2 else 0
    if kind == "single":
        return (0, 1, 2, 12)[dice.count(int(rest))]
    if kind == "pair":
        a, b = rest.split("-")
        return 6 if int(a) in dice and int(b) in dice else 0
    paid = {4: 62, 5: 31, 6: 18, 7: 12, 8: 8, 9: 7, 10: 6}
    return paid[min(int(rest), 21 - int(rest))] if total == int(rest) else 0


def test_every_area_on_every_throw():
    assert len(sic_bo.AREAS) == 50 == len(set(sic_bo.AREAS))
    for dice in THROWS:
        won = sic_bo.winners(dice)
        for code in sic_bo.AREAS:
            odds = expected(code, dice)
            assert won.get(code) == ((odds, 1) if odds else None), (code, dice)
        assert all(code in sic_bo.AREA_INDEX for code in won)


# what the house keeps of 216 units staked, one on each throw; published edges of these odds agree
KEPT = {
    "small": 6,
    "any_triple": 24,
    "triple:1": 35,
    "double:4": 24,
    "single:2": 8,  # 12 to 1 on three dice, where others pay 3: nine units less than the usual 17
    "pair:2-5": 6,
    "total:4": 27,
    "total:5": 24,
    "total:6": 26,
    "total:7": 21,
    "total:8": 27,
    "total:9": 16,
    "total:10": 27,
}


def test_the_exact_edges():
    for code, kept in KEPT.items():
        back = 0
        for dice in THROWS:
            odds = expected(code, dice)
            back += odds + 1 if odds else 0
        found = sum((sic_bo.winners(d)[code][0] + 1) if code in sic_bo.winners(d) else 0 for d in THROWS)
        assert found == back and 216 - found == kept, (code, 216 - found)


def line(result, wagers, edition="act1999", **more):
    whole = {"game": "sic_bo", "edition": edition, "result": result, "wagers": wagers}
    whole.update(more)
    return settlement.settle_line(whole)


def test_money_is_conserved_in_every_edition():
    wagers = [{"code": code, "stake": 100 + n} for n, code in enumerate(sic_bo.AREAS)]
    for edition in sic_bo.EDITIONS:
        for dice in ((1, 1, 1), (3, 3, 4), (6, 2, 5), (6, 6, 5)):
            for wager, settled in zip(wagers, line(list(dice), wagers, edition)["settlements"]):
                odds = expected(wager["code"], dice)
                assert settled["pays"] == wager["stake"] * odds
                assert settled["returned"] == (wager["stake"] + settled["pays"] if odds else 0)
                assert settled["outcome"] == ("win" if odds else "lose") and settled["rule"]


def test_clauses_are_the_editions_own():
    act = line([3, 3, 4], [{"code": "small", "stake": 1}, {"code": "big", "stake": 1}])["settlements"]
    assert [row["rule"] for row in act] == ["act sicbo 6.1(a)", "act sicbo 4.3(b)"]
    qld = line([3, 3, 4], [{"code": "total:10", "stake": 1}, {"code": "single:9", "stake": 1}], "qld1985")
    assert qld["error"]["code"] == "bad_wager" and qld["error"]["wager"] == 1
    qld = line([3, 3, 4], [{"code": "total:10", "stake": 1}], "qld1985")
    assert qld["settlements"][0]["rule"] == "qld s75(f)"


def test_every_kind_has_its_own_paragraph():
    # in the order of the payout clauses: qld s75(a)-(h), act sicbo 6.1(a)-(h)
    paid = ("small", "big", "triple:1", "double:1", "any_triple", "total:9", "pair:1-2", "single:5")
    for letter, code in zip("abcdefgh", paid):
        assert sic_bo.win_rule("qld1985", code) == sic_bo.win_rule("qld2004", code) == "qld s75(%s)" % letter
        assert sic_bo.win_rule("act1999", code) == "act sicbo 6.1(%s)" % letter
        assert sic_bo.lose_rule("qld1985", code) == "qld s70"
    # in the order of act sicbo 4.3(a)-(h), which differs
    defined = ("small", "big", "triple:1", "double:1", "any_triple", "single:5", "pair:1-2", "total:9")
    for letter, code in zip("abcdefgh", defined):
        assert sic_bo.lose_rule("act1999", code) == "act sicbo 4.3(%s)" % letter


def test_every_no_spin_gives_every_stake_back_with_its_clause():
    for edition, causes in sic_bo.NO_SPIN.items():
        for cause, clause in causes.items():
            answer = line("no_spin", [{"code": "triple:6", "stake": 700}], edition, cause=cause)
            row = answer["settlements"][0]
            assert (row["outcome"], row["pays"], row["returned"], row["rule"]) == ("void", 0, 700, clause)
    assert line("no_spin", [])["error"]["code"] == "bad_result"
    assert line("no_spin", [], cause="exposed", edition="qld1985")["error"]["code"] == "bad_result"


def test_the_call_is_in_the_rulebooks_words():
    assert sic_bo.call((4, 3, 3)) == "double 3, 4; total 10"  # qld s77(2)-(4), its own examples
    assert sic_bo.call((5, 5, 5)) == "triple 5; total 15"
    assert sic_bo.call((6, 2, 3)) == "2, 3, 6; total 11"
    assert sic_bo.call((6, 2, 6)) == "2, double 6; total 14"


def test_what_a_spin_must_show():
    assert sic_bo.bad_reading("qld1985", 2, True) == "short_turns"
    assert sic_bo.bad_reading("qld1985", 3, True) is None
    assert sic_bo.bad_reading("act1999", 0, True) == "short_turns"
    assert sic_bo.bad_reading("act1999", 1, False) == "not_flat"


def test_limits_cut_what_was_taken():
    table = {"small": [500, 2000], "*": [100, 1000]}
    wagers = [
        {"code": "small", "stake": 2500, "player": "a"},
        {"code": "small", "stake": 400, "player": "a"},
        {"code": "small", "stake": 300, "player": "a"},
        {"code": "double:3", "stake": 1500, "player": "b"},
    ]
    over, first, second, other = line([1, 2, 3], wagers, limits=table)["settlements"]
    assert (over["accepted"], over["excess"], over["pays"], over["returned"]) == (2000, 500, 2000, 4500)
    assert (first["outcome"], first["pays"]) == ("win", 400)  # act 3.4: paid, the owner advised
    assert (second["outcome"], second["returned"], second["rule"]) == ("void", 300, "act sicbo 3.4")
    assert (other["outcome"], other["returned"]) == ("lose", 500)
    assert limits.offered("sic_bo", "act1999", table, "small", 400) == "act sicbo 3.1"


def test_the_faces_decide_whichever_die_shows_them():  # qld s69(1), act sicbo 7.1, act sicbo 4.3(g)
    for a, b, c in THROWS:
        assert sic_bo.winners((a, b, c)) == sic_bo.winners((c, a, b)) == sic_bo.winners((b, a, c))
        for low, high in ((1, 2), (2, 6)):
            both = low in (a, b, c) and high in (a, b, c)
            assert ("pair:%d-%d" % (low, high) in sic_bo.winners((a, b, c))) == both


def test_the_dealers_acts_have_their_clauses():
    acts = sic_bo.PROCEDURE["qld1985"]
    assert (acts["no_more_bets_uncovered"], acts["wager_uncovered"]) == ("qld s72(1)", "qld s72(2)")
    assert (acts["no_more_bets"], acts["wager"]) == ("qld s72(3)", "qld s72(4)")
    assert (acts["activate"], acts["result"], acts["entry"]) == ("qld s76", "qld s77(2)", "qld s78(1)")
    assert (acts["correct"], acts["lamp_failed"]) == ("qld s78(5)", "qld s78(7)")
    acts = sic_bo.PROCEDURE["qld2004"]
    assert acts["no_more_bets_uncovered"] == "qld2004 sch 10 s8(1)"
    assert (acts["no_more_bets"], acts["wager"]) == ("qld2004 sch 10 s8(2)", "qld2004 sch 10 s8(3)")
    acts = sic_bo.PROCEDURE["act1999"]
    assert (acts["activate"], acts["no_more_bets"]) == ("act sicbo 5.1", "act sicbo 5.2")
    assert (acts["entry"], acts["lamp_failed"]) == ("act sicbo 5.3", "act sicbo 8.5")


def test_each_cause_has_its_own_clause():
    clauses = {"not_flat": "qld s80(1)", "malfunction": "qld s80(2)", "short_turns": "qld s76"}
    for cause, clause in clauses.items():
        assert sic_bo.NO_SPIN["qld1985"][cause] == sic_bo.NO_SPIN["qld2004"][cause] == clause
    act = sic_bo.NO_SPIN["act1999"]
    assert (act["not_flat"], act["broken_die"]) == ("act sicbo 8.1", "act sicbo 8.2")
    assert (act["exposed"], act["malfunction"]) == ("act sicbo 8.3", "act sicbo 8.4")
    assert (act["disrupted"], act["power_lost"]) == ("act sicbo 10.1", "act sicbo 10.4")
    assert act["invalidated"] == "act sicbo 10.5"
