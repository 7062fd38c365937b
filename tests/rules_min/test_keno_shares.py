"""Keno's shared prizes and the desk's sums: caps, pro-rating, jackpots, refunds, pools."""

from rules_min import keno, keno_desk, keno_shares

DRAW = list(range(1, 21))
SCHEDULES = {"mine": {str(spots): {"3": 100, str(spots): 7700} for spots in range(5, 12)}}


def settle(wagers, edition="act1999", **more):
    whole = {"game": "keno", "edition": edition, "result": DRAW, "wagers": wagers}
    whole.update(more)
    return keno.settle_line(whole)


def ticket(spots, caught, stake=100, **more):
    numbers = list(range(1, caught + 1)) + list(range(41, 41 + spots - caught))
    return dict({"code": "spots", "numbers": numbers, "stake": stake}, **more)


def prizes(wagers, edition="act1999", **more):
    return [row["pays"] for row in settle(wagers, edition, **more)["settlements"]]


def rules(wagers, edition="act1999", **more):
    return [row["rule"] for row in settle(wagers, edition, **more)["settlements"]]


# -- act keno 9.1


def test_one_way_wins_at_most_50000():
    wagers = [ticket(15, 15), ticket(15, 15, 200), ticket(10, 10, 200), ticket(10, 10, 300)]
    assert prizes(wagers) == [5000000] * 4
    assert rules(wagers) == ["act keno 8.1", "act keno 9.1", "act keno 8.1", "act keno 9.1"]
    ways = {"code": "ways", "ways": [list(range(1, 16)), list(range(2, 17))], "stake": 500}
    assert prizes([ways]) == [10000000]  # each way has its own maximum (act keno 9.7)
    # jackpot tickets are excluded, whatever they caught
    assert prizes([ticket(8, 7, 10000), ticket(8, 7, 10000, jackpot=True)]) == [5000000, 5550000]


# -- act keno 9.2-9.4


def prorated(won):
    """A second reading: those that would fall under $200 set apart, again and again, then shares."""
    kept = set()
    while True:
        major = [n for n, prize in enumerate(won) if prize >= 20000 and n not in kept]
        left = 5000000 - 20000 * len(kept)
        total = sum(won[n] for n in major)
        if total <= left and not kept:
            return list(won)
        under = [n for n in major if won[n] * left < 20000 * total]
        if not under:
            break
        kept.update(under)
    shares = list(won)
    for n in kept:
        shares[n] = 20000
    for n in major:
        shares[n] = won[n] * left // total
    return shares


def test_major_prizes_are_prorated_where_asked():
    wagers = [ticket(10, 10), ticket(15, 15), ticket(2, 2), ticket(2, 1), ticket(9, 9)]
    plain = [2500000, 5000000, 1300, 0, 2000000]
    assert prizes(wagers) == plain == prizes(wagers, prorate=False)
    # $95,000 of major prizes into $50,000
    assert prizes(wagers, prorate=True) == [1315789, 2631578, 1300, 0, 1052631]
    assert rules(wagers, prorate=True)[:3] == ["act keno 9.2", "act keno 9.2", "act keno 8.1"]
    assert prizes([ticket(10, 10), ticket(10, 10)], prorate=True) == [2500000, 2500000]  # $50,000 just


