"""Every wheel, every symbol: odds and counts typed again from the texts; pegs, no spins, clauses."""

from rules_min import settlement, wheel

# (edition, wheel): symbol -> (sections, odds): qld s145(2), s154(1), s156(2), s160(1); act wheel 2.1, 6.1;
# cgr 7(1), whose sections are the trade's.
PRINTED = {
    ("qld1985", "50"): "a 24 1, b 8 5, c 8 5, d 4 11, e 2 22, f 2 22, g 1 44, h 1 44",
    ("qld2004", "50"): "a 24 1, b 8 5, c 8 5, d 4 11, e 2 22, f 2 22, g 1 44, h 1 44",
    ("qld1985", "52"): "a 24 1, b 12 3, c 8 5, d 4 11, e 2 23, f 1 47, g 1 47",
    ("qld2004", "52"): "a 24 1, b 12 3, c 8 5, d 4 11, e 2 23, f 1 47, g 1 47",
    ("act1999", "52"): "$1 24 1, $3 12 3, $5 8 5, $11 4 11, $23 2 23, canberra 1 47, flag 1 47",
    ("cgr1993", "54"): "$1 24 1, $2 15 2, $5 7 5, $10 4 10, $20 2 20, joker 1 40, casino 1 40",
}


def printed():
    for (edition, name), text in PRINTED.items():
        rows = [row.split() for row in text.split(", ")]
        yield edition, name, {symbol: (int(count), int(odds)) for symbol, count, odds in rows}


def line(result, wagers, edition="qld1985", name="50", **more):
    whole = {"game": "wheel", "edition": edition, "wheel": name, "result": result, "wagers": wagers}
    whole.update(more)
    return settlement.settle_line(whole)


def test_every_symbol_on_every_symbol():
    for edition, name, rows in printed():
        wagers = [{"code": symbol, "stake": 200} for symbol in rows]
        for result in rows:
            answer = line(result, wagers, edition, name)
            assert answer["call"] == result
            for row in answer["settlements"]:
                odds = rows[result][1]
                expected = ("win", 200 * odds, 200 * odds + 200, [odds, 1])
                if row["code"] != result:
                    expected = ("lose", 0, 0, None)
                assert (row["outcome"], row["pays"], row["returned"], row["odds"]) == expected


def test_the_sections_add_up():
    for edition, name, rows in printed():
        sections = [symbol for symbol, (count, _) in rows.items() for _ in range(count)]
        assert len(sections) == int(name)
        assert {row[0]: row[1:3] for row in wheel.EDITIONS[edition][name][0]} == rows
        assert wheel.bad_sections(edition, name, sections) is None
        assert wheel.bad_sections(edition, name, sections[:-1] + ["nothing"])
        if edition != "cgr1993":  # cgr 7(1) fixes no counts
            assert wheel.bad_sections(edition, name, sections[1:])


def test_big_six_counts_matches():  # cgr 7(2)(i)-(iii)
    for a in range(1, 7):
        for b in range(1, 7):
            for c in range(1, 7):
                wagers = [{"code": "number:%d" % n, "stake": 100} for n in range(1, 7)]
                answer = line([a, b, c], wagers, "cgr1993", "big_six")
                for number, row in enumerate(answer["settlements"], 1):
                    matches = (a, b, c).count(number)
                    assert row["pays"] == 100 * matches
                    assert row["returned"] == (100 + 100 * matches if matches else 0)
                    assert (
                        row["rule"] == ("cgr 7(2)", "cgr 7(2)(i)", "cgr 7(2)(ii)", "cgr 7(2)(iii)")[matches]
                    )
    assert line([3, 1, 2], [], "cgr1993", "big_six")["call"] == "1, 2, 3"


def test_a_peg_gives_the_last_symbol_in_queensland():  # qld s154(2), s160(2)
    for edition in ("qld1985", "qld2004"):
        for name in ("50", "52"):
            answer = line(
                "peg", [{"code": "b", "stake": 1}, {"code": "a", "stake": 1}], edition, name, last="b"
            )
            assert [row["outcome"] for row in answer["settlements"]] == ["win", "lose"]
            assert (answer["result"], answer["call"]) == ("peg", "b")
            for last in (None, "z", 7, ["b"], "peg"):
                assert line("peg", [], edition, name, last=last)["error"]["code"] == "bad_result"


def test_a_peg_is_void_in_the_act():  # act wheel 8.3
    for more in ({}, {"last": "$1"}):
        answer = line("peg", [{"code": "$1", "stake": 9}], "act1999", "52", **more)
        row = answer["settlements"][0]
        assert (row["outcome"], row["returned"], row["rule"]) == ("void", 9, "act wheel 8.3")
        assert answer["call"] == "no spin" and answer["rule"] == "act wheel 8.3"
    assert line("peg", [], "act1999", "52", last="b")["error"]["code"] == "bad_result"
    for name in ("54", "big_six"):
        assert line("peg", [], "cgr1993", name, last="$1")["error"]["code"] == "bad_result"


CAUSES = {
    ("qld1985", "50"): {
        "short_revolutions": "qld s146(3)",
        "malfunction": "qld s155(1)",
        "announced": "qld s155(2)",
    },
    ("act1999", "52"): {
        "short_revolutions": "act wheel 8.1",
        "interference": "act wheel 8.2",
        "malfunction": "act wheel 8.2",
        "peg": "act wheel 8.3",
        "disrupted": "act wheel 10.1",
        "invalidated": "act wheel 10.5",
        "power_lost": "act wheel 10.4",
    },
    ("qld1985", "52"): {"malfunction": "qld s155(1)"},  # qld s161
    ("cgr1993", "big_six"): {"malfunction": "cgr 7"},
}


