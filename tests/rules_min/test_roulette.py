"""Roulette over every pocket and every wager, against a reading of its own of the layout."""

from rules_min import roulette, settlement

REDS = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
ODDS = {1: 35, 2: 17, 3: 11, 4: 8, 5: 6, 6: 5, 12: 2, 18: 1}  # by how many numbers a wager covers


def named(kind, numbers):
    return kind + ":" + "-".join(str(n) for n in numbers)


def layout():
    """{code: numbers} of the layout without a zero: the places a chip can lie on, drawn as a grid."""
    grid = [[3 * row + column for column in (1, 2, 3)] for row in range(12)]
    found = {}
    for r, row in enumerate(grid):
        found[named("street", row)] = row
        for c, n in enumerate(row):
            found[named("straight", [n])] = [n]
            if c < 2:
                found[named("split", row[c : c + 2])] = row[c : c + 2]
            if r < 11:
                below = grid[r + 1]
                found[named("split", [n, below[c]])] = [n, below[c]]
                if c < 2:
                    square = row[c : c + 2] + below[c : c + 2]
                    found[named("corner", square)] = square
        if r < 11:
            found["line:%d-%d" % (row[0], grid[r + 1][2])] = row + grid[r + 1]
    for c in range(3):
        found["column:%d" % (c + 1)] = [row[c] for row in grid]
        found["dozen:%d" % (c + 1)] = list(range(12 * c + 1, 12 * c + 13))
    numbers = range(1, 37)
    found["low"], found["high"] = list(range(1, 19)), list(range(19, 37))
    found["even"], found["odd"] = [n for n in numbers if n % 2 == 0], [n for n in numbers if n % 2]
    found["red"], found["black"] = sorted(REDS), [n for n in numbers if n not in REDS]
    return found


def single_zero():  # qld s135: 0 with 1, 2 or 3; 0-1-2 and 0-2-3; 0-1-2-3. act roulette 4.3(a)-(m)
    found = layout()
    for combination in ([0], [0, 1], [0, 2], [0, 3], [0, 1, 2], [0, 2, 3], [0, 1, 2, 3]):
        kind = ("straight", "split", "street", "corner")[len(combination) - 1]
        found[named(kind, combination)] = combination
    return found


def double_zero():  # cgr 6(2): what touches 0 and 00 on the usual layout, and the five numbers
    found = layout()
    for combination in ([0], ["00"], [0, "00"], [0, 1], [0, 2], ["00", 2], ["00", 3]):
        found[named(("straight", "split")[len(combination) - 1], combination)] = combination
    for combination in ([0, 1, 2], [0, "00", 2], ["00", 2, 3]):
        found[named("street", combination)] = combination
    found["five"] = [0, "00", 1, 2, 3]
    return found


LAYOUTS = {
    "qld1985": single_zero(),
    "qld2004": single_zero(),
    "act1999": single_zero(),
    "cgr1993": double_zero(),
}


def pockets(edition):
    return list(range(37)) + (["00"] if edition == "cgr1993" else [])


def line(result, wagers, edition="act1999", **more):
    whole = {"game": "roulette", "edition": edition, "result": result, "wagers": wagers}
    whole.update(more)
    return settlement.settle_line(whole)


def test_every_wager_on_every_pocket():
    for edition, codes in LAYOUTS.items():
        wagers = [{"code": code, "stake": 500} for code in codes]
        for pocket in pockets(edition):
            answer = line(pocket, wagers, edition)
            assert answer["call"] == str(pocket)
            for wager, row in zip(wagers, answer["settlements"]):
                numbers = codes[wager["code"]]
                odds = ODDS[len(numbers)]
                if pocket in numbers:
                    expected = ("win", 500 * odds, 500 * odds + 500, [odds, 1])
                else:
                    expected = ("lose", 0, 0, None)
                found = (row["outcome"], row["pays"], row["returned"], row["odds"])
                assert found == expected, (edition, pocket, row)


def test_how_many_wagers_there_are():
    assert len(LAYOUTS["qld1985"]) == 37 + 60 + 14 + 23 + 11 + 12
    assert len(LAYOUTS["cgr1993"]) == 38 + 62 + 15 + 22 + 11 + 12 + 1


