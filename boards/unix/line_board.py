"""A board that is nothing but its session and its journal, on a pipe, in its caller's time.

For proving the line: host_tools/hostile_line.py starts it (micropython line_board.py ROOT), hands it the
bytes that came and the time, and gets the bytes it sends and when it wants to be asked again. A
wager is put on the journal and counted in `applied`, which stands for the world: a restart loses
all but that and the flash.

    asked     op  now_ms  length  bytes…       op: s step, r restart, e n events of the table's own, q count
              1   4 LE    2 LE
    answered  deadline_ms  length  bytes…      no deadline: FFFFFFFF
              4 LE         2 LE
"""

import struct
import sys

sys.path[:] = [sys.argv[1], ".frozen"]

from firmware.journal.journal import Journal  # noqa: E402
from firmware.protocol import messages  # noqa: E402
from firmware.protocol.session import Session  # noqa: E402

SECTORS, SECTOR_BYTES, PAGE_BYTES = 96, 4096, 256
WAGER, RESTED = 4, 6
NEVER = 0xFFFFFFFF


class Memory:
    """Flash that a restart leaves as it is."""

    def __init__(self):
        self.cells = bytearray(b"\xff" * (SECTORS * SECTOR_BYTES))

    def readblocks(self, block, buffer, offset=0):
        at = block * SECTOR_BYTES + offset
        buffer[:] = memoryview(self.cells)[at : at + len(buffer)]

    def writeblocks(self, block, buffer, offset):
        at = block * SECTOR_BYTES + offset
        old = int.from_bytes(self.cells[at : at + PAGE_BYTES], "little")
        new = old & int.from_bytes(buffer, "little")
        self.cells[at : at + PAGE_BYTES] = new.to_bytes(PAGE_BYTES, "little")

    def ioctl(self, operation, argument):
        if operation == 4:
            return SECTORS
        at = argument * SECTOR_BYTES
        self.cells[at : at + SECTOR_BYTES] = b"\xff" * SECTOR_BYTES
        return 0


class LineBoard:
    def __init__(self):
        self.flash = Memory()
        self.applied = {}  # ref: how often
        self.starts = 0
        self.now_ms = 0
        self.start()

    def start(self):
        self.starts += 1
        self.journal = Journal(self.flash, lambda: self.now_ms, lambda: bytes(range(32)))
        self.session = Session({"wager": self.wager, "status": lambda asked: {}}, self.journal, self.identity)

    def identity(self):
        fields = {"major": messages.MAJOR, "minor": messages.MINOR, "unique_id": "line_board"}
        fields.update({"boot_nonce": self.starts, "next_event": self.journal.next_seq})
        fields["first_event"] = self.journal.first_seq
        return fields

    def wager(self, asked):
        fields = {"round": asked["ref"], "ref": asked["ref"], "code": asked["code"], "stake": asked["stake"]}
        self.journal.append(WAGER, messages.pack(messages.EVENTS[WAGER][1], fields))
        self.applied[asked["ref"]] = self.applied.get(asked["ref"], 0) + 1
        return {"round": asked["ref"]}

    def happen(self, count):
        for _ in range(count):
            self.journal.append(RESTED, messages.pack(messages.EVENTS[RESTED][1], {"round": 1, "turns": 4}))

    def step(self, data):
        out = self.session.feed(data, self.now_ms)
        while True:
            frame = self.session.next_event(self.now_ms)
            if frame is None:
                break
            out += frame
        self._keep_room()
        return out

    def _keep_room(self):
        """The host has what it has acknowledged."""
        upto = self.session.teller.upto
        if upto is not None:
            self.journal.meters.pulled = max(self.journal.meters.pulled, upto)
        self.journal.make_room()


def serve():
    board = LineBoard()
    read, write = sys.stdin.buffer.read, sys.stdout.buffer.write
    while True:
        head = read(7)
        if not head:
            return
        op, board.now_ms, length = struct.unpack("<BIH", head)
        data = read(length) if length else b""
        if op == 114:  # r
            board.start()
        elif op == 101:  # e
            board.happen(struct.unpack("<H", data)[0])
        if op == 113:  # q
            again = sum([1 for times in board.applied.values() if times > 1])
            out = struct.pack("<III", len(board.applied), again, board.journal.next_seq - 1)
        else:
            out = board.step(data if op == 115 else b"")
        due = board.session.deadline_ms()
        write(struct.pack("<IH", NEVER if due is None else max(due, 0), len(out)) + out)


serve()
