"""Numbers from a bit generator: each as likely as any other, by rejection. PURE. Knows no game.

How bytes become numbers is fixed for ever (records are replayed by it): bytes are asked for 64 at a
time. `below(n)` takes as many as hold n - 1, highest first; values from the last whole multiple of n
on are thrown away and the next bytes taken; the rest modulo n is the number.
"""

ASKED_BYTES = 64


class Draws:
    def __init__(self, drbg):
        self.drbg = drbg
        self.bytes = b""
        self.at = 0

    def _byte(self):
        if self.at == len(self.bytes):
            self.bytes, self.at = self.drbg.generate(ASKED_BYTES), 0
        self.at += 1
        return self.bytes[self.at - 1]

    def below(self, n):
        """0 to n - 1."""
        if n < 1:
            raise ValueError("there is no number below %d" % n)
        while True:
            value, span = 0, 1
            while span < n:
                value, span = value << 8 | self._byte(), span << 8
            if value < span - span % n:
                return value % n

    def sample(self, count, of):
        """`count` numbers of 1 to `of`, none twice, in the order drawn: any sequence as likely as any other."""
        if count > of:
            raise ValueError("%d numbers of %d" % (count, of))
        left = list(range(1, of + 1))
        for at in range(count):
            other = at + self.below(of - at)
            left[at], left[other] = left[other], left[at]
        return left[:count]
