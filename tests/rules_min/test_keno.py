"""Keno against a second reading of the texts: every prize of every schedule, tickets, ways, the draw."""

from rules_min import keno, keno_draw, keno_prizes, keno_tickets

DRAW = [7, 80, 1, 33, 12, 45, 46, 47, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71]
MISSED = [n for n in range(1, 81) if n not in DRAW]

# act keno 8.1 as it is printed: a line a match, a column a number of selections.
PRINTED = (
    (1, 5, "0 0 0 0 1 | 3 0 0 0 0 | - 13 2 1 0 | - - 36 5 1 | - - - 113 10 | - - - - 530"),
    (
        6,
        10,
        "0 1 1 2 3 | 0 0 0 0 0 | 0 0 0 0 0 | 1 1 0 0 0 | 4 3 1 2 1 | 50 10 5 4 3 | 1000 155 50 15 12"
        " | - 5000 555 150 50 | - - 12500 3000 500 | - - - 20000 7500 | - - - - 25000",
    ),
    (
        11,
        15,
        "4 6 8 10 12 | 1 1 1 1 2 | 0 0 0 0 0 | 0 0 0 0 0 | 0 0 0 0 0 | 2 1 1 1 0 | 5 5 3 2 2 | 32 15 7 5 5"
        " | 200 75 40 15 15 | 1500 600 250 150 50 | 10000 4000 2000 500 350 | 30000 12000 9000 5500 1600"
        " | - 35000 20000 15000 8000 | - - 40000 25000 15000 | - - - 45000 30000 | - - - - 50000",
    ),
)
SPECIAL_1 = {(6, 0): 1, (6, 3): 1, (6, 4): 6, (6, 5): 50, (6, 6): 1200}
SPECIAL_1.update({(8, 0): 1, (8, 4): 2, (8, 5): 9, (8, 6): 60, (8, 7): 1000, (8, 8): 12500})
SPECIAL_2 = {(3, 3): 56, (4, 4): 252, (5, 5): 1200, (6, 6): 6000}


def printed():
    """{(selected, matched): dollars} of act keno 8.1."""
    found = {}
    for first, last, text in PRINTED:
        for matched, line in enumerate(text.split(" | ")):
            for column, word in enumerate(line.split()):
                assert first + column <= last
                if word != "-":
                    found[first + column, matched] = int(word)
    return found


def expected(schedule, spots, caught):
    """Dollars for $1, by the texts of act keno 8.1-8.3; None: no such ticket."""
    if schedule == "special2":
        return SPECIAL_2.get((spots, caught), 0) if 3 <= spots <= 6 else None
    if schedule == "special1" and spots in (6, 8):
        return SPECIAL_1.get((spots, caught), 0)
    return printed().get((spots, caught)) if spots <= 15 else None


def numbers(spots, caught):
    return DRAW[:caught] + MISSED[: spots - caught]


def settle(wagers, edition="act1999", result=DRAW, **more):
    whole = {"game": "keno", "edition": edition, "result": result, "wagers": wagers}
    whole.update(more)
    return keno.settle_line(whole)


def ticket(spots, caught, stake=100, **more):
    wager = {"code": "spots", "numbers": numbers(spots, caught), "stake": stake}
    wager.update(more)
    return wager


def only(wager, edition="act1999", **more):
    answer = settle([wager], edition, **more)
    return answer["settlements"][0] if "settlements" in answer else answer["error"]


def money(row):
    return row["outcome"], row["pays"], row["returned"]


CLAUSES = {"standard": "act keno 8.1", "special1": "act keno 8.2", "special2": "act keno 8.3"}


