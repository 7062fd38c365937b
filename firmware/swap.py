"""A table carried from one board to another: its meters, its round numbers, its open round.

The old board is retired first: it plays no more, so nothing is settled twice. The new one, which
has played nothing yet, writes what came into its own journal between `adopting` and `adopted`;
recovery then ends the open round as after any power cut. A cut in between: the table stays
closed, and the same is sent again.
"""

from rules_min.games import GAMES
from rules_min.wagers import bad_stake

from .faults import LASTING
from .journal.meters import ADOPTING, FAULTS_BYTES, RETIRED, TEST, TEST_ROUND, Meters
from .protocol import messages
from .protocol.session import Refusal

# what the record of an open round is made of, with the state that goes before it
CARRIED = (
    "meters",
    "voids",
    "opened",
    "wager",
    "activated",
    "rested",
    "called",
    "uncovered",
    "result",
    "cleared",
)
MOST_ROUNDS = 1 << 31
MOST_RECORDS = 400  # a round's wagers, and the rest of it


class Swap:
    def __init__(self, journal, log, rebuild):
        self.journal = journal
        self.log = log
        self.rebuild = rebuild
        self.coming = []  # (event, fields)

    def handlers(self, table):
        return {
            "retire": lambda asked: self._retire(asked, table),
            "adopt_record": lambda asked: self._record(asked, table),
            "adopt": self._adopt,
        }

    def _retire(self, asked, table):
        """From any state: an open round goes on as it is, on the other board."""
        if not self.journal.meters.flags & RETIRED:
            table.stop_devices()
            self.log("retired", round=self.journal.round, author=asked["by"])
            self.rebuild()

    def _record(self, asked, table):
        row = messages.EVENTS.get(asked["type"])
        if row is None or row[0] not in CARRIED:
            raise Refusal("bad_record", "no such record is carried to another board")
        if row[0] == CARRIED[0]:
            self.coming = []
        if len(self.coming) >= MOST_RECORDS:
            raise Refusal("bad_record", "that is more than one round")
        fields = messages.unpack(row[1], asked["payload"], older=True)
        rules = getattr(table, "rules", None)  # a table that is closed has none
        bad_dice = rules and "dice" in fields and rules.bad_result(fields["dice"])
        if bad_dice or not _can_be_read(row[0], fields):
            raise Refusal("bad_record", "what such a record says cannot be")
        self.coming.append((row[0], fields))

    def _adopt(self, asked):
        coming, self.coming = self.coming, []
        flags = self.journal.meters.flags
        if (self.journal.round and not flags & ADOPTING) or flags & RETIRED:
            raise Refusal("not_new", "this board has played games of its own")
        if len(coming) != asked["records"] or not coming or coming[0][0] != CARRIED[0]:
            raise Refusal("bad_record", "not all of the table has come")
        rounds = [fields["round"] for _, fields in coming if "round" in fields] + [asked["round"]]
        refs = [fields["ref"] for event, fields in coming if event == "wager"]
        if max(rounds) != min(rounds) or rounds[0] > MOST_ROUNDS or len(set(refs)) != len(refs):
            raise Refusal("bad_record", "what has come is not of one round")
        came = {"board": asked["board"], "upto": asked["upto"], "round": asked["round"]}
        self.log.begin()
        self.log("adopting", mac=asked["mac"], records=len(coming), author=asked["by"], **came)
        for event, fields in coming:
            self._copy(event, fields)
        self.log("adopted", **came)
        self.rebuild()
        return {"round": self.journal.round}

    def _copy(self, event, fields):
        """The meters come as they stood, and the mode with them; the other flags are this board's own."""
        if event == CARRIED[0]:
            fields["flags"] = ADOPTING | fields["flags"] & (TEST | TEST_ROUND)
            fields["pulled"], fields["config"] = 0, self.journal.meters.config
        self.log(event, **fields)


def _can_be_read(event, fields):
    """Whether a start could make sense of it: what is once in the journal is read at every start."""
    if event == "meters":
        last = fields["last"]
        if len(last) != 3 or last[1] > fields["turnover"] or last[2] > fields["paid"]:
            return False
        if fields["standing"] not in (0,) + LASTING or len(fields["faults"]) > FAULTS_BYTES:
            return False
    if event in ("opened", "wager"):
        return _is_playable(event, fields)
    try:
        Meters().count(event, fields)
    except ValueError:
        return False
    return True


def _is_playable(event, fields):
    if fields["round"] > MOST_ROUNDS:
        return False
    if event == "wager":
        return bad_stake(fields["stake"]) is None
    return fields["game"] in GAMES and fields["edition"] in GAMES[fields["game"]].EDITIONS
