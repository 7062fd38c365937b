"""How a table writes to the journal, and what it makes of it after a power cut.

Recovery is replay of the newest round: no result, the round is void; a result without its
settlement, it is settled again, to the same cent; both there, nothing is owed.
"""

from .. import faults
from ..protocol import messages
from ..protocol.session import Refusal

NUMBER = messages.numbers(messages.EVENTS)
OPENED = NUMBER["opened"]
CARRIED_ON = (NUMBER["meters"], NUMBER["voids"])  # what every segment begins with
# what is said of a round: events that name it first, and faults
OF_A_ROUND = [number for number, row in messages.EVENTS.items() if row[1][0] == messages.ROUND[0]]
OF_A_ROUND.append(NUMBER["fault"])
ENDS = ("result", "cleared", "settled", "voided")  # of a revision
ROUND_EVENTS = ("wager", "activated", "rested", "called", "uncovered") + ENDS
# a full journal, or a newer firmware's, goes without these: no table opens on it until that is mended
SPARED = ("boot", "fault", "refused", "lamp_failed", "lamp_works", "io_left")
NO_ROOM = (faults.JOURNAL_FULL, faults.JOURNAL_NEWER)
ROUND_END_SEGMENTS = 2  # kept for what ends a round, and for the word that it was pulled
# what may be written into them: all else is refused before the journal is full to the brim
TO_THE_END = ROUND_EVENTS[1:] + ("pulled",)


class Log:
    """One event into the journal: `log("opened", round=7)`. Each board has one."""

    def __init__(self, journal, now_us):
        self.journal = journal
        self.now_us = now_us
        self.longest_us = 0  # a record took to be on flash
        self.is_start = True  # until the first table is built; later ones find what everybody has heard
        self.listener = None  # told of every event, once it is on flash: function(event, fields)

    def __call__(self, event, **fields):
        start_us = self.now_us()
        number = NUMBER[event]
        try:
            self._keep_the_end_free(event, fields)
            seq = self.journal.append(number, messages.pack(messages.EVENTS[number][1], fields))
        except faults.Fault as fault:
            if fault.code not in NO_ROOM or event not in SPARED:
                raise
            return 0
        self.journal.meters.count(event, fields)
        if event in ("opened", "adopted"):
            self.journal.round = fields["round"]
        self.longest_us = max(self.longest_us, self.now_us() - start_us)
        self.tell(event, fields)
        return seq

    def tell(self, event, fields):
        if self.listener:
            self.listener(event, fields)

    def _keep_the_end_free(self, event, fields):
        lasting = event == "fault" and fields["code"] in faults.LASTING
        if event not in TO_THE_END and not lasting and not self.has_room():
            raise faults.Fault(faults.JOURNAL_FULL)

    def begin(self):
        """From here on a segment's header says that a round is open, and nothing is erased."""
        while self.journal.make_room():
            pass  # no device runs yet
        if len(self.journal.spare) <= ROUND_END_SEGMENTS:
            raise Refusal("journal_full", faults.words(faults.JOURNAL_FULL))
        self.journal.pending = 1

    def has_room(self):
        """Whether a round that takes one more wager can still be written to its end."""
        if len(self.journal.spare) < ROUND_END_SEGMENTS:
            self.journal.look_ahead()
        return len(self.journal.spare) >= ROUND_END_SEGMENTS

    def get_ready(self):
        """Before the result: a new segment takes 10 ms on the chip, and lamps wait for the record."""
        self.journal.get_ready()

    def can_find_round(self, round_):
        """Whether a start would find this round again, were it open."""
        for record in self.journal.last_round(OPENED):
            return record[2] == OPENED and messages.unpack(messages.ROUND, record[3])["round"] == round_
        return False

    def hold(self):
        """The round is open again: a segment's header says so."""
        self.journal.pending = 1

    def end(self):
        self.journal.pending = 0


def begin_meters(journal):
    """Meters as the newest segment gives them, and kept in every segment to come."""
    for _, _, type_, payload in journal.since(CARRIED_ON):
        row = messages.EVENTS.get(type_)
        if row is not None:
            journal.meters.count(row[0], messages.unpack(row[1], payload, older=True))
    journal.first_records = lambda: (
        (NUMBER["meters"], messages.pack(messages.METERS, journal.meters.fields())),
        (NUMBER["voids"], messages.pack(messages.VOIDS, journal.meters.causes())),
    )


