"""Numbers from a bit generator: each as likely as any other, by rejection. PURE. Knows no game.

How bytes become numbers is fixed for ever (records are replayed by it): bytes are asked for 32 at a
time. `below(n)` takes as many as hold n - 1, highest first; values from the last whole multiple of n
on are thrown away and the next bytes taken; the rest modulo n is the number.
"""

from ..native_code import native

ASKED_BYTES = 32


class Draws:
    def __init__(self, drbg):
        self.drbg = drbg
        self.bytes = b""
        self.at = 0

    @native
    def below(self, n):
        """0 to n - 1."""
        if not 1 < n <= 256:
            return self._below_more(n)
        most = 256 - 256 % n
        while True:
            at = self.at
            if at == len(self.bytes):
                self.bytes, at = self.drbg.generate(ASKED_BYTES), 0
            self.at = at + 1
            value = self.bytes[at]
            if value < most:
                return value % n

    def _below_more(self, n):
        """The same for numbers of no byte, or of several."""
        if n < 1:
            raise ValueError("there is no number below %d" % n)
        while True:
            value, span = 0, 1
            while span < n:
                value, span = value << 8 | self.below(256), span << 8
            if value < span - span % n:
                return value % n

    @native
    def sample(self, count, of):
        """`count` numbers of 1 to `of`, none twice, in the order drawn; any sequence as likely as any."""
        if count > of:
            raise ValueError("%d numbers of %d" % (count, of))
        left = list(range(1, of + 1))
        for at in range(count):
            other = at + self.below(of - at)
            left[at], left[other] = left[other], left[at]
        return left[:count]
