"""The power cut at every flash operation of a script of rounds, in every way a write can tear.

Plain: runs under MicroPython's unix port (make bench) and CPython. After each cut the board
starts again, twice, and its journal is audited: every round that was decided is there once, to
the cent, every wager that was taken is accounted for, and the table opens another round.
Prints one JSON line: tried, lost, doubled, dead.
"""

import json
import sys

KEEPS = (0, 1, 128, 255, "random")


class Player:
    """Plays rounds and remembers what the board had said was done before the cut."""

    def __init__(self, bench):
        self.bench = bench
        self.taken = {}  # round: cents of the wagers that were taken
        self.settled = {}  # round: cents returned

    def play(self, rounds):
        for number in range(rounds):
            self._round(number)

    def _round(self, number):
        bench = self.bench
        bench.cover(1)
        bench.act("open")
        round_ = bench.table.round
        self.taken[round_] = 0
        for ref in range(3):
            bench.wager(ref, ("small", "total:10", "big")[ref], 100 * (number + ref + 1))
            self.taken[round_] += 100 * (number + ref + 1)
        bench.act("activate")
        bench.tumble()
        bench.act("no_more_bets")
        bench.cover(0)
        if number % 3 == 2:
            bench.act("no_spin", cause="not_flat")
        else:
            bench.enter(3, 3, 4)
        self.settled[round_] = bench.table.book.totals()[1]


def audit(bench, player):
    """(lost, doubled): rounds and money that the record does not have, or has twice."""
    from firmware.protocol import messages

    ends, returned, wagers = {}, {}, {}
    for _, _, type_, payload in bench.journal.records(bench.journal.first_seq):
        name, fields = messages.EVENTS[type_]
        values = messages.unpack(fields, payload)
        round_ = values.get("round")
        if name in ("settled", "voided"):
            ends[round_] = ends.get(round_, 0) + 1
            returned[round_] = values["returned"]
        elif name == "wager":
            wagers[round_] = wagers.get(round_, 0) + values["stake"]
    lost = sum(1 for round_, cents in player.settled.items() if returned.get(round_) != cents)
    lost += sum(1 for round_, cents in player.taken.items() if wagers.get(round_, 0) < cents)
    lost += sum(1 for round_ in wagers if round_ not in ends)
    return lost, sum(1 for count in ends.values() if count != 1)


def attempt(make, cut, keep, rounds):
    """One cut: (lost, doubled, dead), or None where the script ended before it."""
    from fakes import PowerCut

    bench = make(None)
    bench.flash.cut_after, bench.flash.keep = cut, keep
    player = Player(bench)
    try:
        player.play(rounds)
        return None
    except PowerCut:
        bench.flash.cut_after = None
    try:
        again = make(bench.flash)
        lost, doubled = audit(make(bench.flash), player)
        again = make(bench.flash)
        again.cover(1)
        again.act("open")
        return lost, doubled, 0
    except Exception:
        return 0, 0, 1


def run(step, rounds):
    from hands import Bench

    totals = {"tried": 0, "lost": 0, "doubled": 0, "dead": 0}
    for keep in KEEPS:
        cut = 0
        while True:
            found = attempt(Bench, cut, keep, rounds)
            if found is None:
                break
            totals["tried"] += 1
            for index, name in enumerate(("lost", "doubled", "dead")):
                totals[name] += found[index]
            cut += step
    return totals


if __name__ == "__main__":
    root = sys.argv[1]
    sys.path[:0] = [root + "/tests/firmware", root, root + "/tests"]
    print(json.dumps(run(int(sys.argv[2]), int(sys.argv[3]))))
