"""The fold itself, over a game made up for it: spots that a result leaves, moves or decides."""

from rules_min import sequence

STEPS = {"a": "b", "b": ("decided",), "loop": "loop2", "loop2": "loop"}


def decide(spot, item):
    return STEPS.get(spot) if item == "x" else None


def follow(items, starts, changes=None, count=2):
    return sequence.follow(items, starts, changes or {}, decide, count, {})


def test_what_comes_to_a_spot_is_not_of_those_that_leave_it():
    assert follow("x", {0: [("a", 0), ("b", 1)]}) == ["b", ("decided",)]
    assert follow("x", {0: [("b", 1), ("a", 0)]}) == ["b", ("decided",)]
    assert follow("xx", {0: [("a", 0), ("b", 1)]}) == [("decided",), ("decided",)]
    assert follow("x", {0: [("loop", 0), ("loop2", 1)]}) == ["loop2", "loop"]


def test_wagers_meet_on_a_spot():
    assert follow("x-", {0: [("a", 0)], 1: [("b", 1)]}) == ["b", "b"]
    assert follow("x-x", {0: [("a", 0)], 1: [("b", 1)]}) == [("decided",), ("decided",)]


def test_what_is_not_placed_ends_nowhere():
    assert follow("xx", {0: [("b", 1)]}) == [None, ("decided",)]
    assert follow("xx", {}) == [None, None]


def test_changes_by_hand():
    def to_a(spot, item):
        return "a"

    def away(spot, item):
        return ("away", spot)

    assert follow("-x", {0: [("b", 0), ("b", 1)]}, {1: [(to_a, 1)]}) == [("decided",), "b"]
    assert follow("-x", {0: [("b", 0), ("b", 1)]}, {1: [(away, 0)]}) == [("away", "b"), ("decided",)]
    assert follow("x-", {0: [("b", 0)]}, {1: [(away, 0)]}, 1) == [("decided",)]  # too late
    assert follow("-", {0: [("b", 0)]}, {0: [(away, 0)]}, 1) == [("away", "b")]
