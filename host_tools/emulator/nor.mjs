// The flash chip itself, a W25Q16JV: decodes SPI commands, takes the datasheet's time over them, and is torn
// when the power goes in the middle. It does not know who drives its wires (flash.mjs does) and lives on
// through resets of the RP2040, as the real one does: only a power cut stops an operation.
import { FLASH_BYTES } from './flash_store.mjs';
import { FLASH_TIMES } from './flash_times.mjs';
import { seededRandom } from './seeded.mjs';

const JEDEC_ID = [0xef, 0x40, 0x15]; // Winbond, W25Q, 16 Mbit
const BUSY = 0x01;
const WRITE_ENABLED = 0x02;
const QUAD_ENABLED = 0x02;
const PAGE_BYTES = 256;
export const SECTOR_BYTES = 4096;
const READ_STATUS = 0x05;
const ERASE_BYTES = { 0x20: 4096, 0x52: 32768, 0xd8: 65536, 0xc7: FLASH_BYTES, 0x60: FLASH_BYTES };

const address = (command) => ((command[1] << 16) | (command[2] << 8) | command[3]) % FLASH_BYTES;

export class Nor {
  /** times: a key of FLASH_TIMES. uniqueId: eight bytes. */
  constructor(store, times, uniqueId) {
    this.store = store;
    this.times = FLASH_TIMES[times];
    this.uniqueId = uniqueId;
    this.erases = 0;
    this.programs = 0;
    this.wear = new Uint32Array(FLASH_BYTES / SECTOR_BYTES);
    this.last = null; // the newest operation, for people
    this.onBusy = () => {}; // (busy)
    this.onPoll = () => {}; // the status was read and said busy
    this.onCut = () => {}; // (sentence): the power must go now, as cutAt asked
    this.powerOn();
  }

  powerOn() {
    this.command = [];
    this.writeEnabled = false;
    this.operation = null; // under way
    this.tear = null; // {after, bytes, seed}: where the power is to go
  }

  /** clock: the chip's. An operation that a reset of the chip found under way goes on for restNs. */
  attach(clock, restNs) {
    this.clock = clock;
    this.alarm = clock.createAlarm(() => this.finish());
    if (this.operation) this.start(this.operation, restNs);
  }

  /** What is left of the operation under way. */
  get restNs() {
    return this.operation ? Math.max(this.operation.endNs - this.clock.nanos, 0) : 0;
  }

  /** The newest operation, for people. */
  told() {
    if (!this.last) return 'no operation yet';
    return `${this.last.kind} at 0x${this.last.at.toString(16)}, ${this.operation ? 'under way' : 'done'}`;
  }

  /** {sector: erases} */
  wearBySector() {
    return Object.fromEntries([...this.wear.entries()].filter(([, erases]) => erases));
  }

  /** Cuts the power in the count-th operation from now, with that many bytes of it done. */
  cutAt(count, bytes, seed) {
    this.tear = { after: count, bytes, seed };
  }

  /** One byte out, one byte in. */
  exchange(byte) {
    const at = this.command.push(byte) - 1;
    if (at === 0) return 0xff;
    if (this.operation && this.command[0] !== READ_STATUS) return 0xff; // deaf to all else while busy
    switch (this.command[0]) {
      case READ_STATUS: return this.status();
      case 0x35: return QUAD_ENABLED;
      case 0x9f: return JEDEC_ID[at - 1] ?? 0xff;
      case 0x4b: return at >= 5 ? this.uniqueId[(at - 5) % this.uniqueId.length] : 0xff;
      case 0x03: return at >= 4 ? this.store.bytes[(address(this.command) + at - 4) % FLASH_BYTES] : 0xff;
      default: return 0xff;
    }
  }

  status() {
    if (this.operation) this.onPoll();
    return (this.operation ? BUSY : 0) | (this.writeEnabled ? WRITE_ENABLED : 0);
  }

  /** Chip select rises: the command is whole. */
  deselect() {
    const command = this.command;
    this.command = [];
    if (!command.length || this.operation) return;
    const code = command[0];
    if (code === 0x06) this.writeEnabled = true;
    else if (code === 0x04) this.writeEnabled = false;
    else if (this.writeEnabled) this.begin(code, command);
  }

  begin(code, command) {
    if (code === 0x02 && command.length > 4) this.beginProgram(command);
    else if (code in ERASE_BYTES) this.beginErase(command, ERASE_BYTES[code]);
    else if (code === 0x01 || code === 0x31) this.take({ kind: 'status', at: 0, size: 0 }, this.times.status);
  }

  beginProgram(command) {
    this.programs++;
    const data = command.slice(4);
    this.take({ kind: 'program', at: address(command), size: data.length, data }, this.times.page);
  }

  beginErase(command, size) {
    const at = size === FLASH_BYTES ? 0 : address(command) & ~(size - 1);
    this.erases++;
    for (let sector = at / SECTOR_BYTES; sector < (at + size) / SECTOR_BYTES; sector++) this.wear[sector]++;
    this.take({ kind: 'erase', at, size }, this.times[size] ?? this.times.whole);
  }

  take(operation, ns) {
    this.last = operation;
    if (this.tear && operation.kind !== 'status' && --this.tear.after === 0) return this.tearNow(operation);
    if (ns) this.start(operation, ns);
    else this.complete(operation);
  }

  start(operation, ns) {
    this.operation = operation;
    operation.ns ??= ns;
    operation.endNs = this.clock.nanos + ns;
    this.alarm.schedule(ns);
    this.onBusy(true);
  }

  finish() {
    const { operation } = this;
    this.operation = null;
    this.complete(operation);
    this.onBusy(false);
  }

  complete(operation) {
    this.writeEnabled = false;
    this.change(operation, operation.size, 0);
  }

  tearNow(operation) {
    const { bytes, seed } = this.tear;
    const done = Math.min(bytes, operation.size);
    this.change(operation, done, seed);
    const where = `${operation.kind} at 0x${operation.at.toString(16)}`;
    this.onCut(`the power was cut in the ${where}, ${done} of ${operation.size} bytes done`);
  }

  /** The power goes: an operation under way stays as far as it has come. */
  powerGone() {
    const { operation } = this;
    if (operation) {
      const done = 1 - this.restNs / operation.ns;
      this.change(operation, Math.floor(operation.size * done), this.programs + this.erases);
    }
    this.powerOn();
  }

  /** Does an operation as far as so many of its bytes. A page is programmed byte by byte; in a sector every
   * cell goes on its own, so that of an erase done to a share of p each 0 has become 1 with chance p. */
  change(operation, bytes, seed) {
    const { kind, at, size } = operation;
    if (kind === 'program') this.program(operation, bytes);
    else if (kind === 'erase' && bytes === size) this.store.bytes.fill(0xff, at, at + size);
    else if (kind === 'erase') this.halfErase(operation, bytes / size, seed);
    const start = at & ~(PAGE_BYTES - 1);
    if (kind !== 'status') this.store.changed(start, Math.max(size, PAGE_BYTES));
  }

  program({ at, data }, bytes) {
    const page = at & ~(PAGE_BYTES - 1);
    for (let i = 0; i < bytes; i++) {
      this.store.bytes[page | ((at + i) & (PAGE_BYTES - 1))] &= data[i]; // wraps inside its page
    }
  }

  halfErase({ at, size }, share, seed) {
    const random = seededRandom(seed);
    for (let i = at; i < at + size; i++) {
      for (let bit = 1; bit < 256; bit <<= 1) if (random() < share) this.store.bytes[i] |= bit;
    }
  }
}
