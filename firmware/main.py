"""Board, devices, table, run. The one loop: poll the table, pump the line, wait.

Nothing here knows a rule or a message's bytes. It never waits for the host: what is to be
sent is in the journal, and goes out when there is room.
"""

import gc
import struct
from time import sleep_ms

from board_data import BOARD, BUILD

from . import config, faults
from .access import Access, Watch
from .bench_io import BenchIo
from .board import Board
from .build import build_table, noise_sources
from .bulk import AS_IT_IS, IS_DEFLATED, Bulk, blocks_of
from .config_store import ConfigStore, parse, text_hash
from .devices.edges import EdgeRing
from .journal.journal import Journal
from .protocol import dictionary, messages
from .protocol.session import Refusal, Session
from .rng.drbg import SEED_BYTES
from .rng.generator import Generator
from .rng.seed_store import SeedStore
from .rng_desk import RngDesk
from .setup import Setup
from .swap import Swap
from .tables.closed import DETAIL_BYTES, Closed
from .tables.record import NUMBER, Log, begin_meters
from .utc import Utc

BOOT = NUMBER["boot"]
JOURNAL_LOOK_MS = 2000  # a segment of the record is read over, between rounds
HEAP_LOOK_MS = 200  # asking how much is free walks the whole heap
QUICK_ANSWERS = 8  # in a row, then the table is looked at all the same
LINGER_US = 3000  # a host that waits for each answer sends its next order within this
CRASH_PAUSE_MS = 5000  # a board that crashes at every start must not write its journal full


def dictionary_block(name, block):
    """Packed when the image was built; where nobody did, made from the tables."""
    if not BUILD["dictionary"]:
        return blocks_of(dictionary.text())(name, block)
    length, packed = BUILD["dictionary"]
    return length, IS_DEFLATED, packed[block] if block < len(packed) else b""