def test_every_prize_of_every_printed_schedule():
    assert len(printed()) == sum(spots + 1 for spots in range(1, 16))
    for schedule, clause in CLAUSES.items():
        for spots in range(1, 21):
            for caught in range(min(spots, 20) + 1):
                row = only(ticket(spots, caught, 300, schedule=schedule, player="p"))
                dollars = expected(schedule, spots, caught)
                if dollars is None:
                    assert row["code"] == "bad_wager", (schedule, spots)
                    continue
                cents = min(dollars * 300, 5000000)  # act keno 9.1
                assert money(row) == ("win" if cents else "lose", cents, cents), (schedule, spots, caught)
                assert row["odds"] is None and row["player"] == "p"
                if cents < 5000000:
                    assert row["rule"] == (clause if cents else "act keno 10.1(b)")


def test_the_standard_schedule_is_the_default():
    # act keno 4.7(f): a standard entry; act keno 4.7(d) asks for a special one
    assert only(ticket(2, 2))["pays"] == 1300 == only(ticket(2, 2, schedule="standard"))["pays"]


# -- qld: schedules come with the line


MINE = {"1": {"1": 300}, "6": {"0": 50, "3": 100, "4": 405, "6": 150000}, "10": {"10": 10**8}}


def test_a_given_schedule_pays_the_one_prize_of_the_catch():  # qld s219(1)(a), act keno 10.1(a)
    for spots in (1, 6, 10):
        for caught in range(spots + 1):
            cents = MINE[str(spots)].get(str(caught), 0) * 2
            row = only(ticket(spots, caught, 200, schedule="mine"), "qld1985", schedules={"mine": MINE})
            assert money(row) == ("win" if cents else "lose", cents, cents)
            assert row["rule"] == ("qld s219(1)(b)" if cents else "qld s219(1)")  # qld s219(2): one prize
    assert only(ticket(6, 4, 200), "qld1985", schedules={"only": MINE})["pays"] == 810


def test_what_is_no_schedule_in_qld():
    both = {"mine": MINE, "other": MINE}
    assert only(ticket(6, 4), "qld1985")["code"] == "bad_wager"  # none given: qld s210, approved per casino
    assert only(ticket(6, 4), "qld1985", schedules=both)["code"] == "bad_wager"  # which?
    assert only(ticket(6, 4, schedule="standard"), "qld1985", schedules=both)["code"] == "bad_wager"
    assert only(ticket(5, 4), "qld1985", schedules={"mine": MINE})["code"] == "bad_wager"  # qld s213(1)
    for bad in ({"0": {}}, {"81": {}}, {"06": {}}, {"6": []}, {"6": {"7": 1}}, {"6": {"3": True}}, 7):
        assert only(ticket(6, 4), "qld1985", schedules={"mine": bad})["code"] == "bad_wager"
    for bad in ({"6": {"3": 1.0}}, {"6": {"3": -1}}, {"30": {"21": 1}}, {"²": {}}, {"": {}}, {6: {}}):
        assert only(ticket(6, 4), "qld1985", schedules={"mine": bad})["code"] == "bad_wager"
    assert only(ticket(6, 4), "qld1985", schedules=[])["code"] == "bad_wager"


def test_cents_that_do_not_come_out_whole_are_a_bad_stake():
    assert only(ticket(6, 4, 50), "qld1985", schedules={"mine": MINE})["code"] == "bad_stake"  # 202.5
    assert only(ticket(6, 3, 50), "qld1985", schedules={"mine": MINE})["pays"] == 50


def test_act_takes_only_its_third_special_schedule_from_a_line():
    given = {"special3": {"4": {"4": 30000}}}  # act keno 8.4: approved before use
    row = only(ticket(4, 4, 200, schedule="special3"), schedules=given)
    assert (row["pays"], row["rule"]) == (60000, "act keno 8.4")
    assert only(ticket(4, 4, schedule="special3"))["code"] == "bad_wager"
    assert only(ticket(4, 4, schedule="mine"), schedules={"mine": {}})["code"] == "bad_wager"


# -- ways


