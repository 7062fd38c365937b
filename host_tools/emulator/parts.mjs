// The parts wired to the board's pins, by their kind in board.json: here the 74HC595 chain, in rooms of their
// own the TM1637, the WS2812, the HT16K33 and those of wired_parts.mjs. They decode what the pins really do and see levels only, never
// the firmware; a reset of the chip leaves them as they are, a power cut clears them.
import { Ht16k33 } from './ht16k33.mjs';
import { litNames } from './lamp_names.mjs';
import { SegmentDisplay } from './tm1637.mjs';
import { KeyMatrix, LineDisplay, MotorDrive, Shunt } from './wired_parts.mjs';
import { Pixels } from './ws2812.mjs';

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
    return litNames(this.names, this.shown);
  }
}

const KINDS = {
  '74hc595': (pins, part, wiring) => new ShiftRegisters(pins, part, wiring.lamps ?? []),
  tm1637: (pins, part) => new SegmentDisplay(pins, part),
  ws2812: (pins, part, wiring) => new Pixels(pins, part, wiring.lamps ?? []),
  matrix: (pins, part) => new KeyMatrix(pins, part),
  switch: (pins, part) => new MotorDrive(pins, part),
  h_bridge: (pins, part) => new MotorDrive(pins, part),
  shunt: (pins, part, wiring, drawing) => new Shunt(pins, part, drawing),
  uart: (pins, part) => new LineDisplay(pins, part),
  ht16k33: (pins, part, wiring) => new Ht16k33(pins, part, wiring.lamps ?? []),
};

const NO_MODEL = ['none', 'single', 'noise_circuit']; // nothing, bare contacts, a voltage

/** The board's parts by name ("lamps", "display"). broken: which lamps are. */
export function fitParts(pins, wiring, broken) {
  const parts = {};
  const drawing = () => broken.seen(parts.lamps?.lit() ?? []).filter((name) => broken.names.includes(name)).length;
  for (const [name, part] of Object.entries(wiring.parts ?? wiring.board.parts ?? {})) {
    if (NO_MODEL.includes(part.kind)) continue;
    if (!(part.kind in KINDS)) throw new Error(`the emulator has no model of part ${name}, a ${part.kind}`);
    parts[name] = KINDS[part.kind](pins, part, wiring, drawing);
  }
  return parts;
}
