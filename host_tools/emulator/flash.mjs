// The way from the RP2040 to its flash chip: the SSI, the chip select in IO_QSPI, the XIP window.
// rp2040js' own SSI is a stub: it answers "not busy" and drops every command, so that flash writes,
// the flash's unique id and its JEDEC id do not work. These three peripherals take its place.
// While the flash is busy nothing can be read through XIP; a read that tries is told to onViolation.
import { BasePeripheral } from './rp2040js.mjs';

const SSI = { SSIENR: 0x08, TXFLR: 0x20, RXFLR: 0x24, SR: 0x28, IDR: 0x58, VERSION: 0x5c, DR0: 0x60 };
const SR_TX_NOT_FULL_AND_EMPTY = 0x06;
const SR_RX_NOT_EMPTY = 0x08;
const RX_FIFO_WORDS = 64;
const XIP_BASE = 0x10000000;
const XIP_END = 0x14000000;
const READS = ['readUint8', 'readUint16', 'readUint32'];
const ONES = [0xff, 0xffff, 0xffffffff];

export class Ssi extends BasePeripheral {
  constructor(rp2040, nor) {
    super(rp2040, 'SSI');
    this.nor = nor;
    this.registers = {};
    this.received = [];
    this.heldByHand = false; // chip select driven through IO_QSPI, as the ROM's routines do
  }

  /** IO_QSPI's override of chip select: 2 drives it low, 3 high, else the SSI drives it. */
  selectOverride(override) {
    this.nor.deselect();
    this.heldByHand = override === 2 || override === 3;
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
    if (!this.heldByHand && !this.received.length) this.nor.deselect(); // the SSI lets go when its FIFOs run dry
    return byte;
  }

  writeUint32(offset, value) {
    if (offset === SSI.DR0) return this.send(value & 0xff);
    if (offset === SSI.SSIENR) {
      this.received = [];
      if (!this.heldByHand) this.nor.command = [];
    }
    this.registers[offset] = value;
  }

  send(byte) {
    this.received.push(this.nor.exchange(byte));
    if (this.received.length > RX_FIFO_WORDS) this.received.shift();
  }
}

/** IO_QSPI: rp2040js has none; the ROM drives the flash's chip select through its override field. */
export class QspiIo extends BasePeripheral {
  constructor(rp2040, ssi) {
    super(rp2040, 'IO_QSPI');
    this.ssi = ssi;
    this.registers = new Uint32Array(64);
  }

  readUint32(offset) {
    return this.registers[(offset & 0xff) >> 2];
  }

  writeUint32(offset, value) {
    this.registers[(offset & 0xff) >> 2] = value;
    if (offset === 0x0c) this.ssi.selectOverride((value >>> 8) & 3); // GPIO_QSPI_SS_CTRL.OUTOVER
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

/** Shuts the XIP window and opens it again. The core reads it past the bus, the rest of the chip does not. */
class XipWindow {
  constructor(rp2040, cpu, onViolation) {
    this.rp2040 = rp2040;
    this.cpu = cpu;
    this.flashBytes = cpu.flashBytes;
    this.open = READS.map((name) => rp2040[name].bind(rp2040));
    this.shut = this.open.map((read, index) => (address) => {
      if (address < XIP_BASE || address >= XIP_END) return read(address);
      onViolation(address);
      return ONES[index];
    });
  }

  set(busy) {
    this.cpu.flashBytes = busy ? 0 : this.flashBytes;
    READS.forEach((name, index) => { this.rp2040[name] = (busy ? this.shut : this.open)[index]; });
  }
}

/** Defect: in rp2040js a store to the XIP window changes the flash; on silicon it touches the cache only. */
class ReadOnlyView extends DataView {
  setUint32() {}
}

/** Puts the flash on a freshly made chip; the chip reads its code from the store's own bytes. */
export function fitFlash(rp2040, nor) {
  const { bytes } = nor.store;
  rp2040.flash = bytes;
  rp2040.flash16 = new Uint16Array(bytes.buffer);
  rp2040.flashView = new ReadOnlyView(bytes.buffer);
  const ssi = new Ssi(rp2040, nor);
  rp2040.peripherals[0x18000] = ssi;
  rp2040.peripherals[0x40018] = new QspiIo(rp2040, ssi);
  rp2040.peripherals[0x14000] = new XipControl(rp2040);
}

/** The XIP window closes while the flash is busy. onViolation(address) hears of a read that came then. */
export function guardXip(rp2040, cpu, nor, onViolation) {
  const window = new XipWindow(rp2040, cpu, onViolation);
  nor.onBusy = (busy) => window.set(busy);
  if (nor.operation) window.set(true);
}
