"""Tri-chro over every pair of balls, 54 and 63: all nineteen wagers against a second reading of qld s467."""

from rules_min import floors, one_shot, tri_chro

BALLS = [colour + star for colour in ("red", "green", "gold") for star in ("", "*")]
RESULTS = [[one, two] for one in BALLS for two in BALLS]

# qld s467(1) and (2) row by row: what both balls must be, the odds with 54, with 63.
ROWS = []
for _a in ("red", "green", "gold"):
    ROWS.append(("star_pair:" + _a, lambda c, s, a=_a: c == [a, a] and s == 2, (65, 1), (90, 1)))
for _a, _b in (("red", "green"), ("green", "gold"), ("gold", "red")):
    ROWS.append(
        (
            "odd_stars:%s-%s" % (_a, _b),
            lambda c, s, a=_a, b=_b: sorted(c) == sorted([a, b]) and s == 2,
            (27, 1),
            (38, 1),
        )
    )
for _a in ("red", "green", "gold"):
    ROWS.append(("pair:" + _a, lambda c, s, a=_a: c.count(a) == 2, (8, 1), (8, 1)))
for _a, _b in (("red", "green"), ("green", "gold"), ("gold", "red")):
    ROWS.append(("odd_pair:%s-%s" % (_a, _b), lambda c, s, a=_a, b=_b: a in c and b in c, (33, 10), (33, 10)))
for _a in ("red", "green", "gold"):
    ROWS.append(("no:" + _a, lambda c, s, a=_a: a not in c, (6, 5), (6, 5)))
for _a in ("red", "green", "gold"):
    ROWS.append(("any:" + _a, lambda c, s, a=_a: a in c, (3, 4), (3, 4)))
ROWS.append(("any_star", lambda c, s: s > 0, (3, 4), (3, 4)))


def test_every_wager_on_every_result():
    assert tuple(row[0] for row in ROWS) == tri_chro.AREAS and len(ROWS) == 19
    for result in RESULTS:
        colours = [ball.replace("*", "") for ball in result]
        stars = sum(ball.endswith("*") for ball in result)
        for balls, column in (("54", 2), ("63", 3)):
            won = tri_chro.winners(result, "qld1985", balls)
            for row in ROWS:
                assert won.get(row[0]) == (row[column] if row[1](colours, stars) else None), (result, row[0])
            assert all(tri_chro.known(area) for area in won)


def test_the_clause_is_the_row_of_the_table():
    assert tri_chro.win_rule("qld1985", "star_pair:red", None, "54") == "qld s467(1)"
    assert tri_chro.lose_rule("qld1985", "any_star", None, "63") == "qld s467(2)"


def test_only_two_sizes_are_played():
    assert {name: row[0] for name, row in tri_chro.EDITIONS["qld1985"].items()} == {
        "54": (18, "qld s461(2)"),  # qld s461(1)-(3)
        "63": (21, "qld s462(2)"),  # qld s462(1)-(3)
    }
    assert tri_chro.STARS == 7
    assert not tri_chro.known("star_pair:blue") and not tri_chro.known("any") and not tri_chro.known("")


def settle(wagers, result, balls=54, **more):
    line = {"game": "tri_chro", "edition": "qld1985", "balls": balls, "result": result, "wagers": wagers}
    line.update(more)
    return one_shot.settle(tri_chro, line)


def test_a_line_of_every_wager():
    wagers = [{"code": row[0], "stake": 2000} for row in ROWS]
    for balls, column in ((54, 2), (63, 3)):
        for result in RESULTS:
            colours = [ball.replace("*", "") for ball in result]
            stars = sum(ball.endswith("*") for ball in result)
            for row, settled in zip(ROWS, settle(wagers, result, balls)["settlements"]):
                to, one = row[column] if row[1](colours, stars) else (0, 1)
                assert settled["pays"] == 2000 * to // one
                assert settled["returned"] == (2000 + settled["pays"] if to else 0)
                assert settled["rule"] == ("qld s467(1)" if balls == 54 else "qld s467(2)")