def test_every_no_spin_gives_the_stake_back():
    for (edition, name), causes in CAUSES.items():
        code = {"qld1985": "a", "act1999": "$1", "cgr1993": "number:1"}[edition]
        for cause, clause in causes.items():
            answer = line("no_spin", [{"code": code, "stake": 700}], edition, name, cause=cause)
            row = answer["settlements"][0]
            assert (row["outcome"], row["pays"], row["returned"], row["rule"]) == ("void", 0, 700, clause)


def test_what_a_spin_must_show():  # qld s146(3), act wheel 5.2; either direction: qld s146(1), act wheel 5.3
    assert wheel.bad_reading("qld1985", {"revolutions": 3}) == "short_revolutions"
    assert wheel.bad_reading("qld1985", {"revolutions": 4, "off_peg": False, "clockwise": False}) is None
    assert wheel.bad_reading("act1999", {"revolutions": 1}) == "short_revolutions"
    assert wheel.bad_reading("act1999", {"revolutions": 2, "off_peg": False}) == "peg"
    assert wheel.bad_reading("act1999", {"revolutions": 2, "untouched": False}) == "interference"
    assert wheel.bad_reading("qld2004", {"revolutions": 9, "working": False}) == "malfunction"


def test_clauses():
    def rules(edition, name, result, codes):
        answer = line(result, [{"code": c, "stake": 1} for c in codes], edition, name)
        return [row["rule"] for row in answer["settlements"]]

    assert rules("qld1985", "50", "a", "ab") == ["qld s154(1)", "qld s149"]
    assert rules("qld1985", "52", "a", "ab") == ["qld s160(1)", "qld s158"]
    assert rules("act1999", "52", "flag", ["flag", "$5"]) == ["act wheel 6.1(g)", "act wheel 7.1"]
    for letter, symbol in zip("abcdefg", wheel.symbols("act1999", "52")):
        assert rules("act1999", "52", symbol, [symbol]) == ["act wheel 6.1(%s)" % letter]
    assert rules("cgr1993", "54", "joker", ["joker", "$1"]) == ["cgr 7(1)", "cgr 7(1)"]


def test_a_wheel_is_one_of_its_editions():
    for edition, name in (("qld1985", "54"), ("act1999", "50"), ("cgr1993", "52"), ("act1999", "big_six")):
        assert line("a", [], edition, name)["error"]["code"] == "bad_game"
    for name in (None, 51, True, [50], {"50": 1}, 50.0, "", 10**5000, -50):
        assert line("a", [], name=name)["error"]["code"] == "bad_game"
    assert line("a", [], name=50)["call"] == "a"


def test_hostile_wagers_and_results():  # act wheel 4.4: the segments on the layout, and no others
    for code in ("A", "i", "", "$1", "number:1", "a:1", "peg", "no_spin"):
        assert line("a", [{"code": code, "stake": 1}])["error"]["code"] == "bad_wager", code
    for code in ("number:0", "number:7", "number:", "number", "1", "$1", "number:01"):
        answer = line([1, 2, 3], [{"code": code, "stake": 1}], "cgr1993", "big_six")
        assert answer["error"]["code"] == "bad_wager", code
    for result in ("z", 1, None, ["a"], {"a": 1}, "", True):
        assert line(result, [])["error"]["code"] == "bad_result"
    for result in ([1, 2], [1, 2, 7], [1, 2, True], "123", 1, [1, 2, 3, 4], [[1], 2, 3]):
        assert line(result, [], "cgr1993", "big_six")["error"]["code"] == "bad_result"
    assert line("a", [], limits={"number": [1, 2]})["error"]["code"] == "bad_wager"


def test_limits_have_each_editions_remedy():
    limits = {"limits": {"*": [500, 1000]}}
    low, high = [{"code": "$1", "stake": 400}], [{"code": "$1", "stake": 1400}]
    for wagers in (low, high):
        answer = line("$1", wagers, "cgr1993", "54", **limits)
        assert answer["error"]["code"] == "bad_stake" and "cgr 7(3)" in answer["error"]["message"]
    row = line("$1", high, "act1999", "52", **limits)["settlements"][0]
    assert (row["accepted"], row["excess"], row["returned"]) == (1000, 400, 2400)
    assert line("$1", low + low, "act1999", "52", **limits)["settlements"][1]["rule"] == "act wheel 3.4"


def test_a_moved_chip_counts_where_it_lies():  # qld s152, act wheel 7.2
    chip = {"belongs": "a", "by": "moved", "unfair": True, "inspector_told": True, "identified": True}
    row = line("a", [{"code": "b", "stake": 1, "moved_chip": chip}])["settlements"][0]
    assert (row["outcome"], row["position"], row["position_rule"]) == ("lose", "b", "qld s152")
    chip = dict(chip, belongs="$1")
    row = line("$1", [{"code": "$5", "stake": 1, "moved_chip": chip}], "act1999", "52")["settlements"][0]
    assert row["position_rule"] == "act wheel 7.2"


def test_procedure():
    assert wheel.PROCEDURE["qld1985"]["no_more_bets"] == "qld s146(4)"
    assert (
        wheel.PROCEDURE["qld1985"]["wager"] == "qld s150(3)"
        and wheel.PROCEDURE["qld1985"]["result"] == "qld s147"
    )
    assert wheel.PROCEDURE["act1999"]["no_more_bets"] == "act wheel 5.1"
    assert wheel.PROCEDURE["act1999"]["wager"] == "act wheel 4.3"
