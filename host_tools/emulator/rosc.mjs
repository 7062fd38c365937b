// The ring oscillator, the chip's source of noise: healthy, stuck at a level, leaning to one, or sticky.
// Defect of rp2040js: it has none, every register reads as ones, so os.urandom is constant.
// The bits are independent of each other and of the time between two readings: silicon's are neither, so a
// noise source that passes here has still to be assessed on the board.
import { randomBytes } from 'node:crypto';
import { BasePeripheral } from './rp2040js.mjs';
import { seededRandom } from './seeded.mjs';

const ROSC = 0x40060;
const STATUS = 0x18;
const RANDOM_BIT = 0x1c;
const STABLE_AND_ENABLED = 0x80001000;

/** What the oscillator is like: part of the world, so it outlives resets and cuts. */
export class Noise {
  constructor() {
    this.pool = Buffer.alloc(0);
    this.taken = 0;
    this.set('healthy', {});
  }

  /** stuck: at level. biased: a share of ones, sticky: stays as it was; by chance, or by a seed that is given. */
  set(mode, { level = 1, ones = 0.75, stays = 0.9, seed = null }) {
    this.mode = mode;
    this.stays = stays;
    this.last = 0;
    this.level = level;
    this.ones = mode === 'healthy' ? 0.5 : ones;
    this.random = seed === null ? () => this.chance() : seededRandom(seed);
  }

  /** From 0 to 1, 16 bits fine. */
  chance() {
    if (this.taken === this.pool.length) {
      this.pool = randomBytes(8192);
      this.taken = 0;
    }
    this.taken += 2;
    return this.pool.readUInt16LE(this.taken - 2) / 65536;
  }

  bit() {
    if (this.mode === 'stuck') return this.level;
    if (this.mode === 'sticky') {
      if (this.random() >= this.stays) this.last ^= 1;
      return this.last;
    }
    return this.random() < this.ones ? 1 : 0;
  }
}

class RingOscillator extends BasePeripheral {
  constructor(rp2040, noise) {
    super(rp2040, 'ROSC');
    this.noise = noise;
    this.registers = {};
  }

  readUint32(offset) {
    if (offset === STATUS) return STABLE_AND_ENABLED;
    if (offset === RANDOM_BIT) return this.noise.bit();
    return this.registers[offset] ?? 0;
  }

  writeUint32(offset, value) {
    this.registers[offset] = value;
  }
}

export function fitRingOscillator(rp2040, noise) {
  rp2040.peripherals[ROSC] = new RingOscillator(rp2040, noise);
}
