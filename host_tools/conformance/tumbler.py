"""The tumbler as the bench plays it: it turns while its motor is driven, and shakes its dice.

Physics for the sic-bo cases, in edges on the turn sensor and the vibration switch. It looks at
the motor's drive like the motor does, and never at what the board says.
"""

from __future__ import annotations

from host_tools.conformance.bench import MS, Bench, Edge

TURN_MS = 400
MARK_MS = 10  # so long the mark stands before the sensor
SHAKES, SHAKE_MS = 8, 5  # the vibration switch closes so often a turn, for so long
MOST_TURNS = 60


def turn(bench: Bench) -> bool:
    """One turn, if the motor drives it."""
    if not bench.fixture.motor()["way"]:
        return False
    middle_us = TURN_MS * MS // 2
    mark = [(middle_us, "turn", True), (middle_us + MARK_MS * MS, "turn", False)]
    bench.play(_shakes() + mark, TURN_MS)
    return True


def turn_until_the_motor_stops(bench: Bench) -> int:
    turns = 0
    while turns < MOST_TURNS and turn(bench):
        turns += 1
    return turns


def shake(bench: Bench, ms: int) -> None:
    """The dice go on shaking though nothing turns."""
    for _ in range(-(-ms // TURN_MS)):
        bench.play(_shakes(), TURN_MS)


def _shakes() -> list[Edge]:
    every_us = TURN_MS * MS // SHAKES
    edges: list[Edge] = []
    for at_us in range(0, TURN_MS * MS, every_us):
        edges += [(at_us, "rest", True), (at_us + SHAKE_MS * MS, "rest", False)]
    return edges
