"""Limits: what each edition does with stakes outside them, and how limits themselves may change."""

from rules_min import floors, limits

MINUTE_MS = 60000
LOW, HIGH = {"*": [500, 10000]}, {"*": [1000, 10000]}


def test_the_exact_code_comes_before_its_kind_and_the_kind_before_all():
    table = {"single:3": [1, 10], "single": [2, 20], "*": [3, 30]}
    assert [limits.limit_for(table, code)[0] for code in ("single:3", "single:4", "big")] == [1, 2, 3]
    assert limits.limit_for({}, "big") == (1, None)


def test_under_the_minimum_counts_once_for_each_player():  # qld s5(2)(a), act sicbo 3.4
    for game, edition, clause in (
        ("sic_bo", "qld1985", "qld s5(2)(a)"),
        ("sic_bo", "act1999", "act sicbo 3.4"),
        ("roulette", "act1999", "act roulette 3.4"),
        ("wheel", "act1999", "act wheel 3.4"),
        ("pai_gow_dice", "act1999", "act pai gow 5.6"),
    ):
        warned = set()
        assert limits.taken(game, edition, LOW, "x", 499, "a", warned) == (499, None)
        assert limits.taken(game, edition, LOW, "x", 499, "a", warned) == (0, clause)
        assert limits.taken(game, edition, LOW, "x", 499, "b", warned) == (499, None)
        assert limits.taken(game, edition, LOW, "x", 500, "a", warned) == (500, None)


def test_over_the_maximum_counts_to_the_maximum():  # qld s5(2)(b), act sicbo 3.5
    for game, edition, clause in (
        ("two_up", "qld1985", "qld s5(2)(b)"),
        ("sic_bo", "act1999", "act sicbo 3.5"),
        ("roulette", "act1999", "act roulette 3.5"),
        ("wheel", "act1999", "act wheel 3.5"),
        ("pai_gow_dice", "act1999", "act pai gow 5.7"),
    ):
        assert limits.taken(game, edition, LOW, "x", 10001, None, set()) == (10000, clause)
        assert limits.taken(game, edition, LOW, "x", 10000, None, set()) == (10000, None)


def test_where_no_remedy_is_named_the_wager_is_refused():
    for game, edition, clause in (
        ("roulette", "cgr1993", "cgr 6(1)(e)"),
        ("wheel", "cgr1993", "cgr 7(3)"),
        ("craps", "cgr1993", "cgr 2(6)(e)"),
        ("keno", "act1999", "act keno 3.1"),
    ):
        assert limits.taken(game, edition, LOW, "x", 499, None, set()) == (None, clause)
        assert limits.taken(game, edition, LOW, "x", 10001, None, set()) == (None, clause)
        assert limits.taken(game, edition, LOW, "x", 700, None, set()) == (700, None)
        assert limits.offered(game, edition, LOW, "x", 499) == clause


def test_a_marker_lets_one_player_wager_higher():
    # act sicbo 3.2, act roulette 3.2, act wheel 3.2, act pai gow 5.2
    for game in ("sic_bo", "roulette", "wheel", "pai_gow_dice"):
        assert limits.offered(game, "act1999", LOW, "x", 15000, marker=20000) is None
        assert limits.offered(game, "act1999", LOW, "x", 20001, marker=20000)
        assert limits.taken(game, "act1999", LOW, "x", 15000, "a", set(), 20000) == (15000, None)
        assert limits.taken(game, "act1999", LOW, "x", 25000, "a", set(), 20000)[0] == 20000
        assert limits.taken(game, "act1999", LOW, "x", 15000, "a", set(), 9000)[0] == 10000
    assert limits.offered("sic_bo", "qld1985", LOW, "x", 15000, marker=20000) == "qld s5(1)(b)"


