"""Edges to come, by the ten thousand: a train of them keeps only times and codes.

The clock holds one event a train, its next edge. Made by the fixture's `schedule`; handed over to
the next process when the chip resets.
"""

from array import array

import pins
from clock import board_clock

MOVES = [(name, level) for name in pins.by_name for level in (0, 1, None)]
CODES = {move: code for code, move in enumerate(MOVES)}


class Train:
    def __init__(self, edges):
        # By time; those of one time stay in the order given, which MicroPython's sort alone would lose.
        order = sorted((edge[0], i) for i, edge in enumerate(edges))
        self._times = array("q", [t_us for t_us, _ in order])
        self._codes = array("H", [CODES[edges[i][1], edges[i][2]] for _, i in order])
        self._gone = 0
        self._event = board_clock.at(self._times[0], self._pass, None)

    def _pass(self, _):
        name, level = MOVES[self._codes[self._gone]]
        self._gone += 1
        if self._gone < len(self._times):
            self._event = board_clock.again(self._event, self._times[self._gone])
        else:
            _trains.remove(self)
        pins.drive(pins.by_name[name], level)

    def to_come(self):
        return [[self._times[i]] + list(MOVES[self._codes[i]]) for i in range(self._gone, len(self._times))]


_trains = []


def schedule(edges):
    if edges:
        _trains.append(Train(edges))


def to_come():
    """All of them, [t_us, pin, level]."""
    return [edge for train in _trains for edge in train.to_come()]