def test_ways_are_tickets_of_their_own():  # act keno 4.7(g)
    wager = {"code": "ways", "ways": [numbers(3, 3), numbers(3, 1), numbers(3, 2), [5]], "stake": 50}
    row = only(wager)
    assert money(row) == ("win", 1900, 1900) and row["stake"] == 50
    assert [piece["pays"] for piece in row["pieces"]] == [1800, 0, 100, 0]  # act keno 9.7
    assert [piece["outcome"] for piece in row["pieces"]] == ["win", "lose", "win", "lose"]
    assert [piece["numbers"] for piece in row["pieces"]] == wager["ways"]
    assert row["pieces"][1]["rule"] == "act keno 10.1(b)"
    lost = only({"code": "ways", "ways": [numbers(3, 1), numbers(3, 0)], "stake": 100})
    assert money(lost) == ("lose", 0, 0)


def test_what_is_no_way_ticket():
    for ways in (None, [], {}, 7, "ab", [[]], [[1, 1]], [[1], 2], [[0]], [[81]], [[True]], [[1.0]]):
        assert only({"code": "ways", "ways": ways, "stake": 100})["code"] == "bad_wager", ways
    one = {"code": "ways", "ways": [numbers(6, 6)], "stake": 100}
    assert only(one)["pays"] == 100000
    one["schedule"] = "special1"  # act keno 8.2: at least two ways
    assert only(one)["code"] == "bad_wager"
    one["schedule"] = "mine"  # qld s216(1): two or more ways
    assert only(one, "qld1985", schedules={"mine": MINE})["code"] == "bad_wager"


def test_what_is_no_spot_ticket():
    for bad in (None, [], {}, 7, "12", [1, 1], [0], [81], [True], [1.0], [2**63], [[1]], list(range(1, 17))):
        assert only({"code": "spots", "numbers": bad, "stake": 100})["code"] == "bad_wager", bad
    for bad in ({"code": "spot", "numbers": [1], "stake": 100}, {"code": [], "stake": 1}, [], None, 7):
        assert only(bad)["code"] == "bad_wager"
    for field, bad in (("schedule", 7), ("schedule", None), ("schedule", []), ("player", [7])):
        assert only(dict(ticket(2, 2), **{field: bad}))["code"] == "bad_wager"
    assert settle([ticket(2, 2), ticket(2, 2), {}])["error"]["wager"] == 2
    outside = settle([ticket(2, 2), ticket(2, 2, 900), {}], limits={"*": [100, 500]})["error"]
    assert (outside["wager"], outside["code"]) == (1, "bad_stake")  # the first thing wrong is said


# -- stakes, games, price


def good_act_stake(stake, ways):
    """act keno 3.1(c)(i), (ii), (iii) and 3.1 with its last sentence, written from the text."""
    least = 100
    for many, cents in ((4, 50), (20, 20), (50, 10)):
        if ways >= many:
            least = cents
    if stake < least or stake * ways > 999900:
        return False
    return stake % 10 == 0 if stake <= 100 else stake % 100 == 0


def test_stakes_of_act():
    for ways in (1, 2, 3, 4, 5, 19, 20, 21, 49, 50, 51, 120):
        for stake in list(range(130)) + [150, 200, 990, 1000, 1010, 999900, 1000000]:
            wager = {"code": "ways", "ways": [[n % 80 + 1] for n in range(ways)], "stake": stake}
            row = only(wager)
            assert ("outcome" in row) == good_act_stake(stake, ways), (ways, stake)
            assert "outcome" in row or row["code"] == "bad_stake"
    assert only(ticket(1, 1, 999900))["pays"] == 999900 * 3
    assert only(ticket(1, 1, 50))["code"] == "bad_stake"


def test_stakes_of_qld():
    for stake in list(range(130)) + [150, 155, 1000, 1005]:
        row = only(ticket(1, 0, stake), "qld1985", schedules={"mine": MINE})
        good = stake >= 50 and stake % 10 == 0  # qld s216(3)(b), s216(4)(b)
        assert ("outcome" in row) == good and (good or row["code"] == "bad_stake"), stake
        row = only(ticket(6, 0, stake, jackpot=True), "qld1985", schedules={"mine": MINE}, jackpot={"6": 1})
        assert ("outcome" in row) == (stake > 0 and stake % 100 == 0)  # qld s216(3)(a), s216(4)(a)
    five = {"code": "ways", "ways": [[n] for n in range(1, 6)], "stake": 10}
    assert "outcome" in only(five, "qld1985", schedules={"mine": MINE})  # 50c the ticket
    four = {"code": "ways", "ways": [[n] for n in range(1, 5)], "stake": 10}
    assert only(four, "qld1985", schedules={"mine": MINE})["code"] == "bad_stake"


