"""A board behind the worst line there is, in virtual time: what is proven of the link is proven here.

The board is MicroPython's unix port with our session and journal (boards/unix/line_board.py); the
host's end is conversation.py. Between them frames have bits flipped, are dropped, doubled and
overtaken, the connection is cut every few seconds, and now and then either side is restarted.
All of it comes from one seed.
"""

from __future__ import annotations

import heapq
import random
import struct
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from firmware.protocol import messages

from .conversation import CUT, UP, Conversation
from .line_end import LineEnd
from .link import read_event
from .micropython import find

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "boards" / "unix" / "line_board.py"
NEVER = 0xFFFFFFFF
LATENCY_MS = 8
STEP_LEAST_MS = 1
MOST_BEHIND = 400


@dataclass(frozen=True)
class Harm:
    """How bad the line is; times are means, in virtual milliseconds, 0 for never."""

    bit: float = 1e-4
    drop: float = 0.01
    double: float = 0.01
    overtake: float = 0.02
    cut_ms: int = 3000
    board_restart_ms: int = 7000
    host_restart_ms: int = 5000


@dataclass
class Outcome:
    commands: int = 0
    events: int = 0
    lost: int = 0
    doubled: int = 0
    out_of_order: int = 0
    cuts: int = 0
    board_restarts: int = 0
    host_restarts: int = 0
    repeated: int = 0
    bad_frames: int = 0
    virtual_ms: int = 0


