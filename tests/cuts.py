"""The power cut at every flash operation of a script of rounds, in every way a write can tear.

Plain: runs under MicroPython's unix port (make bench) and CPython. The script plays rounds that are
settled, void, corrected after ENTRY, pulled by a host. After each cut the board starts again, twice,
and its journal is audited: every round that was decided is there once a revision, to the cent, every
wager that was taken is accounted for, the meters count each round once, and the table opens another
round. Prints one JSON line: tried, lost, doubled, dead.
"""

import json
import sys

KEEPS = (0, 1, 128, 255, "random")
SECTORS = 12  # few, so that the ring goes round in the long run


class Player:
    """Plays rounds and remembers what the board had said was done before the cut."""

    def __init__(self, bench):
        self.bench = bench
        self.taken = {}  # round: cents of the wagers that were taken
        self.decided = {}  # round: (revision, cents returned), the board's last word
        self.archived = 0  # rounds up to this one are in a host's file: the board may drop them

    def play(self, rounds):
        for number in range(rounds):
            self._round(number)
            if number % 4 == 1:
                self._correct()
            if number % 5 == 4:
                self._pull()

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
        self._decided()

    def _decided(self):
        table = self.bench.table
        self.decided[table.round] = (table.revision, table.book.totals()[1])

    def _correct(self):
        """A wrong number is found: ENTRY again takes the result back, the right ones follow (qld s78(5))."""
        if self.bench.state()[1] == "result":
            self.bench.key("key_entry")
            self.bench.enter(5, 5, 6)
            self._decided()

    def _pull(self):
        archived = self.bench.table.round
        self.bench.ask("pulled", upto=self.bench.journal.next_seq - 1, digest="")
        self.archived = archived


def ends_and_wagers(journal):
    """({(round, revision): [cents returned]}, {round: cents staked}) of all that the journal still has."""
    from firmware.protocol import messages

    ends, wagers = {}, {}
    for _, _, type_, payload in journal.records(journal.first_seq):
        name, fields = messages.EVENTS[type_]
        values = messages.unpack(fields, payload)
        round_ = values.get("round")
        if name in ("settled", "voided"):
            ends.setdefault((round_, values["revision"]), []).append(values["returned"])
        elif name == "wager":
            wagers[round_] = wagers.get(round_, 0) + values["stake"]
    return ends, wagers


def audit(bench, player):
    """(lost, doubled): rounds and money that the record does not have, or has twice."""
    ends, wagers = ends_and_wagers(bench.journal)
    lost = 0
    for round_, (revision, cents) in player.decided.items():
        lost += round_ > player.archived and ends.get((round_, revision), [None])[0] != cents
    for round_, cents in player.taken.items():
        lost += round_ > player.archived and wagers.get(round_, 0) < cents
    over = [round_ for round_, _ in ends]
    lost += sum(1 for round_ in wagers if round_ not in over and round_ > player.archived)
    doubled = sum(1 for found in ends.values() if len(found) != 1)
    sums = bench.journal.meters.sums
    return lost, doubled + (sums["games"] + sums["voided"] != bench.table.round)


def attempt(make, cut, keep, rounds):
    """One cut: (lost, doubled, dead), or None where the script ended before it."""
    from fakes import FakeFlash, PowerCut

    bench = make(FakeFlash(SECTORS))
    bench.flash.cut_after, bench.flash.keep = cut, keep
    player = Player(bench)
    try:
        player.play(rounds)
        return None
    except PowerCut:
        bench.flash.cut_after = None
    try:
        make(bench.flash)
        lost, doubled = audit(make(bench.flash), player)
        goes_on(make(bench.flash))
        return lost, doubled, 0
    except Exception:
        return 0, 0, 1


def goes_on(bench):
    """A result that was being corrected is entered; then the next round opens."""
    if bench.state() == ("called", "at_rest"):
        bench.cover(0)
        bench.enter(5, 5, 6)
    bench.cover(1)
    bench.act("open")


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
