// The TM1637, a display of four digits on two wires: decodes what the pins really do.
import { readSegments } from './segments.mjs';

const ADDRESSES = 6;
const FIXED_ADDRESS = 0x04;
const DISPLAY_ON = 0x08;

/** TM1637: start and stop conditions on DIO while CLK is high, bytes LSB first, acknowledged by the part. */
export class SegmentDisplay {
  constructor(pins, part) {
    this.pins = pins;
    this.clk = pins.number(part.clk);
    this.dio = pins.number(part.dio);
    this.digits = part.digits;
    this.memory = new Uint8Array(ADDRESSES);
    this.clear();
    pins.watch(this.clk, (level) => (level ? this.clockRise() : this.clockFall()));
    pins.watch(this.dio, (level) => this.dataEdge(level));
  }

  clear() {
    this.memory.fill(0);
    this.on = false;
    this.fixed = false;
    this.address = 0;
    this.listening = false;
    this.beginByte();
    this.letGo();
  }

  /** The module's resistors pull both lines up. */
  letGo() {
    this.pins.drivePart(this.clk, 1);
    this.pins.drivePart(this.dio, 1);
  }

  beginByte() {
    this.bits = 0;
    this.byte = 0;
  }

  dataEdge(level) {
    if (!this.pins.levels[this.clk]) return;
    if (this.bits === 9) return; // our own release of DIO after the acknowledge
    this.listening = level === 0; // start, else stop
    this.first = true;
    this.beginByte();
  }

  clockRise() {
    if (!this.listening || this.bits >= 8) return;
    this.byte |= this.pins.levels[this.dio] << this.bits;
    this.bits++;
  }

  /** After the eighth bit the part holds DIO low for one clock. */
  clockFall() {
    if (!this.listening || this.bits < 8) return;
    if (this.bits++ === 8) {
      this.take(this.byte);
      this.pins.drivePart(this.dio, 0);
    } else {
      this.beginByte();
      this.pins.drivePart(this.dio, 1);
    }
  }

  take(byte) {
    if (!this.first) return this.store(byte);
    this.first = false;
    if ((byte & 0xc0) === 0x40) this.fixed = !!(byte & FIXED_ADDRESS);
    else if ((byte & 0xc0) === 0xc0) this.address = byte & 0x0f;
    else if ((byte & 0xc0) === 0x80) this.on = !!(byte & DISPLAY_ON);
  }

  store(byte) {
    if (this.address < ADDRESSES) this.memory[this.address] = byte;
    if (!this.fixed) this.address++;
  }

  /** A character a digit; a dark display is spaces. */
  text() {
    if (!this.on) return ' '.repeat(this.digits);
    return readSegments(this.memory.subarray(0, this.digits));
  }
}
