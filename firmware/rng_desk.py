"""The generator over the line: its sources' raw samples, its final output, how it stands.

For laboratories and `pitkit rng`. What is read here is read for that alone: no game is ever drawn from
it, and only between rounds: a device under way must not wait for a draw. Raw samples come even from a
source that has failed, so that one can see why.
"""

from .faults import Fault
from .protocol.session import Refusal
from .rng import verifiable

PART_BYTES = 192
MOST_DRAWS = 20  # at a time: the loop stands still for 20 ms each


class RngDesk:
    def __init__(self, generator, boot, now_us, table):
        self.table = table
        self.generator = generator
        self.boot = boot
        self.now_us = now_us

    def handlers(self):
        return {
            "rng_status": self._status,
            "rng_raw": self._between(self._raw),
            "rng_final": self._between(self._final),
        }

    def _between(self, act):
        def handle(asked):
            if not self.table.is_idle():
                raise Refusal("wrong_state", "a round is under way: ask when it is over")
            return act(asked)

        return handle

    def _status(self, asked):
        sources = self.generator.sources
        return {
            "healthy": 1 if self.generator.drbg else 0,
            "sources": " ".join(["%s:%d:%d" % (s.name, s.entropy_milli, s.seed_bytes * 8) for s in sources]),
            "alarms": sum([source.alarms for source in sources]),
            "why": ", ".join(["%s: %s" % (s.name, s.why) for s in sources if s.why])[:PART_BYTES],
        }

    def _raw(self, asked):
        """Packed samples of one source, just as it gives them."""
        if asked["source"] >= len(self.generator.sources):
            raise Refusal("no_source", "the board has %d noise sources" % len(self.generator.sources))
        source = self.generator.sources[asked["source"]]
        part = source.read(min(asked["bytes"], PART_BYTES))
        return {"name": source.name, "entropy_milli": source.entropy_milli, "part": part}

    def _made(self, asked):
        """Draws made as a game's are, each from a seed of its own; or, `of` 0, output before any scaling."""
        count, of, games = asked["count"], asked["of"], asked["games"]
        if not self.generator.drbg:
            self.generator.start(self.boot)
        if (of and not 1 <= count <= of <= 255) or count * max(games, 1) > PART_BYTES or games > MOST_DRAWS:
            raise Refusal(
                "bad_draw", "at most %d draws and %d numbers at a time, up to 255" % (MOST_DRAWS, PART_BYTES)
            )
        start_us = self.now_us()
        part = b"".join([self._draw(count, of) for _ in range(games)]) if of else self.generator.bytes(count)
        return {"us": self.now_us() - start_us, "part": part}

    def _final(self, asked):
        """Noise that fails here fails a table that draws: it is closed, as if a game had asked."""
        try:
            return self._made(asked)
        except Fault as fault:
            if hasattr(self.table, "generator"):
                self.table.fail(fault.code, fault.detail)
            raise

    def _draw(self, count, of):
        seed = self.generator.seed(0)
        verifiable.commitment(self.generator.unique_id, 0, seed)
        nothing = bytes(verifiable.DIGEST_BYTES)
        return bytes(verifiable.numbers(seed, 0, nothing, nothing, count, of))