def test_stakes_that_are_none():
    for stake in (None, True, 1.0, "100", [], {}, -100, 0, 2**63, 10**400, float("inf")):
        assert only(ticket(2, 2, stake))["code"] == "bad_stake", stake


def test_the_price_of_a_long_ticket():
    # act keno 3.1(a)-(b): one game fewer from 50 to 99, two from 100
    for games, charged in ((1, 1), (2, 2), (49, 49), (50, 49), (99, 98), (100, 98), (150, 148), (1000, 998)):
        assert only(ticket(2, 2, games=games))["price"] == charged * 100
        ways = {"code": "ways", "ways": [[1], [2], [3], [4]], "stake": 50, "games": games}
        assert only(ways)["price"] == charged * 200
    assert "price" not in only(ticket(2, 2))
    assert "price" not in only(ticket(2, 2, price=7))  # ours to say
    assert only(ticket(2, 2, 10000, games=101))["price"] == 990000
    assert only(ticket(2, 2, 10000, games=102))["code"] == "bad_stake"  # act keno 3.1: $9,999 a ticket
    for bad in (0, -1, True, 1.0, "2", None, []):
        assert only(ticket(2, 2, games=bad))["code"] == "bad_wager", bad
    # qld s213(2): ten games, each charged
    assert only(ticket(1, 1, games=10), "qld1985", schedules={"m": MINE})["price"] == 1000
    assert only(ticket(1, 1, games=11), "qld1985", schedules={"m": MINE})["code"] == "bad_wager"


def test_limits_of_a_table():
    table = {"spots": [100, 1000], "*": [200, 500]}
    rows = settle([ticket(1, 1, 1500, player="a"), ticket(1, 0, 1500), ticket(1, 1, 50, player="a"),
                   ticket(1, 1, 60, player="a")],
                  "qld1985", schedules={"mine": MINE}, limits=table)["settlements"]  # fmt: skip
    assert money(rows[0]) == ("win", 3000, 3500) and (rows[0]["accepted"], rows[0]["excess"]) == (1000, 500)
    assert money(rows[1]) == ("lose", 0, 500)
    assert money(rows[2]) == ("win", 150, 150)  # qld s5(2)(a): valid once
    assert money(rows[3]) == ("void", 0, 60) and rows[3]["rule"] == "qld s5(2)(a)"
    wager = {"code": "ways", "ways": [numbers(1, 1), numbers(1, 0), numbers(1, 0)], "stake": 700}
    row = only(wager, "qld1985", schedules={"mine": MINE}, limits=table)
    assert money(row) == ("win", 1500, 2100) and row["pieces"][0]["stake"] == 500
    wager["stake"], twice = 100, [wager, wager]
    row = settle(twice, "qld1985", schedules={"mine": MINE}, limits=table)["settlements"][1]
    assert money(row) == ("void", 0, 300) and "pieces" not in row  # all three ways go back
    assert only(ticket(1, 1, 1100), limits=table)["code"] == "bad_stake"  # act names no remedy
    assert only(ticket(1, 1, 100), limits={"small": [1, 2]})["code"] == "bad_wager"


# -- the draw


def test_a_result_is_twenty_numbers():  # qld s222(4), act keno 7.1
    short = DRAW[:19]
    for bad in (None, [], short, DRAW + [2], short + [7], short + [81], short + [True], "a" * 20):
        assert settle([], result=bad)["error"]["code"] == "bad_result", bad
    answer = settle([])
    assert answer["result"] == DRAW and answer["settlements"] == []
    assert answer["call"].startswith("7, 80, 1, 33, ")  # qld s212(b): each as it is drawn


