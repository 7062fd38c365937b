"""When bets are taken and what ends them: qld1985 s72, qld2004 sch 10 s8, act sicbo 5.1-5.3 and 8.3."""

from fakes import FakeFlash
from hands import Bench

QLD = ("qld1985", "qld2004")
WAGER = {"ref": 9, "code": "small", "stake": 500, "player": ""}


def table(edition, covered=True):
    return Bench(FakeFlash(), edition=edition, covered=covered)


def test_without_a_cover_the_call_comes_first_and_no_wager_after_it():
    # qld s72(1)-(2); qld2004 sch 10 s8(1), (3)
    clauses = {
        "qld1985": ("qld s72(1)", "qld s72(2)"),
        "qld2004": ("qld2004 sch 10 s8(1)", "qld2004 sch 10 s8(3)"),
    }
    for edition in QLD:
        bench = table(edition, covered=False)
        bench.cover(0)
        bench.act("open")
        bench.wager(1, "small", 500)
        assert bench.refused("activate") == "wrong_state"
        bench.act("no_more_bets")
        assert bench.last("called")["rule"] == clauses[edition][0]
        assert bench.refused("wager", **WAGER) == "too_late"
        assert bench.last("refused")["rule"] == clauses[edition][1]
        bench.act("activate")
        bench.tumble()
        bench.enter(3, 4, 3)
        assert bench.state() == ("closed", "result")
        assert bench.last("result")["rule"] == "qld s77(2)"
        assert bench.table.book.payout(1)["rule"] == "qld s75(a)"


def test_under_a_cover_bets_go_on_until_the_call_or_the_cover():
    # qld s72(3)-(4); qld2004 sch 10 s8(2)-(3)
    for edition in QLD:
        bench = table(edition)
        bench.act("open")
        bench.act("activate")
        bench.wager(1, "small", 500)
        bench.tumble()
        bench.wager(2, "big", 500)
        bench.act("no_more_bets")
        assert bench.refused("wager", **WAGER) == "too_late"
        bench.cover(0)
        bench.enter(3, 4, 3)
        assert bench.last("settled")["wagers"] == 2


def test_in_queensland_the_call_may_come_before_the_tumbler_runs_under_its_cover_too():
    for edition in QLD:
        bench = table(edition)
        bench.act("open")
        bench.act("no_more_bets")
        assert bench.refused("wager", **WAGER) == "too_late"
        bench.act("activate")
        bench.tumble()
        bench.cover(0)
        bench.enter(3, 4, 3)
        assert bench.state() == ("closed", "result")
    act = table("act1999")
    act.act("open")
    assert act.refused("no_more_bets") == "wrong_state"


def test_a_cover_that_comes_off_before_the_call_ends_betting_in_queensland_and_voids_in_canberra():
    for edition, rule in (("qld1985", "qld s72(4)"), ("qld2004", "qld2004 sch 10 s8(3)")):
        bench = table(edition)
        bench.act("open")
        bench.wager(1, "small", 500)
        bench.act("activate")
        bench.tumble()
        bench.cover(0)
        assert bench.last("called")["rule"] == rule
        assert bench.refused("wager", **WAGER) == "too_late"
        bench.enter(3, 4, 3)
        assert bench.last("settled")["returned"] == 1000
    bench = table("act1999")
    bench.act("open")
    bench.act("activate")
    bench.tumble()
    bench.cover(0)
    assert bench.last("voided")["rule"] == "act sicbo 8.3"


def test_two_turns_are_no_spin_in_queensland():
    # qld s76
    for edition in QLD:
        bench = Bench(FakeFlash(), edition=edition, turns=2)
        bench.act("open")
        bench.act("activate")
        bench.tumble(2)
        assert bench.last("voided")["cause"] == "short_turns" and bench.last("voided")["rule"] == "qld s76"


def test_every_cause_of_no_spin_is_the_editions_own():
    clauses = {
        "not_flat": ("qld s80(1)", "act sicbo 8.1"),
        "malfunction": ("qld s80(2)", "act sicbo 8.4"),
        "broken_die": (None, "act sicbo 8.2"),
        "invalidated": (None, "act sicbo 10.5"),
        "disrupted": (None, "act sicbo 10.1"),
    }
    for cause, (qld, act) in clauses.items():
        for edition, clause in (("qld1985", qld), ("qld2004", qld), ("act1999", act)):
            bench = table(edition)
            bench.to_called()
            bench.cover(0)
            if clause is None:
                assert bench.refused("no_spin", cause=cause) == "bad_cause", (edition, cause)
            else:
                bench.act("no_spin", cause=cause)
                assert bench.last("voided")["rule"] == clause