def all_codes(edition, pocket):
    return set(roulette.winners(pocket, edition))


def test_nothing_else_wins():
    for edition, codes in LAYOUTS.items():
        for pocket in pockets(edition):
            expected = {code for code, numbers in codes.items() if pocket in numbers}
            assert all_codes(edition, pocket) == expected, (edition, pocket)


NONSENSE = (
    "straight:37", "straight:-1", "straight:01", "straight:", "straight", "straight:1-2", "straight:\u0661",
    "straight:\u00b2", "straight:1.0", "straight: 1", "straight:999999999999999999999",
    "split:1-3", "split:2-1", "split:3-4", "split:1-1", "split:1-5", "split:36-37", "split:1-2-3", "split:1",
    "split:0-4", "street:2-3-4", "street:1-2", "street:0-1-3", "street:34-35-36-37", "corner:1-2-3-4",
    "corner:3-4-6-7", "corner:2-1-4-5", "corner:35-36-38-39", "line:2-7", "line:1-5", "line:34-39",
    "line:1-2-3-4-5-6", "line:1", "column:0", "column:4", "column", "dozen:0", "dozen:4", "low:1", "red:1",
    "green", "", ":", "-", "five:0", "voisins:1", "neighbours", "neighbours:37", "neighbours:00",
    "neighbours:-1", "neighbours:1-2", "tier:1",
)  # fmt: skip


def test_what_is_no_wager():
    for edition in roulette.EDITIONS:
        for code in NONSENSE:
            answer = line(1, [{"code": code, "stake": 60}], edition)
            assert answer["error"]["code"] == "bad_wager", (edition, code)


def test_wagers_of_other_editions_are_refused():
    only_cgr = (
        "five",
        "straight:00",
        "split:0-00",
        "split:00-2",
        "split:00-3",
        "street:0-00-2",
        "street:00-2-3",
    )
    for edition in ("qld1985", "qld2004", "act1999"):
        for code in only_cgr:
            assert line(1, [{"code": code, "stake": 60}], edition)["error"]["code"] == "bad_wager", code
    for code in (
        "split:0-3",
        "street:0-2-3",
        "corner:0-1-2-3",
        "split:00-1",
        "street:00-1-2",
        "corner:0-00-1-2",
    ):
        assert line(1, [{"code": code, "stake": 60}], "cgr1993")["error"]["code"] == "bad_wager", code
    for code in ("tier", "orphans", "voisins", "zero_game", "neighbours:5"):
        for edition in ("qld1985", "qld2004", "cgr1993"):
            assert line(1, [{"code": code, "stake": 180}], edition)["error"]["code"] == "bad_wager", code


def test_what_is_no_result():
    for edition in roulette.EDITIONS:
        for result in (-1, 37, "17", "0", "000", None, True, 1.0, [17], {}, 2**63, "peg", ""):
            assert line(result, [], edition)["error"]["code"] == "bad_result", (edition, result)
    assert line("00", [])["error"]["code"] == "bad_result"
    assert line("00", [], "cgr1993")["call"] == "00"


# The race track (act roulette 4.9(a)-(e)), as printed there; two pieces where nine are to be placed.
PLACED = {
    "tier": "5/8 10/11 13/16 23/24 27/30 33/36",
    "orphans": "1 6/9 14/17 17/20 31/34",
    "voisins": "0/2/3 0/2/3 4/7 12/15 18/21 19/22 25/26/28/29 25/26/28/29 32/35",
    "zero_game": "0/3 12/15 26 32/35",
}
WHEEL_TEXT = (
    "0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 35 3 26"
)
WHEEL = WHEEL_TEXT.split()


def placed():
    found = {code: text.split() for code, text in PLACED.items()}
    for at, number in enumerate(WHEEL):
        found["neighbours:" + number] = [WHEEL[(at + step) % 37] for step in (-2, -1, 0, 1, 2)]
    return found


