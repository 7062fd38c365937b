// The parts wired to the board's pins, decoding what the pins really do: the 74HC595 chain behind the
// lamps and the TM1637 display. They see levels only, never the firmware; a reset of the chip leaves
// them as they are, a power cut clears them.

/** 74HC595 chain: shifts on the clock's rise, shows on the latch's. Output 0 is Q_A of the nearest chip. */
export class ShiftRegisters {
  constructor(pins, part, names) {
    this.names = names;
    this.shifted = new Uint8Array(part.outputs);
    this.shown = new Uint8Array(part.outputs);
    const data = pins.number(part.data);
    pins.watch(pins.number(part.clock), (level) => level && this.shift(pins.levels[data]));
    pins.watch(pins.number(part.latch), (level) => level && this.shown.set(this.shifted));
  }

  shift(bit) {
    this.shifted.copyWithin(1, 0);
    this.shifted[0] = bit;
  }

  clear() {
    this.shifted.fill(0);
    this.shown.fill(0);
  }

  /** Names of the lit lamps; a lit output that drives no lamp is told by its number. */
  lit() {
    const lamps = [];
    this.shown.forEach((on, output) => { if (on) lamps.push(this.names[output] ?? `output ${output}`); });
    return lamps;
  }
}

const GLYPHS = new Map([
  [0x00, ' '], [0x3f, '0'], [0x06, '1'], [0x5b, '2'], [0x4f, '3'], [0x66, '4'], [0x6d, '5'], [0x7d, '6'],
  [0x07, '7'], [0x7f, '8'], [0x6f, '9'], [0x40, '-'], [0x08, '_'], [0x77, 'A'], [0x7c, 'b'], [0x39, 'C'],
  [0x58, 'c'], [0x5e, 'd'], [0x79, 'E'], [0x71, 'F'], [0x3d, 'G'], [0x76, 'H'], [0x74, 'h'], [0x1e, 'J'],
  [0x38, 'L'], [0x54, 'n'], [0x5c, 'o'], [0x73, 'P'], [0x50, 'r'], [0x78, 't'], [0x3e, 'U'], [0x1c, 'u'],
  [0x6e, 'y'],
]);
const SEGMENTS = 0x7f; // bit 7 is the colon or the point
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

  /** Four characters; a dark display is four spaces, a pattern that is no character a question mark. */
  text() {
    if (!this.on) return ' '.repeat(this.digits);
    return Array.from(this.memory.subarray(0, this.digits), (byte) => GLYPHS.get(byte & SEGMENTS) ?? '?').join('');
  }
}

const KINDS = {
  '74hc595': (pins, part, wiring) => new ShiftRegisters(pins, part, wiring.lamps ?? []),
  tm1637: (pins, part) => new SegmentDisplay(pins, part),
};

/** The board's parts by name ("lamps", "display"). */
export function fitParts(pins, wiring) {
  const parts = {};
  for (const [name, part] of Object.entries(wiring.board.parts ?? {})) {
    if (!(part.kind in KINDS)) throw new Error(`the emulator has no model of part ${name}, a ${part.kind}`);
    parts[name] = KINDS[part.kind](pins, part, wiring);
  }
  return parts;
}