class Machine:
    """Everything of one board, wired up."""

    def __init__(self):
        self.board = Board(BOARD)
        self.board.start_watchdog()
        flash = BOARD["flash"]
        sizes = flash["sector_bytes"], flash["page_bytes"]
        seeds = SeedStore(self.board.flash("seed"), *sizes)
        self.generator = Generator(noise_sources(self.board, {}), self.board.unique_id(), seeds)
        self.weak_key = ""
        self.journal = Journal(self.board.flash("journal"), self.board.now_ms, self._first_key, *sizes)
        self.log = Log(self.journal, self.board.now_us)
        begin_meters(self.journal)
        store = ConfigStore(self.board.flash("config"), *sizes)
        waiting = ConfigStore(self.board.flash("waiting"), *sizes)
        unspoilt = parse(store.text) if store.text or store.spoilt else BUILD["default_config"]
        self.journal.retention = config.retention(unspoilt)
        self.journal.drop_half_erased()
        while self.journal.make_room():
            self.board.feed()  # nothing runs yet: the one time when erasing may take what it takes
        self.nonce = struct.unpack("<I", self.generator.label(4, self.journal.next_seq))[0]
        self.boot = self._count_boot(text_hash(store.text) if store.text else "")
        if self.weak_key:
            self.log("fault", code=faults.NOISE_UNHEALTHY, detail=self.weak_key)
        self.utc = Utc(self.board.now_ms, self.log)
        default = BUILD["default_config"]
        self.setup = Setup(store, waiting, default, self.board, self.log, self.utc, self.rebuild)
        self.swap = Swap(self.journal, self.log, self.rebuild)
        self.watch, self.watch_ms = Watch(self.journal, self.log), 0
        self.session = Session({}, self.journal, self.identity)
        self.bulk = Bulk({"dictionary": dictionary_block, "journal": self.segment}, BUILD["files"])
        self.io = BenchIo(self.board, self.log)
        self.care = None
        self.rebuild()

    def _first_key(self):
        """Of the journal's chain, made once, when the board first writes. A board whose noise is bad must be
        able to say so: it writes under a key that is no secret, and is closed by a fault that lasts."""
        try:
            return self.generator.key()
        except faults.Fault as fault:
            self.weak_key = fault.detail
            return self.generator.label(SEED_BYTES, "journal")

    def _count_boot(self, config_hash):
        """Starts are counted in the journal itself; each says what it was configured as."""
        count = self.journal.boot
        for _, _, type_, payload in self.journal.last_segment():
            if type_ == BOOT:
                count = messages.unpack(messages.EVENTS[BOOT][1], payload, older=True)["count"]
        self.journal.boot = count + 1
        known = {"firmware": BUILD["version"], "config": config_hash, "torn": self.journal.torn}
        self.log("boot", count=count + 1, cause=self.board.reset_cause(), **known)
        return count + 1

    def rebuild(self):
        self.io.leave("set_up_anew")
        self._stop_motor()
        self.log.listener = None
        self.table, self.ring, self.care = self._table()
        self.session.handlers = self.table.handlers()
        self.session.handlers.update(
            RngDesk(self.generator, self.boot, self.board.now_us, self.table).handlers()
        )
        self.session.handlers.update(self.setup.handlers(self.table))
        self.session.handlers.update(self.swap.handlers(self.table))
        access = Access(self.journal, BOARD["flash"]["sector_bytes"], self.log, self.table)
        self.session.handlers.update(access.handlers())
        self.session.handlers.update(self.utc.handlers())
        self.session.handlers.update(self.bulk.handlers(self.table))
        self.io.table = self.table
        self.session.handlers.update(self.io.handlers())
        self.session.handlers["status"] = self.status
        self.session.handlers["line_stats"] = self.line_stats
        gc.collect()
        self.collect_us = 0
        self.low_water, self.look_ms = self.board.heap_free() * 3 // 4, 0
        self.log.is_start = False
        return self.table

    def _table(self):
        """The table; where the record is such that none can be built, a closed one: it can be pulled."""
        try:
            return build_table(self.board, self.setup, self.log, self.generator, self.boot)
        except Exception as error:
            fault = error if isinstance(error, faults.Fault) else faults.Fault(faults.CRASHED, repr(error))
            return Closed(self.log, fault.code, str(fault.detail)), EdgeRing(), None

    def _stop_motor(self):
        if self.care:
            self.care.stop()

    def _collect(self):
        start_us = self.board.now_us()
        gc.collect()
        self.collect_us = max(self.collect_us, self.board.now_us() - start_us)

    def status(self, asked):
        fields = self.table.status(asked)
        fields["heap_free"], fields["collect_us"] = self.board.heap_free(), self.collect_us
        fields["write_us"], fields["journal_room"] = self.log.longest_us, self.journal.room()
        return fields

    def segment(self, name, block):
        """A sector of the journal as it is on the flash, but for the key."""
        sector = int(name) if name.isdigit() else -1
        if not 0 <= sector < self.journal.sectors or block:
            raise Refusal("no_segment", "the journal ends before that")
        data = bytearray(BOARD["flash"]["sector_bytes"])
        self.journal.flash.readblocks(sector, data, 0)
        self.journal.blind_key(sector, 0, data)
        return len(data), AS_IT_IS, data

    def line_stats(self, asked):
        fields = self.session.stats()
        fields["now_ms"], fields["dropped"] = self.board.now_ms(), self.board.dropped()
        return fields

    def identity(self):
        settings, why = self.setup.settings()
        table = {} if why else settings["table"]
        return {
            "major": messages.MAJOR,
            "minor": messages.MINOR,
            "firmware": BUILD["version"],
            "board": self.board.name,
            "table": table.get("game", ""),
            "edition": table.get("edition", ""),
            "rules_hash": BUILD["rules_hash"],
            "config_hash": self.setup.hash(),
            "unique_id": self.board.unique_id(),
            "boot": self.boot,
            "boot_nonce": self.nonce,
            "fault": self.table.fault,
            "first_event": self.journal.first_seq,
            "next_event": self.journal.next_seq,
            "image_hash": BUILD["image_hash"],
            "window_bytes": self.board.window_bytes,
        }

    def step(self):
        """Once round the loop."""
        (self.io if self.io.on else self.table).poll()
        if self.care:
            self.care.poll()
        self._tell()
        self._housekeeping()
        due_us = self._deadline_us()
        if self.board.wait(due_us, self.ring):
            self._answer_quickly(due_us)

    def _answer_quickly(self, due_us):
        """What ended the wait, and what comes right behind it; an edge or a deadline is the table's turn."""
        for _ in range(QUICK_ANSWERS):
            self._listen()
            self._tell()
            now_us = self.board.now_us()
            if due_us is not None and due_us <= now_us + LINGER_US:
                return
            if not self.board.wait(now_us + LINGER_US, self.ring):
                return

    def crashed(self, error):
        """Devices off, then the record: no motor turns while nobody watches it."""
        self._stop_motor()
        try:
            self.table.stop_devices()
        except Exception:
            pass  # it may be what failed; the motor is off
        fault = error if isinstance(error, faults.Fault) else faults.Fault(faults.CRASHED, repr(error))
        try:
            self.log("fault", code=fault.code, detail=messages.short(str(fault.detail), DETAIL_BYTES))
        except faults.Fault:
            pass  # it is the journal that fails; what it holds is whole

    def _listen(self):
        data = self.board.read()
        if data:
            self.board.write(self.session.feed(data, self.board.now_ms()))

    def _tell(self):
        """Events, while the line takes them: a host that does not read stops them, not the table."""
        while self.board.is_line_free():
            frame = self.session.next_event(self.board.now_ms())
            if frame is None:
                return
            self.board.write(frame)

    def _housekeeping(self):
        """Erasing only between rounds; collecting only when no contact or device is under way."""
        now_ms = self.board.now_ms()
        if self.table.is_idle() and not self.io.on:
            self.journal.make_room()
            self.setup.poll()
            if now_ms >= self.watch_ms:
                self.watch_ms = now_ms + JOURNAL_LOOK_MS
                self.watch.look()
        if now_ms >= self.look_ms and self.table.deadline_us() is None:
            self.look_ms = now_ms + HEAP_LOOK_MS
            if self.board.heap_free() < (self.low_water // 2 if self.table.is_awaited() else self.low_water):
                self._collect()

    def _deadline_us(self):
        tell_ms = self.session.deadline_ms() if self.board.is_line_free() else None
        times = [(self.io if self.io.on else self.table).deadline_us(), self.care and self.care.deadline_us()]
        times.append(None if tell_ms is None else tell_ms * 1000)
        due = [at_us for at_us in times if at_us is not None]
        return min(due) if due else None


def run():
    """For ever. An error of our own is put on record, and the board starts again from the journal."""
    machine = Machine()
    try:
        while True:
            machine.board.feed()
            machine.step()
    except Exception as error:
        machine.crashed(error)
        sleep_ms(CRASH_PAUSE_MS)
    machine.board.reset()