def test_the_race_track_piece_by_piece():
    for code, pieces in placed().items():
        each = 120
        stake = each * len(pieces)
        for pocket in range(37):
            winning = [p for p in pieces if str(pocket) in p.split("/")]
            pays = sum(each * ODDS[p.count("/") + 1] for p in winning)
            row = line(pocket, [{"code": code, "stake": stake}])["settlements"][0]
            assert row["outcome"] == ("win" if winning else "lose"), (code, pocket)
            assert (row["pays"], row["returned"]) == (pays, pays + each * len(winning))
            assert len(row["pieces"]) == len(pieces) and row["odds"] is None
            assert sum(p["stake"] for p in row["pieces"]) == stake
            assert sum(p["returned"] for p in row["pieces"]) == row["returned"]
            assert row["rule"].startswith("act roulette 4.9(")


def test_how_many_numbers_the_race_track_covers():
    covered = {code: set("/".join(pieces).split("/")) for code, pieces in placed().items()}
    three = covered["tier"], covered["orphans"], covered["voisins"]
    assert [len(numbers) for numbers in three] == [12, 8, 17]
    assert len(three[0] | three[1] | three[2]) == 37


def test_a_race_track_stake_divides_by_its_pieces():
    for code, pieces in placed().items():
        count = len(pieces)
        assert line(5, [{"code": code, "stake": 100 * count + 1}])["error"]["code"] == "bad_stake"
        voided = line("no_spin", [{"code": code, "stake": 100 * count}], cause="ball_out")["settlements"][0]
        assert (voided["outcome"], voided["returned"]) == ("void", 100 * count)


def test_a_maximum_cuts_the_race_track_to_whole_pieces():
    row = line(5, [{"code": "tier", "stake": 1200}], limits={"tier": [100, 1000]})["settlements"][0]
    assert (row["accepted"], row["excess"]) == (996, 204)
    assert (row["pays"], row["returned"]) == (166 * 17, 166 * 18 + 204)


def test_clauses():
    def rules(edition, pocket, codes):
        return [
            r["rule"] for r in line(pocket, [{"code": c, "stake": 1} for c in codes], edition)["settlements"]
        ]

    assert rules("qld1985", 17, ["red", "black"]) == ["qld s135", "qld s143(1)"]
    assert rules("qld1985", 0, ["straight:0", "even"]) == ["qld s143(3)", "qld s143(2)"]
    assert rules("cgr1993", "00", ["five", "red"]) == ["cgr 6(2)", "cgr 6(2)"]
    assert rules("act1999", 0, ["split:0-3", "red"]) == ["act roulette 7.3(a)", "act roulette 7.3(b)"]
    assert rules("act1999", 9, ["split:0-3"]) == ["act roulette 7.1"]
    kinds = [
        "straight:2",
        "split:2-5",
        "street:1-2-3",
        "corner:1-2-4-5",
        "line:1-6",
        "column:2",
        "dozen:1",
        "low",
    ]
    kinds += ["even", "black"]
    letters = [rule[-2] for rule in rules("act1999", 2, kinds)]  # act roulette 6.1(a)-(m)
    assert letters == ["a", "b", "c", "d", "e", "f", "g", "h", "j", "m"]
    assert [rule[-2] for rule in rules("act1999", 19, ["high", "odd", "red"])] == ["i", "k", "l"]


CAUSES = {
    "qld1985": {
        "same_direction": "qld s144(1)",
        "short_revolutions": "qld s144(2)",
        "foreign_object": "qld s144(3)",
        "hung_up": "qld s144(3)",
        "ball_out": "qld s144(4)",
        "announced": "qld s144(5)",
    },
    "act1999": {
        "same_direction": "act roulette 9.1",
        "short_revolutions": "act roulette 9.2",
        "foreign_object": "act roulette 9.3",
        "not_in_pocket": "act roulette 9.4",
        "ball_out": "act roulette 9.5",
        "disrupted": "act roulette 10.1",
        "invalidated": "act roulette 10.5",
        "power_lost": "act roulette 10.4",
    },
    "cgr1993": {
        "same_direction": "cgr 6(4)(a)",
        "short_revolutions": "cgr 6(4)(b)",
        "foreign_object": "cgr 6(4)(c)",
    },
}


