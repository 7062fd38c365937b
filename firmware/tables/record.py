"""How a table writes to the journal, and what it makes of it after a power cut.

Recovery is replay of the newest round: no result, the round is void; a result without its
settlement, it is settled again, to the same cent; both there, nothing is owed.
"""

from ..protocol import messages

NUMBER = messages.numbers(messages.EVENTS)
OPENED = NUMBER["opened"]


class Log:
    """One event into the journal: `log("opened", round=7)`."""

    def __init__(self, journal):
        self.journal = journal

    def __call__(self, event, **fields):
        number = NUMBER[event]
        return self.journal.append(number, messages.pack(messages.EVENTS[number][1], fields))

    def begin(self, round_):
        """From here on a segment's header says that this round is open."""
        self.journal.round, self.journal.pending = round_, 1

    def end(self):
        self.journal.pending = 0


def newest_round(journal):
    """[(event name, fields)] from the newest `opened` on."""
    found = []
    for _, _, type_, payload in journal.last_round(OPENED):
        row = messages.EVENTS.get(type_)
        if row is not None:
            found.append((row[0], messages.unpack(row[1], payload)))
    return found


def recover(table):
    """Puts a fresh table where the journal says it was."""
    result = over = None
    for event, fields in newest_round(table.log.journal):
        if event == "opened":
            table.round = table.log.journal.round = fields["round"]
            if fields["edition"] != table.edition:
                return  # the table was set up anew since: that round was over before
        elif event == "wager":
            table.book.add(fields["ref"], fields["code"], fields["stake"], fields["player"])
        elif event == "result":
            result, over = fields, None
        elif event in ("settled", "voided"):
            over = event, fields
    if table.round:
        _finish(table, result, over)


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
    table.log.end()