class BoardProcess:
    def __init__(self) -> None:
        command = [str(find()), "-X", "heapsize=64M", str(SCRIPT), str(ROOT)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, op: bytes, now_ms: int, data: bytes = b"") -> tuple[int, bytes]:
        """(when it wants to be asked again, what it sends)."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(op + struct.pack("<IH", now_ms, len(data)) + data)
        self._process.stdin.flush()
        deadline_ms, length = struct.unpack("<IH", self._process.stdout.read(6))
        return deadline_ms, self._process.stdout.read(length)

    def close(self) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


class Way:
    """One direction: what is sent arrives later, in pieces, spoilt, or not."""

    def __init__(self, harm: Harm, chance: random.Random) -> None:
        self._harm, self._chance = harm, chance
        self._under_way: list[tuple[int, int, bytes]] = []
        self._serial = 0

    def send(self, data: bytes, now_ms: int) -> None:
        for piece in data.split(b"\0"):
            if piece and self._chance.random() >= self._harm.drop:
                for _ in range(2 if self._chance.random() < self._harm.double else 1):
                    self._put(self._spoilt(b"\0" + piece + b"\0"), now_ms)

    def _put(self, frame: bytes, now_ms: int) -> None:
        late = self._chance.random() < self._harm.overtake
        at_ms = now_ms + LATENCY_MS + (self._chance.randrange(60) if late else 0)
        self._serial += 1
        heapq.heappush(self._under_way, (at_ms, self._serial, frame))

    def _spoilt(self, frame: bytes) -> bytes:
        bits = bytearray(frame)
        place = self._next_flip(0)
        while place < 8 * len(bits):
            bits[place >> 3] ^= 1 << (place & 7)
            place = self._next_flip(place + 1)
        return bytes(bits)

    def _next_flip(self, start: int) -> int:
        return start + int(self._chance.expovariate(self._harm.bit)) if self._harm.bit else 1 << 60

    def arrived(self, now_ms: int) -> bytes:
        found = []
        while self._under_way and self._under_way[0][0] <= now_ms:
            found.append(heapq.heappop(self._under_way)[2])
        return b"".join(found)

    def next_ms(self) -> int:
        return self._under_way[0][0] if self._under_way else NEVER

    def clear(self) -> None:
        self._under_way.clear()


@dataclass
class Trial:
    """`commands` orders to the board, each of which is an event too, and as many events of its own."""

    commands: int
    own_events: int = 0
    harm: Harm = field(default_factory=Harm)
    seed: int = 1

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.outcome = Outcome()
        self.now_ms = 0
        self.there, self.back = Way(self.harm, self.chance), Way(self.harm, self.chance)
        self.talk = self._new_host(0)
        self.outbox: dict[
            int, int
        ] = {}  # command number: its ref; the host's own memory, which a restart keeps
        self.to_do = list(range(self.commands, 0, -1))
        self.log: list[tuple[int, int]] = []  # (number, ref or 0) of every event, as logged
        self.left_of_own = self.own_events
        self.board_due_ms = 0
        self.next_harm = {name: self._when(getattr(self.harm, name)) for name in HARMS}

    def _new_host(self, previous: int) -> Conversation:
        end = LineEnd(previous, self.chance.getrandbits)
        talk = Conversation("the hostile line", "dealer", end)
        talk.follow(1)
        return talk

    def _when(self, mean_ms: int) -> int:
        return self.now_ms + int(self.chance.uniform(0.5, 1.5) * mean_ms) if mean_ms else NEVER

    def run(self) -> Outcome:
        self.board = BoardProcess()
        try:
            self.talk.connected(0)
            while not self._is_done():
                self._step()
            self._judge()
        finally:
            self.board.close()
        return self.outcome

    def _is_done(self) -> bool:
        if self.to_do or self.outbox or self.left_of_own:
            return False
        return len(self.log) >= self.commands + self.own_events

    # -- one moment

    def _step(self) -> None:
        self._host()
        self._board()
        times = [self.there.next_ms(), self.back.next_ms(), self.board_due_ms, *self.next_harm.values()]
        waits = self.talk.deadline_ms()
        self.now_ms = max(self.now_ms + STEP_LEAST_MS, min([*times, NEVER if waits is None else waits]))
        for name, at_ms in self.next_harm.items():
            if self.now_ms >= at_ms:
                HARMS[name](self)
                self.next_harm[name] = self._when(getattr(self.harm, name))

    def _host(self) -> None:
        talk = self.talk
        talk.feed(self.back.arrived(self.now_ms), self.now_ms)
        while talk.end.events:
            self._log(*talk.end.events.popleft())
        for number, answer in talk.answers().items():
            assert answer[0] == messages.OK, answer
            self.outbox.pop(number)
        while talk.state == UP and self.to_do and len(self.outbox) < 16 and self._backlog() < MOST_BEHIND:
            ref = self.to_do.pop()
            fields = {"ref": ref, "code": "small", "stake": 500, "player": ""}
            self.outbox[talk.submit("wager", fields)] = ref
        if talk.state != CUT:
            self.there.send(talk.due(self.now_ms), self.now_ms)

    def _backlog(self) -> int:
        """Events that the host has yet to hear of: a journal that nobody reads is full one day."""
        return self.commands - len(self.to_do) + self.own_events - self.left_of_own - len(self.log)

    def _log(self, number: int, type_: int, body: bytes) -> None:
        event = read_event(number, type_, body)
        if self.log and number != self.log[-1][0] + 1:
            self.outcome.out_of_order += 1
        self.log.append((number, event.get("ref", 0)))

    def _board(self) -> None:
        data = self.there.arrived(self.now_ms)
        if self.left_of_own and self._backlog() < MOST_BEHIND and self.chance.random() < 0.3:
            count = min(self.left_of_own, self.chance.randrange(1, 9))
            self.left_of_own -= count
            self._heard(self.board.ask(b"e", self.now_ms, struct.pack("<H", count)))
        if data or self.now_ms >= self.board_due_ms:
            self._heard(self.board.ask(b"s", self.now_ms, data))

    def _heard(self, answer: tuple[int, bytes]) -> None:
        self.board_due_ms, data = answer
        if self.talk.state != CUT:
            self.back.send(data, self.now_ms)

    # -- what befalls it

    def cut(self) -> None:
        self.outcome.cuts += 1
        self.there.clear()
        self.back.clear()
        self.talk.cut()
        self.now_ms += self.chance.randrange(10, 500)
        self.talk.connected(self.now_ms)

    def restart_board(self) -> None:
        self.outcome.board_restarts += 1
        self._heard(self.board.ask(b"r", self.now_ms))

    def restart_host(self) -> None:
        """All it has left is its log, its session's number and its outbox."""
        self.outcome.host_restarts += 1
        self._count(self.talk)
        old = self.talk
        self.there.clear()
        self.back.clear()
        self.talk = self._new_host(old.end.session)
        self.talk.follow(self.log[-1][0] + 1 if self.log else 1)
        self.talk.connected(self.now_ms)
        self._meet_again()

    def _meet_again(self) -> None:
        """What the board has not applied is ordered anew; what it has, is done."""
        while self.talk.state != UP:
            self.now_ms += 5
            self.talk.feed(self.back.arrived(self.now_ms), self.now_ms)
            self.there.send(self.talk.due(self.now_ms), self.now_ms)
            self._board()
        applied = self.talk.identity["previous"]
        again = [ref for number, ref in self.outbox.items() if number > applied]
        self.to_do += sorted(again, reverse=True)
        self.outbox.clear()

    def _count(self, talk: Conversation) -> None:
        self.outcome.repeated += talk.end.counts.repeated
        self.outcome.bad_frames += talk.end.deframer.bad

    def _judge(self) -> None:
        self._count(self.talk)
        found = self.outcome
        _, answer = self.board.ask(b"q", self.now_ms)
        applied, applied_again, records = struct.unpack("<III", answer)
        numbers = [number for number, _ in self.log]
        refs = [ref for _, ref in self.log if ref]
        found.commands, found.events, found.virtual_ms = applied, len(self.log), self.now_ms
        found.lost = self.commands - applied + records - len(set(numbers)) + self.commands - len(set(refs))
        found.doubled = applied_again + len(numbers) - len(set(numbers)) + len(refs) - len(set(refs))


HARMS = {"cut_ms": Trial.cut, "board_restart_ms": Trial.restart_board, "host_restart_ms": Trial.restart_host}