def test_a_draw_without_a_result():
    for edition in ("qld1985", "act1999"):
        for cause, (follows, clause) in keno_draw.MISHAPS[edition].items():
            wager = {"code": "ways", "ways": [[1], [2]], "stake": 100}
            given = {} if edition == "act1999" else {"mine": MINE}
            answer = settle([wager], edition, "no_spin", cause=cause, schedules=given)
            if follows not in (keno_draw.REDRAWN, keno_draw.REFUNDED):
                assert answer["error"]["code"] == "bad_result", cause
                continue
            row = answer["settlements"][0]
            assert row["rule"] == clause == answer["rule"] and answer["call"] == "no spin"
            assert money(row) == ("void", 0, 200)
    for bad in (None, "", "not_flat", [], 7):
        assert settle([], result="no_spin", cause=bad)["error"]["code"] == "bad_result"


def test_which_mishap_does_what():
    qld, act = keno_draw.MISHAPS["qld1985"], keno_draw.MISHAPS["act1999"]
    assert qld["broken_ball"] == ("goes_on", "qld s222(8)")
    assert act["broken_ball"] == ("redrawn", "act keno 12.4(a)")
    assert qld["malfunction"] == ("redrawn", "qld s222(13)")
    assert act["malfunction"] == ("redrawn", "act keno 12.3") and act["interrupted"][0] == "goes_on"
    assert act["fallen_back"] == ("goes_on", "act keno 12.4(b)") and act["spill"][1] == "act keno 12.4(c)"
    assert qld["device_stopped"] == ("by_hand", "qld s222(10)")
    assert act["device_stopped"] == ("by_hand", "act keno 12.4(d)")
    assert qld["display_error"] == ("record", "qld s222(7)")
    assert act["display_error"] == ("record", "act keno 12.1")
    assert act["disrupted"][1] == "act keno 14.1" and act["invalidated"][1] == "act keno 14.4"
    assert keno_draw.REFUND == "act keno 14.5"
    assert keno_draw.NEW_DRAW["qld1985"] == ("inspector", "qld s222(14)")


def test_the_acts_of_a_draw():
    qld, act = keno_draw.PROCEDURE["qld1985"], keno_draw.PROCEDURE["act1999"]
    assert (qld["wager"], qld["no_more_bets"], qld["activate"]) == (
        "qld s222(1)",
        "qld s222(2)",
        "qld s211(1)",
    )
    assert (act["wager"], act["no_more_bets"], act["call"]) == (
        "act keno 1.2",
        "act keno 7.2",
        "act keno 7.3",
    )
    assert qld["result"] == "qld s222(5)" and act["result"] == "act keno 7.1"


def test_how_a_ball_device_draws():
    assert keno_draw.bad_reading("qld1985", {"mixing_turns": 1, "one_a_turn": 1}) is None
    assert keno_draw.bad_reading("qld1985", {"mixing_turns": 0, "one_a_turn": 1}) == "short_turns"
    assert keno_draw.bad_reading("qld1985", {"mixing_turns": 1, "one_a_turn": 0}) == "two_a_turn"
    assert keno_draw.MISHAPS["qld1985"]["two_a_turn"] == ("redrawn", "qld s222(11)(a)")
    assert keno_draw.bad_reading("act1999", {"available": 80, "mixing_turns": 0}) is None
    assert keno_draw.bad_reading("act1999", {"available": 79}) == "short_set"  # act keno 12.2


def test_readings_are_named():
    assert all(isinstance(words, str) for words in keno.READINGS.values())
    assert set(keno.EDITIONS) == {"qld1985", "act1999"} == set(keno_draw.MISHAPS)
    assert keno_prizes.number_of("20") == 20 and keno_prizes.number_of("020") == -1
    assert keno_tickets.least_stake("act1999", 3) == 100