def test_lines_that_are_not_settled():
    wager = {"code": "any:red", "stake": 100}
    assert settle([wager], ["red", "gold"], 55)["error"]["code"] == "bad_game"
    assert settle([wager], ["red"])["error"]["code"] == "bad_result"
    assert (
        settle([{"code": "odd_pair:green-red", "stake": 100}], ["red", "gold"])["error"]["code"]
        == "bad_wager"
    )
    assert settle([{"code": "any:red", "stake": 101}], ["red", "gold"])["error"]["code"] == "bad_stake"
    for cause, clause in tri_chro.NO_SPIN["qld1985"].items():
        row = settle([wager], "no_spin", cause=cause)["settlements"][0]
        assert (row["outcome"], row["returned"], row["rule"]) == ("void", 100, clause)


def test_what_is_no_result():
    for bad in (None, 7, "red", [], ["red"], ["red", "red", "red"], {"red": 1, "gold": 2}):
        assert tri_chro.bad_result(bad), bad
    for other in ("blue", 1, "red**", "*", "", "Red", None, ["red"], "red *"):
        bad = ["red", other]
        assert tri_chro.bad_result(bad), bad
    assert all(tri_chro.bad_result(result) is None for result in RESULTS)


def test_the_call():
    assert tri_chro.call(["red*", "green"]) == "red star, green"  # qld s463(3)(a)
    assert tri_chro.call(["gold", "gold"]) == "gold, gold"


def test_the_acts_at_the_table():
    acts = tri_chro.PROCEDURE["qld1985"]
    assert (acts["no_more_bets"], acts["wager"]) == ("qld s463(1)", "qld s463(2)")
    assert (acts["activate"], acts["lamps"]) == ("qld s464", "qld s463(3)(b)")


def test_the_areas_that_light():
    # qld s456(5)(b), s463(3)(b): the winning areas of the layout
    assert sorted(tri_chro.winning_areas(["green*", "red*"])) == sorted(
        ["any:red", "any:green", "no:gold", "any_star", "odd_pair:red-green", "odd_stars:red-green"]
    )


def test_what_a_drawing_must_show():
    good = {"mixing_turns": 2, "one_a_turn": 1}
    assert tri_chro.bad_reading("qld1985", good) is None
    assert tri_chro.bad_reading("qld1985", dict(good, mixing_turns=1)) == "short_turns"  # qld s460(a)
    assert tri_chro.bad_reading("qld1985", dict(good, one_a_turn=0)) == "two_a_turn"  # qld s460(b)
    causes = tri_chro.NO_SPIN["qld1985"]
    assert causes["malfunction"] == "qld s466(a)" and causes["not_by_hand"] == "qld s465(3)"
    assert tri_chro.GOES_ON["by_hand"][1] == "qld s465(2)"
    assert tri_chro.GOES_ON["broken_ball"][1] == "qld s465(4)"
    assert tri_chro.NEW_DRAW == ("inspector", "qld s466(b)")


def test_the_floors_under_the_maxima():
    # qld s459(1)(a)-(h), in dollars, for a minimum of $5 or less
    for balls, odd_stars, star_pair in (("54", 35, 15), ("63", 25, 10)):
        least = {"any": 1200, "any_star": 1200, "no": 800, "odd_pair": 300, "pair": 125}
        least.update({"odd_stars": odd_stars, "star_pair": star_pair})
        limits = {kind: [500, dollars * 100] for kind, dollars in least.items()}
        assert floors.bad_floor("tri_chro", "qld1985", balls, limits) is None
        for kind in least:
            lower = dict(limits, **{kind: [500, least[kind] * 100 - 1]})
            assert floors.bad_floor("tri_chro", "qld1985", balls, lower), kind
