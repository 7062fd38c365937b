"""What a table has taken and paid since its first day. PURE; it counts, and decides nothing.

The counts are a function of the journal: each new segment begins with them as they stood (a
`meters` record), so the newest segment alone gives them back after a restart.
"""

FIELDS = ("games", "turnover", "paid", "voided", "refunded")


class Meters:
    def __init__(self):
        self.sums = dict.fromkeys(FIELDS, 0)
        self.voids = {}  # cause: how often
        self.faults = {}  # code: how often
        self.last = (0, 0, 0)  # round, staked and returned of the newest settlement: a correction replaces it

    def count(self, event, fields):
        """One event of the journal, counted if it is one to count."""
        if event == "settled":
            self._settled(fields["round"], fields["staked"], fields["returned"])
        elif event == "voided":
            self.sums["voided"] += 1
            self.sums["refunded"] += fields["returned"]
            self.voids[fields["cause"]] = self.voids.get(fields["cause"], 0) + 1
        elif event == "fault":
            self.faults[fields["code"]] = self.faults.get(fields["code"], 0) + 1
        elif event == "meters":
            self.restore(fields)

    def _settled(self, round_, staked, returned):
        before = self.last
        if before[0] == round_:  # a revision: paid once, at its last word
            self.sums["games"] -= 1
            self.sums["turnover"] -= before[1]
            self.sums["paid"] -= before[2]
        self.sums["games"] += 1
        self.sums["turnover"] += staked
        self.sums["paid"] += returned
        self.last = (round_, staked, returned)

    def fields(self):
        """As the `meters` message has them."""
        fields = dict(self.sums)
        fields["causes"] = _text(self.voids)
        fields["faults"] = _text(self.faults)
        fields["last"] = self.last
        return fields

    def restore(self, fields):
        for name in FIELDS:
            self.sums[name] = fields[name]
        self.voids = _counts(fields["causes"])
        self.faults = {int(code): count for code, count in _counts(fields["faults"]).items()}
        self.last = tuple(fields["last"])


def _text(counts):
    return " ".join("%s:%d" % pair for pair in sorted(counts.items()))


def _counts(text):
    found = {}
    for pair in text.split():
        name, _, count = pair.partition(":")
        found[name] = int(count)
    return found
