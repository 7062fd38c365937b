// A W25Q16 behind the chip's SSI: decodes the SPI bytes that the boot ROM's flash routines send.
// rp2040js' own SSI is a stub: it answers "not busy" and drops every command, so that flash writes,
// the flash's unique id and its JEDEC id do not work. These three peripherals take its place.
import { BasePeripheral } from './rp2040js.mjs';
import { FLASH_BYTES } from './flash_store.mjs';

const UNIQUE_ID = [0xe6, 0x60, 0x58, 0x38, 0x83, 0x12, 0x34, 0x56];
const JEDEC_ID = [0xef, 0x40, 0x15]; // Winbond, W25Q, 16 Mbit
const QUAD_ENABLED = 0x02;
const PAGE_BYTES = 256;
const ERASE_BYTES = { 0x20: 4096, 0x52: 32768, 0xd8: 65536, 0xc7: FLASH_BYTES, 0x60: FLASH_BYTES };

const SSI = { SSIENR: 0x08, TXFLR: 0x20, RXFLR: 0x24, SR: 0x28, IDR: 0x58, VERSION: 0x5c, DR0: 0x60 };
const SR_TX_NOT_FULL_AND_EMPTY = 0x06;
const SR_RX_NOT_EMPTY = 0x08;
const RX_FIFO_WORDS = 64;

/** The flash chip: commands run from chip select low to chip select high. */
export class NorFlash extends BasePeripheral {
  constructor(rp2040, store, counts) {
    super(rp2040, 'SSI');
    this.store = store;
    this.counts = counts;
    this.registers = {};
    this.received = [];
    this.command = [];
    this.heldByHand = false; // chip select driven through IO_QSPI, as the ROM's routines do
    this.writeEnabled = false;
  }

  /** IO_QSPI's override of chip select: 2 drives it low, 3 high, else the SSI drives it. */
  selectOverride(override) {
    this.deselect();
    this.heldByHand = override === 2 || override === 3;
  }

  deselect() {
    const command = this.command;
    this.command = [];
    if (!command.length) return;
    const code = command[0];
    if (code === 0x06) this.writeEnabled = true;
    else if (code === 0x04 || code === 0x01 || code === 0x31) this.writeEnabled = false;
    else if (code === 0x02) this.ifWriteEnabled(() => this.program(command));
    else if (code in ERASE_BYTES) this.ifWriteEnabled(() => this.erase(command, ERASE_BYTES[code]));
  }

  ifWriteEnabled(operation) {
    if (this.writeEnabled) operation();
    this.writeEnabled = false;
  }

  erase(command, size) {
    const start = size === FLASH_BYTES ? 0 : address(command) & ~(size - 1);
    this.store.bytes.fill(0xff, start, start + size);
    this.store.changed(start, size);
    this.counts.erases++;
  }

  program(command) {
    const first = address(command);
    const page = first & ~(PAGE_BYTES - 1);
    for (let i = 4; i < command.length; i++) {
      this.store.bytes[page | ((first + i - 4) & (PAGE_BYTES - 1))] &= command[i]; // wraps inside its page
    }
    this.store.changed(page, PAGE_BYTES);
    this.counts.programs++;
  }

  /** One byte out, one byte in. */
  exchange(byte) {
    const at = this.command.push(byte) - 1;
    if (at === 0) return 0xff;
    switch (this.command[0]) {
      case 0x05: return this.writeEnabled ? 0x02 : 0x00; // status 1: never busy, operations take no time yet
      case 0x35: return QUAD_ENABLED;
      case 0x9f: return JEDEC_ID[at - 1] ?? 0xff;
      case 0x4b: return at >= 5 ? UNIQUE_ID[(at - 5) % UNIQUE_ID.length] : 0xff;
      case 0x03: return at >= 4 ? this.store.bytes[(address(this.command) + at - 4) % FLASH_BYTES] : 0xff;
      default: return 0xff;
    }
  }

  readUint32(offset) {
    switch (offset) {
      case SSI.SR: return SR_TX_NOT_FULL_AND_EMPTY | (this.received.length ? SR_RX_NOT_EMPTY : 0);
      case SSI.TXFLR: return 0;
      case SSI.RXFLR: return this.received.length;
      case SSI.DR0: return this.receive();
      case SSI.IDR: return 0x51535049;
      case SSI.VERSION: return 0x3430312a;
      default: return this.registers[offset] ?? 0;
    }
  }

  receive() {
    const byte = this.received.shift() ?? 0;
    if (!this.heldByHand && !this.received.length) this.deselect(); // the SSI lets go when its FIFOs run dry
    return byte;
  }

  writeUint32(offset, value) {
    if (offset === SSI.DR0) return this.send(value & 0xff);
    if (offset === SSI.SSIENR) {
      this.received = [];
      if (!this.heldByHand) this.command = [];
    }
    this.registers[offset] = value;
  }

  send(byte) {
    this.received.push(this.exchange(byte));
    if (this.received.length > RX_FIFO_WORDS) this.received.shift();
  }
}

function address(command) {
  return ((command[1] << 16) | (command[2] << 8) | command[3]) % FLASH_BYTES;
}

/** IO_QSPI: rp2040js has none; the ROM drives the flash's chip select through its override field. */
export class QspiIo extends BasePeripheral {
  constructor(rp2040, nor) {
    super(rp2040, 'IO_QSPI');
    this.nor = nor;
    this.registers = new Uint32Array(64);
  }

  readUint32(offset) {
    return this.registers[(offset & 0xff) >> 2];
  }

  writeUint32(offset, value) {
    this.registers[(offset & 0xff) >> 2] = value;
    if (offset === 0x0c) this.nor.selectOverride((value >>> 8) & 3); // GPIO_QSPI_SS_CTRL.OUTOVER
  }
}

/** XIP_CTRL: rp2040js has none; the ROM waits for the cache flush to end. */
export class XipControl extends BasePeripheral {
  constructor(rp2040) {
    super(rp2040, 'XIP_CTRL');
  }

  readUint32(offset) {
    return offset === 0x08 ? 0x03 : 0; // STAT: FIFO empty, flush ready
  }

  writeUint32() {}
}

/** Puts the flash on a freshly made chip; the chip reads its code from the store's own bytes. */
export function fitFlash(rp2040, store, counts) {
  rp2040.flash = store.bytes;
  rp2040.flash16 = new Uint16Array(store.bytes.buffer);
  rp2040.flashView = new DataView(store.bytes.buffer);
  const nor = new NorFlash(rp2040, store, counts);
  rp2040.peripherals[0x18000] = nor;
  rp2040.peripherals[0x40018] = new QspiIo(rp2040, nor);
  rp2040.peripherals[0x14000] = new XipControl(rp2040);
}