def test_increments_are_never_over_the_minimum():  # qld s5(3)
    assert limits.bad_increments("sic_bo", "qld1985", {"*": 500}, LOW) is None
    assert "qld s5(3)" in limits.bad_increments("sic_bo", "qld1985", {"*": 501}, LOW)
    assert "no increments" in limits.bad_increments("roulette", "cgr1993", {"*": 5}, LOW)
    for wrong in (7, {"*": 0}, {"*": True}, {"*": "5"}, {"*": 1.0}):
        assert limits.bad_increments("sic_bo", "qld1985", wrong, LOW)
    assert limits.offered("sic_bo", "qld1985", LOW, "x", 750, increment=500) == "qld s5(3)"
    assert limits.offered("sic_bo", "act1999", LOW, "x", 750, increment=500) == "act sicbo 3.3"
    assert limits.offered("sic_bo", "qld1985", LOW, "x", 1000, increment=500) is None
    for game, clause in (
        ("roulette", "act roulette 3.3"),
        ("wheel", "act wheel 3.3"),
        ("pai_gow_dice", "act pai gow 5.5"),
    ):
        assert limits.offered(game, "act1999", LOW, "x", 750, increment=500) == clause


def test_a_higher_minimum_waits_twenty_minutes():
    for game, clause in (
        ("sic_bo", "qld s74(3)"),
        ("craps", "qld s113(4)"),
        ("roulette", "qld s141(4)"),
        ("wheel", "qld s153(4)"),
        ("two_up", "qld s171(4)"),
        ("mini_dice", "qld s183(3)"),
    ):
        ask = (game, "qld1985", LOW, HIGH, ("*",))
        assert limits.notice(game, "qld1985") == (20, clause)
        assert limits.may_change(*(ask + (None, 5))) == (None, clause)
        assert limits.may_change(*(ask + (7, 8))) == (7 + 20 * MINUTE_MS, clause)
        lowered = (game, "qld1985", HIGH, LOW, ("*",), None, 5)
        assert limits.may_change(*lowered) == (5, None)
    for game in ("tri_chro", "triple_two_up", "keno"):
        assert limits.notice(game, "qld1985") is None


def test_the_2004_rule_repeals_the_notice_but_for_mini_dice():
    # qld2004 sch 10 s10(3), qld2004 sch 9 s11(3), qld2004 sch 12 s10(3)
    for game in ("sic_bo", "roulette", "wheel"):
        assert limits.notice(game, "qld2004") is None
        assert limits.may_change(game, "qld2004", LOW, HIGH, ("*",), None, 5) == (5, None)
    assert limits.notice("mini_dice", "qld2004") == (20, "qld s183(3)")


def test_act_wants_prior_notice_of_any_change():  # act sicbo 3.1, act roulette 3.1, act wheel 3.1
    wider = {"*": [500, 20000]}
    assert limits.may_change("sic_bo", "act1999", LOW, wider, ("*",), None, 5) == (None, "act sicbo 3.1")
    assert limits.may_change("wheel", "act1999", LOW, wider, ("*",), 3, 5) == (3, "act wheel 3.1")
    assert limits.may_change("roulette", "act1999", LOW, {"*": (500, 10000)}, ("*",), None, 5) == (5, None)
    assert limits.notice("pai_gow_dice", "act1999") == (0, "act pai gow 5.1")


def test_what_is_raised_is_found_behind_kinds_and_codes():
    old = {"single:3": [100, 200], "single": [100, 200], "*": [100, 200]}
    codes = ("big", "single:2", "single:3")
    assert limits.raised(old, {"*": [100, 200]}, codes) is None
    assert limits.raised(old, {"single": [101, 200], "*": [100, 200]}, codes) == "single:2"
    assert limits.raised({}, {"single:3": [2, 200]}, codes) == "single:3"


