"""Lamps whose current is watched: one that fails is found and named. Knows no rule.

Stands before the lamps: what is shown goes straight through. A while later the current in their
common return must be that of so many lamps. If it is not, those that are lit are lit one at a time
(all of them only where the caller allows it: no area is lit that has not won). The picture is
back after some 10 ms a lamp. main.py's loop calls `poll`; nothing here waits.
"""

DARK, LIT, WORKS = (
    "dark",
    "lit",
    "works",
)  # it draws nothing though lit, it draws though dark, it is well again
LOOK_US = 1_000_000  # while a picture stands, a lamp may fail too
MOST_SEARCHES = 3  # of one picture: a loose lamp must not make the others flicker for ever


class LampWatch:
    def __init__(self, lamps, count, read_ma, lamp_ma, idle_ma, settle_ms, now_us):
        self.lamps = lamps
        self.count = count  # of lamps there are; outputs behind them drive none
        self.outputs = lamps.outputs
        self.read_ma, self.lamp_ma, self.idle_ma = read_ma, lamp_ma, idle_ma
        self.settle_us, self.now_us = settle_ms * 1000, now_us
        self.failed = {}  # output: DARK or LIT; None stands for one that is lit and not named yet
        self.show(())

    def show(self, numbers):
        self.lit = frozenset(numbers)
        self.lamps.show(numbers)
        self.trial = None  # outputs still to be lit alone; the first look is with all dark
        self.doubted, self.searched, self.searches, self.usual_ma = False, False, 0, None
        self.due_us = self.now_us() + self.settle_us

    def deadline_us(self):
        return self.due_us

    def poll(self, now_us, light_all=False):
        """[(output, DARK, LIT or WORKS)] of what is new; output None: a dark lamp draws, not known which."""
        if now_us < self.due_us:
            return ()
        ma = self.read_ma()
        if self.trial is None:
            self._look(ma, light_all and not self.lit)
            return ()
        return self._try_next(ma)

    # -- the picture as a whole

    def _look(self, ma, light_all):
        self.due_us = self.now_us() + LOOK_US
        if (
            self.searched
        ):  # a current that no lamp accounts for stays so: from here on a change is looked into
            self.searched, self.usual_ma = False, ma
        usual_ma = self._expected_ma() if self.usual_ma is None else self.usual_ma
        if light_all and None in self.failed and not self.searches:
            self._search(range(self.count))  # now it can be named
        elif abs(ma - usual_ma) * 2 <= self.lamp_ma:
            self.doubted = False
        elif not self.doubted:
            self.doubted = True  # a dip of the supply is over by the second look
            self.due_us = self.now_us() + self.settle_us
        elif self.searches < MOST_SEARCHES:
            self._search(range(self.count) if light_all else sorted(self.lit))

    def _expected_ma(self):
        well = [output for output in self.lit if output not in self.failed]
        always = [how for how in self.failed.values() if how == LIT]
        return self.idle_ma + self.lamp_ma * (len(well) + len(always))

    # -- one at a time

    def _search(self, outputs):
        self.searches += 1
        self.doubted = False
        self.tried, self.trial = list(outputs), list(outputs)
        self.dark_ma, self.duds = None, []
        self._put(())

    def _put(self, outputs):
        self.lamps.show(outputs)
        self.due_us = self.now_us() + self.settle_us

    def _try_next(self, ma):
        if self.dark_ma is None:
            self.dark_ma = ma
        elif (ma - self.dark_ma) * 2 < self.lamp_ma:
            self.duds.append(self.trial.pop(0))
        else:
            self.trial.pop(0)
        if self.trial:
            self._put((self.trial[0],))
            return ()
        self.trial, self.searched = None, True
        self._put(self.lit)
        return self._judge()

    def _judge(self):
        """What the trial says of each lamp tried, and of dark ones that draw, against what was known."""
        always = (self.dark_ma - self.idle_ma + self.lamp_ma // 2) // self.lamp_ma
        before = self.failed
        self.failed = {n: how for n, how in before.items() if n is not None and n not in self.tried}
        always -= len([how for how in self.failed.values() if how == LIT])
        for output in self.duds:  # a lamp that adds nothing is dead, or lit all the time
            stuck = always > 0 and before.get(output) != DARK
            self.failed[output] = LIT if stuck else DARK
            always -= stuck
        if always > 0:
            self.failed[None] = LIT
        news = [(n, how) for n, how in self.failed.items() if before.get(n) != how]
        return news + [(n, WORKS) for n in self.tried if n in before and n not in self.failed]
