"""Pai gow's dice: every throw and every chung, counted on fingers."""

from rules_min import pai_gow_dice, settlement

THROWS = [(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]


def line(result, edition="qld1985", **more):
    whole = {"game": "pai_gow_dice", "edition": edition, "result": result, "wagers": []}
    whole.update(more)
    return settlement.settle_line(whole)


def counted(total, chung):
    """The chung's box is 1, 9 or 17, the next one counterclockwise 2, …

    qld s419(3), s425(9), act pai gow 8.11, act pai gow 6.2.
    """
    box = chung
    for _ in range(total - 1):
        box = 1 if box == 8 else box + 1
    return box


def test_every_throw_from_every_box():
    for edition, clause in (("qld1985", "qld s419(3)"), ("act1999", "act pai gow 8.11")):
        for chung in range(1, 9):
            for dice in THROWS:
                answer = line(list(dice), edition, chung=chung)
                assert answer["box"] == counted(sum(dice), chung), (dice, chung)
                assert answer["settlements"] == [] and answer["rule"] == clause


def test_the_chungs_box_counts_1_9_and_17():
    for total in ([3, 3, 3], [5, 6, 6]):
        assert line(total, chung=4)["box"] == 4
    assert pai_gow_dice.HOUSE_BOX == 1  # qld s424(2)


def test_the_call():
    assert line([2, 3, 6], chung=1)["call"] == "2, 3, 6; total 11; box 3"


def test_dice_that_do_not_lie_flat_are_shaken_again():  # qld s446, act pai gow 15.1
    assert line("no_spin", cause="not_flat")["rule"] == "qld s446"
    assert line("no_spin", "act1999", cause="not_flat")["rule"] == "act pai gow 15.1"
    assert "box" not in line("no_spin", cause="not_flat")
    assert pai_gow_dice.bad_reading("qld1985", True, False) == "not_flat"
    assert pai_gow_dice.bad_reading("qld1985", False, True) == "not_shaken"  # qld s411, s418(2), s419(1)
    assert pai_gow_dice.bad_reading("act1999", True, True) is None  # act pai gow 8.10
    assert line("no_spin")["error"]["code"] == "bad_result"


def test_a_round_called_off():
    for cause, clause in (("disrupted", "17.1"), ("power_lost", "17.4"), ("invalidated", "17.5")):
        assert line("no_spin", "act1999", cause=cause)["rule"] == "act pai gow " + clause
    # act pai gow 17.1, act pai gow 17.4-17.5


def test_hostile_lines():  # qld s418(1): three dice, and nothing but
    for chung in (0, 9, -1, True, "1", None, 1.0, [1], 2**63):
        assert line([1, 2, 3], chung=chung)["error"]["code"] == "bad_result", chung
    assert line([1, 2, 3])["error"]["code"] == "bad_result"
    for dice in ([1, 2], [0, 1, 2], [1, 2, 7], "123", None, [True, 2, 3]):
        assert line(dice, chung=1)["error"]["code"] == "bad_result"
    assert line([1, 2, 3], chung=1, wagers=[{"code": "x", "stake": 1}])["error"]["code"] == "bad_wager"
    assert line([1, 2, 3], "qld2004", chung=1)["error"]["code"] == "bad_edition"


def test_procedure():  # qld s420(1), act pai gow 7.4
    assert pai_gow_dice.PROCEDURE["qld1985"]["wager"] == "qld s420(1)"
    assert pai_gow_dice.PROCEDURE["act1999"]["wager"] == "act pai gow 7.4"
    assert pai_gow_dice.PROCEDURE["qld1985"]["result"] == "qld s419(2)"