FLOORED = (  # game, variant, kind, minimum, least maximum, clause: from the texts
    ("roulette", None, "straight", 5, 20, "qld s141(2)"),
    ("roulette", None, "split", 5, 40, "qld s141(2)"),
    ("roulette", None, "street", 5, 60, "qld s141(2)"),
    ("roulette", None, "corner", 5, 80, "qld s141(2)"),
    ("roulette", None, "line", 5, 120, "qld s141(2)"),
    ("roulette", None, "column", 25, 250, "qld s141(2)"),
    ("roulette", None, "dozen", 25, 250, "qld s141(2)"),
    ("roulette", None, "low", 25, 500, "qld s141(2)"),
    ("roulette", None, "black", 25, 500, "qld s141(2)"),
    ("wheel", "50", "a", 5, 400, "qld s153(2)(a)"),
    ("wheel", "50", "c", 5, 80, "qld s153(2)(b)"),
    ("wheel", "50", "d", 5, 40, "qld s153(2)(c)"),
    ("wheel", "50", "f", 5, 20, "qld s153(2)(d)"),
    ("wheel", "50", "h", 5, 10, "qld s153(2)(e)"),
    ("wheel", "52", "a", 5, 200, "qld s159(1)(a)"),
    ("wheel", "52", "b", 5, 80, "qld s159(1)(b)"),
    ("wheel", "52", "c", 5, 40, "qld s159(1)(c)"),
    ("wheel", "52", "d", 5, 20, "qld s159(1)(d)"),
    ("wheel", "52", "e", 2, 10, "qld s159(2)(a)"),
    ("wheel", "52", "g", 2, 5, "qld s159(2)(b)"),
    ("craps", None, "*", 5, 200, "qld s113(2)(a)"),
    ("two_up", None, "*", 5, 100, "qld s171(2)"),
    ("triple_two_up", None, "*", 5, 100, "qld s476(1)"),
    ("tri_chro", "54", "any", 5, 1200, "qld s459(1)(a)"),
    ("tri_chro", "63", "any_star", 5, 1200, "qld s459(1)(a)"),
    ("tri_chro", "54", "no", 5, 800, "qld s459(1)(b)"),
    ("tri_chro", "54", "odd_pair", 5, 300, "qld s459(1)(c)"),
    ("tri_chro", "63", "pair", 5, 125, "qld s459(1)(d)"),
    ("tri_chro", "54", "odd_stars", 5, 35, "qld s459(1)(e)"),
    ("tri_chro", "63", "odd_stars", 5, 25, "qld s459(1)(f)"),
    ("tri_chro", "54", "star_pair", 5, 15, "qld s459(1)(g)"),
    ("tri_chro", "63", "star_pair", 5, 10, "qld s459(1)(h)"),
)


def test_a_low_minimum_floors_the_maximum():
    for game, variant, kind, minimum, floor, clause in FLOORED:
        rest = {} if kind == "*" else {"*": [minimum * 100 + 1, 10**7]}
        at, over = [minimum * 100, floor * 100], [minimum * 100 + 1, floor * 100 - 1]
        under = [minimum * 100, floor * 100 - 1]
        assert floors.bad_floor(game, "qld1985", variant, dict(rest, **{kind: at})) is None, (game, kind)
        assert clause in floors.bad_floor(game, "qld1985", variant, dict(rest, **{kind: under}))
        assert floors.bad_floor(game, "act1999", variant, dict(rest, **{kind: under})) is None
        if floor > minimum:
            assert floors.bad_floor(game, "qld1985", variant, dict(rest, **{kind: over})) is None


def test_an_exact_code_has_its_kinds_floor():
    table = {"*": [100, 10**6], "straight:17": [100, 1999]}
    assert floors.bad_floor("roulette", "qld1985", None, table).startswith("limits.straight:17: ")
    assert floors.bad_floor("roulette", "qld2004", None, {"straight": [501, 1000]}) is None
    assert floors.bad_floor("triple_two_up", "qld1985", None, {"spinner_bonus": [100, 100]}) is None


def test_the_tables_minimum_is_its_lowest():
    table = {"a": [1000, 30000], "h": [500, 1000]}
    assert "qld s153(2)(a)" in floors.bad_floor("wheel", "qld1985", "50", table)