def test_no_major_prize_is_cut_below_200():
    wagers = [ticket(15, 15), ticket(11, 8), ticket(11, 8, 300), ticket(12, 8, 200)]
    assert prizes(wagers) == [5000000, 20000, 60000, 15000]
    # $200 stays (act keno 9.3); $49,800 is shared 5000 : 60, and $150 is no major prize
    assert prizes(wagers, prorate=True) == [4980000 * 5000 // 5060, 20000, 4980000 * 60 // 5060, 15000]
    assert rules(wagers, prorate=True) == ["act keno 9.2", "act keno 9.3", "act keno 9.2", "act keno 8.1"]
    many = [ticket(11, 8, 200)] * 300  # 300 of $400: not even $200 each fits, and it is paid
    assert prizes(many, prorate=True) == [20000] * 300


def test_prorating_against_a_second_reading():
    seed = 1
    for count in (1, 2, 3, 5, 8, 40, 200, 251, 400):
        for _ in range(6):
            won = []
            for _ in range(count):
                seed = (seed * 1103515245 + 12345) % 2**31
                most = (30000, 100000, 5000000)[seed % 3]
                won.append(10 * (1 + (seed >> 4) % (most // 10)))
            ways = [[100, prize, "", 0] for prize in won]
            keno_shares.prorate(ways)
            assert [way[1] for way in ways] == prorated(won)
            major = [way[1] for way, before in zip(ways, won) if before >= 20000]
            assert all(prize >= 20000 for prize in major)
            assert sum(major) <= 5000000 or all(prize == 20000 for prize in major)


def test_prorate_is_act_alone_and_true_or_false():
    assert settle([], prorate=1)["error"]["code"] == "bad_wager"
    assert settle([], "qld1985", prorate=True)["error"]["code"] == "bad_wager"
    assert "error" not in settle([], "qld1985", prorate=False)


def test_each_way_is_prorated_as_a_ticket():
    ways = {"code": "ways", "ways": [list(range(1, 16)), list(range(2, 17))], "stake": 100}
    row = settle([ways], prorate=True)["settlements"][0]
    assert row["pays"] == 5000000 and [piece["pays"] for piece in row["pieces"]] == [2500000, 2500000]


# -- jackpots


def test_a_jackpot_is_the_pool():
    wagers = [ticket(6, 6, jackpot=True), ticket(6, 6), ticket(6, 5, 200, jackpot=True), ticket(8, 8)]
    assert prizes(wagers, jackpot={"6": 12345678}) == [12345678, 100000, 10000, 1250000]
    assert rules(wagers, jackpot={"6": 12345678})[0] == "act keno 4.7(a)"
    # act keno 5.2, 8.1: the starred prizes are guaranteed
    assert prizes([ticket(6, 6, jackpot=True), ticket(8, 8, 300, jackpot=True)]) == [100000, 1250000]
    assert prizes([ticket(8, 8, jackpot=True)], jackpot={"8": 5}) == [1250000]


def test_jackpots_are_shared_by_tickets_and_stakes():
    wagers = [ticket(6, 6, stake, jackpot=True) for stake in (100, 200, 400)]
    assert prizes(wagers, jackpot={"6": 1000000}) == [142857, 285714, 571428]  # act keno 9.5
    assert rules(wagers, jackpot={"6": 1000000}) == ["act keno 9.5"] * 3
    ways = {"code": "ways", "ways": [[1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 7]], "stake": 100, "jackpot": True}
    row = settle([ways], jackpot={"6": 1000001})["settlements"][0]
    assert row["pays"] == 1000000 and row["pieces"][0]["pays"] == 500000


def test_jackpots_stay_out_of_prorating_but_their_lesser_catches_do_not():
    wagers = [ticket(8, 8, jackpot=True), ticket(15, 15), ticket(8, 7, 10000, jackpot=True)]
    found = prizes(wagers, jackpot={"8": 7000000}, prorate=True)
    total = 5000000 + 5550000  # act keno 9.6
    assert found == [7000000, 5000000 * 5000000 // total, 5000000 * 5550000 // total]


def test_the_jackpots_of_qld():
    for spots in range(5, 12):
        wager = ticket(spots, spots, 200, jackpot=True)
        found = settle(
            [wager], "qld1985", schedules=SCHEDULES, jackpot={str(n): n * 1000 for n in range(6, 11)}
        )
        if 6 <= spots <= 10:  # qld s223(1)-(3): each its own pool, total catch only
            row = found["settlements"][0]
            assert (row["pays"], row["rule"]) == (spots * 1000, "qld s223(3)")
        else:
            assert found["error"]["code"] == "bad_wager"
    lesser = settle([ticket(6, 3, 200, jackpot=True)], "qld1985", schedules=SCHEDULES, jackpot={"6": 9})
    assert lesser["settlements"][0]["pays"] == 200
    both = [ticket(6, 6, 100, jackpot=True), ticket(6, 6, 300, jackpot=True), ticket(7, 7, jackpot=True)]
    pools = {"6": 1000, "7": 5000}
    assert prizes(both, "qld1985", schedules=SCHEDULES, jackpot=pools) == [250, 750, 5000]
    assert rules(both, "qld1985", schedules=SCHEDULES, jackpot=pools)[0] == "qld s223(5)"
    assert prizes([ticket(6, 6)], "qld1985", schedules=SCHEDULES, jackpot=pools) == [7700]


def test_what_is_no_jackpot():
    for spots in (1, 5, 7, 9, 15):  # act keno 8.1 stars 6 and 8
        assert settle([ticket(spots, 0, jackpot=True)])["error"]["code"] == "bad_wager"
    for schedule in ("special1", "special2"):  # act keno 8.2: the alternative to the jackpot
        assert settle([ticket(6, 0, jackpot=True, schedule=schedule)])["error"]["code"] == "bad_wager"
    for bad in (1, "yes", None, [], {}):
        assert settle([ticket(6, 0, jackpot=bad)])["error"]["code"] == "bad_wager"
    for bad in ([], 7, None, {"7": 1}, {"6": True}, {"6": -1}, {"6": 1.5}, {"6": 2**63}, {6: 1}, {"06": 1}):
        assert settle([], jackpot=bad)["error"]["code"] == "bad_wager", bad
    no_pool = settle([ticket(6, 0, jackpot=True)], "qld1985", schedules=SCHEDULES, jackpot={"7": 1})
    assert no_pool["error"]["code"] == "bad_wager"
    mixed = {"code": "ways", "ways": [[1, 2, 3, 4, 5, 6], [1, 2]], "stake": 100, "jackpot": True}
    assert settle([mixed])["error"]["code"] == "bad_wager"
    mixed["ways"], mixed["stake"] = [[1, 2, 3, 4, 5, 6]] * 4, 50
    assert settle([mixed])["error"]["code"] == "bad_stake"  # act keno 5.1: $1 a way


# -- the desk


def test_the_pools_shares():
    assert keno_desk.to_pools("qld1985", 10000) == (1500, 0, 0)  # qld s223(4)
    assert keno_desk.to_pools("qld1985", 10) == (2, 0, 0)  # at least 15%: never a part of a cent less
    assert keno_desk.to_pools("act1999", 10000, (3, 1, 1)) == (1500, 500, 500)  # act keno 5.3
    for wagered in (100, 700, 12300):
        for ratio in ((1, 1, 1), (7, 2, 4), (0, 0, 1)):
            assert sum(keno_desk.to_pools("act1999", wagered, ratio)) * 4 == wagered


def test_a_ticket_plays_its_own_games():
    # act keno 10.2, 4.5: ten games from number 41 on
    assert [game for game in range(30, 60) if keno_desk.plays(41, 10, game)] == list(range(41, 51))


def test_sales_end_when_the_draw_begins():
    assert keno_desk.sale_refused("qld1985", False) is None
    assert keno_desk.sale_refused("qld1985", True) == "qld s222(1)"
    assert keno_desk.sale_refused("act1999", True) == "act keno 7.2"


def test_cancelled_tickets_of_act():
    def refund(games, played, drawing=False, closed=False):
        return keno_desk.refund("act1999", 100, 2, games, played, drawing, closed)

    assert refund(1, 0) == (200, "act keno 6.1")
    assert refund(1, 0, True) == (0, "act keno 6.1")
    assert refund(5, 2) == (600, "act keno 6.2")
    assert refund(5, 2, True) == (400, "act keno 6.2")
    assert refund(5, 4, True) == (0, "act keno 6.1")
    assert refund(50, 0) == (9800, "act keno 6.3")  # as it was charged
    assert refund(50, 0, True) == (0, "act keno 6.3") == refund(50, 7)
    assert refund(5, 0, closed=True) == (0, "act keno 6.4")


def test_refunds_of_qld():
    assert keno_desk.refund("qld1985", 100, 1, 10, 3, False) == (700, "qld s219(7)")
    assert keno_desk.refund("qld1985", 100, 1, 10, 9, True) == (0, "qld s219(7)")
    assert keno_desk.CLAIMED_WITHIN["qld1985"] == (28, "days", "qld s220(1)")
    assert keno_desk.CLAIMED_WITHIN["act1999"] == (12, "months", "act keno 11.1")
