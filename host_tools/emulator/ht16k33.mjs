// The HT16K33, 128 lamps or digits behind I2C: decodes the two wires, or is spoken to by the chip's own I2C
// controller (i2c.mjs). Writes only: it has keys to be read too, and those are not modelled.
import { litNames } from './lamp_names.mjs';
import { readSegments } from './segments.mjs';

const MEMORY_BYTES = 16; // one byte for eight rows of a column, two bytes a column
const DIGIT_COLUMNS = [0, 1, 3, 4]; // column 2 is the colon of a four-digit clock
const OSCILLATOR = 0x20;
const DISPLAY = 0x80;

export class Ht16k33 {
  constructor(pins, part, names) {
    this.pins = pins;
    this.names = names;
    this.sda = pins.number(part.sda);
    this.scl = pins.number(part.scl);
    this.address = part.address ?? 0x70;
    this.columns = part.columns ?? DIGIT_COLUMNS.slice(0, part.digits);
    this.memory = new Uint8Array(MEMORY_BYTES);
    pins.watch(this.scl, (level) => (level ? this.clockRise() : this.clockFall()));
    pins.watch(this.sda, (level) => this.dataEdge(level));
    this.clear();
  }

  clear() {
    this.memory.fill(0);
    this.running = false;
    this.on = false;
    this.stop();
    this.pins.drivePart(this.scl, 1); // the module's resistors pull both lines up
    this.pins.drivePart(this.sda, 1);
  }

  // -- the wires

  /** While the clock is high a fall of the data wire starts, a rise stops. */
  dataEdge(level) {
    if (!this.pins.levels[this.scl]) return;
    this.stop();
    if (!level) this.listening = true;
  }

  stop() {
    this.listening = false;
    this.addressed = false;
    this.beginByte();
  }

  beginByte() {
    this.bits = 0;
    this.byte = 0;
  }

  clockRise() {
    if (!this.listening || this.bits >= 8) return;
    this.byte = (this.byte << 1) | this.pins.levels[this.sda];
    this.bits++;
  }

  /** After the eighth bit the part holds the data wire low for one clock, if it is meant. */
  clockFall() {
    if (!this.listening || this.bits < 8) return;
    if (this.bits++ === 8) this.acknowledge();
    else {
      this.beginByte();
      this.pins.drivePart(this.sda, 1);
    }
  }

  acknowledge() {
    if (this.addressed) this.write(this.byte);
    else if (!this.connect(this.byte >> 1, this.byte & 1)) return this.stop();
    this.pins.drivePart(this.sda, 0);
  }

  // -- what is said on them

  /** A message begins; true when it is for this part. */
  connect(address, reading) {
    this.addressed = address === this.address && !reading;
    this.first = true;
    return this.addressed;
  }

  write(byte) {
    if (!this.first) this.store(byte);
    else if (byte < MEMORY_BYTES) this.at = byte;
    else this.obey(byte);
    this.first = false;
  }

  store(byte) {
    this.memory[this.at] = byte;
    this.at = (this.at + 1) % MEMORY_BYTES;
  }

  obey(command) {
    this.at = 0;
    if ((command & 0xf0) === OSCILLATOR) this.running = !!(command & 1);
    else if ((command & 0xf0) === DISPLAY) this.on = !!(command & 1);
  }

  text() {
    const shapes = this.columns.map((column) => this.memory[column * 2]);
    return this.on && this.running ? readSegments(shapes) : ' '.repeat(shapes.length);
  }

  /** Output n is bit n % 8 of byte n / 8. */
  lit() {
    if (!this.on || !this.running) return [];
    const outputs = Array.from({ length: MEMORY_BYTES * 8 }, (_, n) => (this.memory[n >> 3] >> (n & 7)) & 1);
    return litNames(this.names, outputs);
  }
}