def test_every_no_spin_gives_the_stake_back():
    for edition, causes in CAUSES.items():
        for cause, clause in causes.items():
            answer = line("no_spin", [{"code": "red", "stake": 700}], edition, cause=cause)
            row = answer["settlements"][0]
            assert (row["outcome"], row["pays"], row["returned"], row["rule"]) == ("void", 0, 700, clause)
    assert line("no_spin", [], "cgr1993", cause="ball_out")["error"]["code"] == "bad_result"


def good(edition, **but):
    reading = {"against": True, "clear": True, "in_wheel": True, "free": True, "in_pocket": True}
    reading["revolutions"] = 3 if edition == "act1999" else 4
    reading.update(but)
    return roulette.bad_reading(edition, reading)


def test_what_a_spin_must_show():  # qld s132(1), act roulette 5.1-5.2, cgr 6(3)(a)
    for edition in roulette.EDITIONS:
        assert good(edition) is None
        assert good(edition, against=False) == "same_direction"
        assert good(edition, clear=False) == "foreign_object"
        short = 2 if edition == "act1999" else 3
        assert good(edition, revolutions=short) == "short_revolutions"
    assert good("qld1985", free=False) == "hung_up" and good("qld1985", in_wheel=False) == "ball_out"
    assert good("act1999", in_pocket=False) == "not_in_pocket"


def test_the_wheels():
    assert [str(n) for n in roulette.ORDER_0] == WHEEL
    assert sorted(roulette.ORDER_0) == list(range(37))  # qld s131(2)-(2A), act roulette 2.1
    assert sorted(roulette.ORDER_00) == list(range(-1, 37))
    reds = [n in REDS for n in roulette.ORDER_0[1:]]
    assert reds == [True, False] * 18  # act roulette 2.1: alternately red and black


def moved(edition, **told):
    chip = {"belongs": "straight:17", "by": "moved"}
    chip.update(told)
    return line(17, [{"code": "straight:20", "stake": 100, "moved_chip": chip}], edition)["settlements"][0]


def test_a_moved_chip():
    for by in ("moved", "misplaced"):  # qld s140(1)-(2): unfair, and an inspector told first
        settled = moved("qld1985", by=by, unfair=True, inspector_told=True)
        assert (settled["position"], settled["position_rule"]) == ("straight:17", "qld s140(1)")
        assert settled["pays"] == 3500
        assert moved("qld1985", by=by, unfair=True)["position_rule"] == "qld s139"
    assert moved("act1999", unfair=True, inspector_told=True)["position_rule"] == "act roulette 7.2"
    assert moved("cgr1993", unfair=True, inspector_told=True)["position_rule"] == "cgr 6(1)(d)"
    assert moved("cgr1993", unfair=True, inspector_told=True)["outcome"] == "lose"


def test_procedure():
    assert roulette.PROCEDURE["qld1985"]["wager"] == "qld s136(4)"
    assert roulette.PROCEDURE["qld1985"]["no_more_bets"] == "qld s132(2)"
    assert roulette.PROCEDURE["qld1985"]["result"] == "qld s133(1)"
    assert roulette.PROCEDURE["act1999"]["wager"] == "act roulette 4.4"
    assert roulette.PROCEDURE["act1999"]["no_more_bets"] == "act roulette 5.3"
    assert roulette.PROCEDURE["cgr1993"]["no_more_bets"] == "cgr 6(3)(b)"
    assert roulette.PROCEDURE["cgr1993"]["result"] == "cgr 6(3)(c)"


def test_a_void_composite_lists_its_pieces():  # act roulette 9.1
    line = {"edition": "act1999", "game": "roulette", "result": "no_spin", "cause": "ball_out"}
    line["wagers"] = [{"code": "voisins", "stake": 900}]
    row = settlement.settle_line(line)["settlements"][0]
    assert (row["outcome"], row["returned"]) == ("void", 900)
    assert len(row["pieces"]) >= 7 and sum(piece["returned"] for piece in row["pieces"]) == 900
