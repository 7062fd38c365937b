"""What both ends need to keep several frames under way: patience, and which of them have come. PURE.

Patience is how long an end waits before it sends again: learned from round trips as TCP does
(RFC 6298: mean and deviation; never from a frame that was sent twice), doubled for every time
in a row that nothing came. Units are the caller's own milliseconds.

    marks   one bit a frame behind the first that is missing: bit 0 of byte 0 is `upto` + 2,
            for `upto` + 1 is the one that is missing; no bytes: nothing came behind it
"""

FIRST_MS = 200
LEAST_MS = 60
MOST_MS = 2000
WINDOW = 8  # frames under way at a time, each way
DOUBLINGS = 6


class Patience:
    def __init__(self, first_ms=FIRST_MS, least_ms=LEAST_MS, most_ms=MOST_MS):
        self.least_ms, self.most_ms = least_ms, most_ms
        self.learned_ms = first_ms
        self.mean_ms = None
        self.deviation_ms = 0
        self.tries = 0  # in a row without a word from the other end

    def ms(self):
        return min(self.learned_ms << self.tries, self.most_ms)

    def in_vain(self):
        self.tries = min(self.tries + 1, DOUBLINGS)

    def heard(self, took_ms=None):
        """The other end is there; `took_ms` is a round trip, where it is known for certain."""
        self.tries = 0
        if took_ms is None or took_ms < 0:
            return
        if self.mean_ms is None:
            self.mean_ms, self.deviation_ms = took_ms, took_ms // 2
        else:
            self.deviation_ms += (abs(took_ms - self.mean_ms) - self.deviation_ms) // 4
            self.mean_ms += (took_ms - self.mean_ms) // 8
        self.learned_ms = max(self.least_ms, min(self.mean_ms + 4 * self.deviation_ms, self.most_ms))


def pack_marks(upto, numbers):
    """`numbers`: those that came behind the missing one."""
    marks = bytearray()
    for number in numbers:
        place = number - upto - 2
        while len(marks) <= place >> 3:
            marks.append(0)
        marks[place >> 3] |= 1 << (place & 7)
    return bytes(marks)


def marked(upto, marks):
    """The numbers that `marks` names, in order."""
    return [upto + 2 + place for place in range(8 * len(marks)) if marks[place >> 3] >> (place & 7) & 1]
