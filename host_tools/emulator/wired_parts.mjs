// Parts that are not lamps or digits: keys as a matrix, a motor's drive, the shunt in the lamps' return, a
// display on a serial line. Models for parts.mjs, as boards/unix/wired_parts.py has them; they know no game.
const FULL_SCALE_MV = 3300;
const STEPS = 4095;
const DEAD_NS = 500_000; // a bridge that is turned round sooner shorts the supply
const FUNCTION_UART = 2;

/** Switches between rows and columns, no diodes: what is closed conducts both ways. */
export class KeyMatrix {
  constructor(pins, part) {
    this.pins = pins;
    this.rows = part.rows.map((name) => pins.number(name));
    this.columns = part.columns.map((name) => pins.number(name));
    this.closed = new Set(); // numbers of keys, row by row
    for (const row of this.rows) pins.watch(row, () => this.conduct());
    part.keys.forEach((name, key) => pins.addSwitch(name, (level) => this.move(key, level)));
    this.clear();
  }

  /** Let go, a row is high through a column's pull-up. Keys stay as the fixture holds them. */
  clear() {
    for (const row of this.rows) this.pins.drivePart(row, 1);
  }

  move(key, level) {
    if (level === 0) this.closed.add(key);
    else this.closed.delete(key);
    this.conduct();
  }

  conduct() {
    const crossings = [...this.closed].map((key) => [Math.floor(key / this.columns.length), key % this.columns.length]);
    const rows = new Set([...this.rows.keys()].filter((n) => this.pins.levels[this.rows[n]] === 0));
    const columns = new Set();
    for (let more = true; more;) {
      const before = rows.size + columns.size;
      for (const [row, column] of crossings) {
        if (rows.has(row)) columns.add(column);
        if (columns.has(column)) rows.add(row);
      }
      more = rows.size + columns.size > before;
    }
    this.columns.forEach((gpio, n) => this.pins.drivePart(gpio, columns.has(n) ? 0 : null));
  }
}

/** A gate, or the two inputs of an H-bridge: which way it drives, and how often it was shorted. */
export class MotorDrive {
  constructor(pins, part) {
    this.pins = pins;
    this.wires = [part.gate ?? part.forward, part.back].filter(Boolean).map((name) => pins.number(name));
    for (const gpio of this.wires) pins.watch(gpio, () => this.moved());
    this.clear();
  }

  clear() {
    this.drove = 0;
    this.endedNs = 0;
    this.shorts = 0;
  }

  get levels() {
    return this.wires.map((gpio) => this.pins.levels[gpio]);
  }

  /** 1, -1, or 0: it is not driven. */
  get way() {
    const [first, second = 0] = this.levels;
    return first - second;
  }

  moved() {
    const now = this.pins.nowNs();
    if (this.way === 0) this.endedNs = now;
    else if (this.drove && this.way !== this.drove && now - this.endedNs < DEAD_NS) this.shorts++;
    this.drove = this.way || this.drove;
  }

  told() {
    return { way: this.way, brake: this.wires.length > 1 && this.levels.every(Boolean), shorts: this.shorts };
  }
}

/** The lamps' common return: a voltage for as many lamps as draw current, read by the chip's converter. */
export class Shunt {
  constructor(pins, part, drawing) {
    this.drawing = drawing; // () -> how many
    this.mv = (part.lamp_ma * part.shunt_mohm) / 1000;
    pins.adc[pins.adcChannel(part.sense)] = this;
  }

  sample() {
    return Math.min(Math.floor((this.drawing() * this.mv * STEPS) / FULL_SCALE_MV), STEPS);
  }

  clear() {}
}

/** Hears what a UART of the chip sends on its wire, if the pin is switched to it. */
export class LineDisplay {
  constructor(pins, part) {
    this.gpio = pins.number(part.tx);
    this.uart = part.uart;
    this.clear();
  }

  clear() {
    this.text = '';
    this.baud = 0;
  }

  attach(rp2040) {
    const uart = rp2040.uart[this.uart];
    uart.onByte = (byte) => {
      if (rp2040.gpio[this.gpio].functionSelect !== FUNCTION_UART) return;
      this.text += String.fromCharCode(byte);
      this.baud = uart.baudRate;
    };
  }

  told() {
    return { text: this.text, baud: this.baud };
  }
}
