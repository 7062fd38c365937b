"""The tables of messages.py as text, for a host that is older than this board. PURE.

One line a message (host_tools/dictionary.py reads them). New kinds of line may come; a reader
passes over what it does not know.
"""

from . import messages


def _fields(fields):
    return " ".join(["%s:%s" % field for field in fields])


def text():
    lines = ["P %d %d" % (messages.MAJOR, messages.MINOR)]
    for number, row in sorted(messages.EVENTS.items()):
        lines.append("E %d %s : %s" % (number, row[0], _fields(row[1])))
    for number, row in sorted(messages.COMMANDS.items()):
        lines.append("C %d %s %s : %s > %s" % (number, row[0], row[1], _fields(row[2]), _fields(row[3])))
    return "\n".join(lines).encode()
