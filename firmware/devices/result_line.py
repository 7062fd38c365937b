"""The result as a line of plain ASCII on a UART, for displays people own already. Knows no rule.

    R 000123 1 3 3 4 10 D3     round, revision, dice from the lowest, total, D3 a double (T3 triple, - none)
    C 000123 1                 that revision is taken back, to be entered anew
    V 000123 0 exposed         the round is void, and why

Each ends with CR LF. Checked, ` *HH` comes before that: the exclusive or of all characters before
the blank, in two hexadecimal digits. What is said here is on the journal already. Nothing ever waits
for the line: it takes a line when the one before has gone out, and forgets the oldest of too many.
"""

MOST_LINES = 8
LOOK_US = 5000


def result(fields):
    dice = sorted(fields["dice"])
    alike = [die for die in dice if dice.count(die) > 1]
    kind = "%s%d" % ("T" if len(alike) == 3 else "D", alike[0]) if alike else "-"
    words = ["%d" % die for die in dice] + ["%d" % sum(dice), kind]
    return "R %06d %d %s" % (fields["round"], fields["revision"], " ".join(words))


LINES = {
    "result": result,
    "cleared": lambda fields: "C %06d %d" % (fields["round"], fields["revision"]),
    "voided": lambda fields: "V %06d %d %s" % (fields["round"], fields["revision"], fields["cause"]),
}


def check(text):
    found = 0
    for byte in text.encode():
        found ^= byte
    return "%s *%02X" % (text, found)


class ResultLine:
    def __init__(self, uart, checked, now_us):
        self.uart = uart  # .txdone() .write(bytes)
        self.checked = checked
        self.now_us = now_us
        self.waiting = []

    def hear(self, event, fields):
        """An event that is on the journal now. It is kept, and made a line of when there is time."""
        if event in LINES:
            self.waiting = (self.waiting + [(event, fields)])[-MOST_LINES:]

    def poll(self):
        if self.waiting and self.uart.txdone():
            event, fields = self.waiting.pop(0)
            text = LINES[event](fields)
            self.uart.write((check(text) if self.checked else text).encode() + b"\r\n")

    def deadline_us(self):
        return self.now_us() + LOOK_US if self.waiting else None