def of_round(journal, round_, seq=0):
    """The records of this round, from number `seq` on (0: from its start); a fault counts as of it."""
    begun = seq > 0
    for record in journal.records(seq or journal.before_round(round_)):
        if record[2] == OPENED:
            opened = messages.unpack(messages.ROUND, record[3])["round"]
            if opened > round_:
                return
            begun = begun or opened == round_
        if begun and record[2] in OF_A_ROUND:
            yield record


def events_of(journal, round_):
    """(event name, fields) of one round."""
    for _, _, type_, payload in of_round(journal, round_):
        row = messages.EVENTS[type_]
        yield row[0], messages.unpack(row[1], payload, older=True)


def dice_of(journal, round_):
    """What a round came to: its dice, or none where it is void or gone from the record."""
    dice = ()
    for _, _, type_, payload in of_round(journal, round_):
        if type_ == NUMBER["result"]:
            dice = tuple(messages.unpack(messages.EVENTS[type_][1], payload, older=True)["dice"])
        elif type_ == NUMBER["voided"]:
            dice = ()
    return dice


def newest_round(journal):
    """(event name, fields) from the newest `opened` on; where it is long past, the newest segment's."""
    for _, _, type_, payload in journal.last_round(OPENED):
        row = messages.EVENTS.get(type_)
        if row is not None:
            yield row[0], messages.unpack(row[1], payload, older=True)


def recover(table):
    """Puts a fresh table where the journal says it was."""
    found = Found(table)
    for event, fields in newest_round(table.log.journal):
        found.take(event, fields)
    if found.round:
        table.take_edition(found.edition or table.edition)
        _finish(table, found)
    if not found.cleared:
        table.log.end()
    standing = table.log.journal.meters.standing
    if standing:
        table.stand_faulted(standing)


class Found:
    """What the newest round's records say of it."""

    def __init__(self, table):
        self.table = table
        self._begin(0, "")

    def _begin(self, round_, edition):
        self.round, self.edition = round_, edition
        self.result = self.voided = self.settled = self.cleared = None
        self.table.book.clear()

    def take(self, event, fields):
        table = self.table
        if event in ("opened", "adopting", "adopted"):
            table.round = table.log.journal.round = fields["round"]
        if event == "adopting":  # what came before it was of another try
            self._begin(0, "")
        elif event == "opened" and fields["game"] == table.game:
            self._begin(fields["round"], fields["edition"])
        elif (
            event == "opened"
        ):  # another game was played here: its rounds were over before this one was set up
            self._begin(0, "")
        elif event in ROUND_EVENTS:
            self._of_round(event, fields)

    def _of_round(self, event, fields):
        table = self.table
        if fields["round"] > self.round:  # its `opened` cannot be read: it was open all the same
            table.round = table.log.journal.round = fields["round"]
            self._begin(fields["round"], "")
        if event == "wager":
            if fields["ref"] not in table.book.wagers:  # one that was written twice was taken once
                table.book.add(fields["ref"], fields["code"], fields["stake"], fields["player"])
        elif event == "rested":
            table.turns = fields["turns"]
        elif event in ("result", "cleared"):
            self.result = self.cleared = self.settled = None
        elif event == "settled":
            self.cleared = None
        if event in ENDS:
            table.revision = fields["revision"]
            setattr(self, event, fields)


def _finish(table, found):
    if found.voided:
        table.book.voiding = found.voided["rule"]
        found.cleared = None
    elif found.result:
        table.show_result(tuple(found.result["dice"]))
        if table.log.is_start:  # who heard it before the power went may have heard half of it
            table.log.tell("result", found.result)
        if not found.settled:
            table.settle()
        elif found.settled["wagers"] != len(table.book.wagers):
            table.is_whole = False  # a wager of it can no longer be read
    elif found.cleared:
        table.await_entry()
    elif not found.settled:  # settled by a result that can no longer be read is settled
        table.void("power_lost")
