"""What a table has taken and paid since its first day, and what else a start must know. PURE.

All of it is a function of the journal: each new segment begins with it as it stood (a `meters`
and a `voids` record), so the newest segment alone gives it back after a restart. It counts,
and decides nothing. In test mode no money and no game is counted.
"""

from ..faults import LASTING

FIELDS = ("games", "turnover", "paid", "voided", "refunded")
FAULTS_BYTES, CAUSES_BYTES = 72, 190
CARRIED = ("pulled", "flags", "standing", "config", "utc_ms")  # beside the sums, under their own names
TEST, ADOPTING, RETIRED, TEST_ROUND = 1, 2, 4, 8  # flags: what the table is, and its newest round
# event: (flag, whether it is set by it; None: by its field `on`)
FLAG_OF = {
    "test_mode": (TEST, None),
    "adopting": (ADOPTING, 1),
    "adopted": (ADOPTING, 0),
    "retired": (RETIRED, 1),
}


class Meters:
    def __init__(self):
        self.sums = dict.fromkeys(FIELDS, 0)
        self.voids = {}  # cause: how often
        self.faults = {}  # code: how often
        self.last = (0, 0, 0)  # round, staked and returned of the newest settlement: a correction replaces it
        self.pulled = 0  # the last record that a host has in a file
        self.flags = 0
        self.standing = 0  # the fault that no power cycle mends, until it is cleared
        self.config = ""  # the hash of the configuration in force, as the journal knows it
        self.utc_ms = 0  # when the clock was last set: it is later than that

    def count(self, event, fields):
        """One event of the journal, counted if it is one to count."""
        if event in ("settled", "voided"):
            if not self.flags & TEST_ROUND:  # as it was opened, whatever the mode is by now
                self._take_back(fields["round"])
                getattr(self, "_" + event)(fields)
        elif event == "opened":
            self.flags = self.flags | TEST_ROUND if self.flags & TEST else self.flags & ~TEST_ROUND
        elif event in ("configured", "clock"):
            self.config, self.utc_ms = fields.get("hash", self.config), fields.get("utc_ms", self.utc_ms)
        elif event == "fault":
            self.faults[fields["code"]] = self.faults.get(fields["code"], 0) + 1
            if fields["code"] in LASTING:
                self.standing = fields["code"]
        elif event == "fault_cleared":
            self.standing = 0
        elif event == "pulled":
            self.pulled = fields["upto"]
        elif event == "voids":
            self.voids = _counts(fields["causes"])
        elif event == "meters":
            self.restore(fields)
        elif event in FLAG_OF:
            flag, on = FLAG_OF[event]
            self.flags = self.flags | flag if (fields["on"] if on is None else on) else self.flags & ~flag

    def _take_back(self, round_):
        """A round's later word replaces its earlier one: it is one game, paid once."""
        if self.last[0] == round_:
            self.sums["games"] -= 1
            self.sums["turnover"] -= self.last[1]
            self.sums["paid"] -= self.last[2]
            self.last = (0, 0, 0)

    def _settled(self, fields):
        self.sums["games"] += 1
        self.sums["turnover"] += fields["staked"]
        self.sums["paid"] += fields["returned"]
        self.last = (fields["round"], fields["staked"], fields["returned"])

    def _voided(self, fields):
        self.sums["voided"] += 1
        self.sums["refunded"] += fields["returned"]
        self.voids[fields["cause"]] = self.voids.get(fields["cause"], 0) + 1

    def fields(self):
        """As the `meters` message has them; the causes go with `causes`, for want of room."""
        fields = dict(self.sums)
        fields["faults"] = _text(self.faults, FAULTS_BYTES)
        fields["last"] = self.last
        for name in CARRIED:
            fields[name] = getattr(self, name)
        return fields

    def causes(self):
        """As the `voids` message has them."""
        return {"causes": _text(self.voids, CAUSES_BYTES)}

    def restore(self, fields):
        if fields["causes"]:  # as before there was a `voids` message
            self.voids = _counts(fields["causes"])
        for name in FIELDS:
            self.sums[name] = fields[name]
        self.faults = {int(code): count for code, count in _counts(fields["faults"]).items()}
        self.last = tuple(fields["last"])
        for name in CARRIED:
            setattr(self, name, fields[name])


def _text(counts, most_bytes):
    """As many as fit, the most frequent first: a record must never be too long to be written."""
    text = ""
    for name, count in sorted(counts.items(), key=_often):
        pair = "%s:%d" % (name, count)
        if len(text) + len(pair) < most_bytes:
            text += " " + pair if text else pair
    return text


def _often(pair):
    return -pair[1], pair[0]


def _counts(text):
    found = {}
    for pair in text.split():
        name, _, count = pair.partition(":")
        found[name] = int(count)
    return found
