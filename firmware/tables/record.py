"""How a table writes to the journal, and what it makes of it after a power cut.

Recovery is replay of the newest round: no result, the round is void; a result without its
settlement, it is settled again, to the same cent; both there, nothing is owed.
"""

from ..protocol import messages

NUMBER = messages.numbers(messages.EVENTS)
OPENED = NUMBER["opened"]
ROUND_END_SEGMENTS = 2  # kept for all that is not a wager: each act, each refusal, result, settlement


class Log:
    """One event into the journal: `log("opened", round=7)`."""

    def __init__(self, journal):
        self.journal = journal

    def __call__(self, event, **fields):
        number = NUMBER[event]
        seq = self.journal.append(number, messages.pack(messages.EVENTS[number][1], fields))
        self.journal.meters.count(event, fields)
        return seq

    def begin(self, round_):
        """From here on a segment's header says that this round is open, and nothing is erased."""
        while self.journal.make_room():
            pass  # no device runs yet
        self.journal.round, self.journal.pending = round_, 1

    def has_room(self):
        """Whether a round that takes one more wager can still be written to its end."""
        return self.journal.spare >= ROUND_END_SEGMENTS

    def get_ready(self):
        """Before the result: a new segment takes 10 ms on the chip, and lamps wait for the record."""
        self.journal.get_ready()

    def hold(self):
        """A segment's header says that a start must look further back."""
        self.journal.pending = 1

    def end(self):
        self.journal.pending = 0


def begin_meters(journal):
    """Meters as the newest segment gives them, and kept in every segment to come."""
    for _, _, type_, payload in journal.since(NUMBER["meters"]):
        row = messages.EVENTS.get(type_)
        if row is not None:
            journal.meters.count(row[0], messages.unpack(row[1], payload, older=True))
    fields = messages.EVENTS[NUMBER["meters"]][1]
    journal.first_record = lambda: (NUMBER["meters"], messages.pack(fields, journal.meters.fields()))


def newest_round(journal):
    """(event name, fields) from the newest `opened` on; where it is long past, the newest segment's."""
    for _, _, type_, payload in journal.last_round(OPENED):
        row = messages.EVENTS.get(type_)
        if row is not None:
            yield row[0], messages.unpack(row[1], payload, older=True)


def recover(table):
    """Puts a fresh table where the journal says it was."""
    opened = result = over = lasting = None
    for event, fields in newest_round(table.log.journal):
        if event == "opened":
            opened = fields
            table.round = table.log.journal.round = fields["round"]
        elif event == "wager":
            table.book.add(fields["ref"], fields["code"], fields["stake"], fields["player"])
        elif event == "result":
            result, over = fields, None
        elif event in ("settled", "voided"):
            over = event, fields
        elif event == "fault" and fields["code"] in table.LASTING_FAULTS:
            lasting = fields
        elif event == "fault_cleared":
            lasting = None
    if opened and opened["edition"] != table.edition:
        table.book.clear()  # the table was set up anew since: that round was over before
    elif opened:
        _finish(table, result, over)
    table.log.end()
    if lasting:
        table.stand_faulted(lasting["code"], lasting["detail"])


def _finish(table, result, over):
    if over is not None and over[0] == "voided":
        table.book.voiding = over[1]["rule"]
    elif result is not None:
        table.revision = result["revision"]
        table.show_result(tuple(result["dice"]))
        if over is None:
            table.settle()
    elif over is None:
        table.void("power_lost")
