// A string of WS2812 lamps on one wire: a bit is how long the wire is high, a long low shows what came.
// Times are the maker's, read strictly: 220 to 500 ns is a 0, 580 to 1600 ns a 1 (WS2812 and WS2812B alike),
// 280 us of low end the frame (the newer part; the older takes 50). What lies outside is a fault: the frame
// is dropped, so that a lamp that only works by luck stays dark here.
import { lampName, litNames } from './lamp_names.mjs';

const ZERO_NS = [220, 500];
const ONE_NS = [580, 1600];
const LONGEST_LOW_NS = 9000; // between two bits: the first parts take more for the end of the frame
const BITS = 24; // green, red, blue, the high bit first

const within = (ns, [least, most]) => ns >= least && ns <= most;

export class Pixels {
  constructor(pins, part, names) {
    this.pins = pins;
    this.names = names;
    this.count = part.count;
    this.resetNs = (part.reset_us ?? 280) * 1000;
    pins.watch(pins.number(part.data), (level) => (level ? this.rise() : this.fall()));
    this.clear();
  }

  clear() {
    this.shown = new Uint32Array(this.count);
    this.faults = 0;
    this.changedNs = 0;
    this.beginFrame();
  }

  beginFrame() {
    this.bits = [];
    this.bad = false;
  }

  rise() {
    const lowNs = this.pins.nowNs() - this.changedNs;
    if (lowNs >= this.resetNs) this.endFrame();
    else if (this.bits.length && lowNs > LONGEST_LOW_NS) this.spoil();
    this.changedNs = this.pins.nowNs();
  }

  fall() {
    const highNs = this.pins.nowNs() - this.changedNs;
    this.changedNs = this.pins.nowNs();
    if (within(highNs, ZERO_NS)) this.bits.push(0);
    else if (within(highNs, ONE_NS)) this.bits.push(1);
    else this.spoil();
  }

  spoil() {
    this.bad = true;
    this.faults++;
  }

  endFrame() {
    const whole = Math.min(Math.floor(this.bits.length / BITS), this.count);
    for (let lamp = 0; lamp < whole && !this.bad; lamp++) this.shown[lamp] = this.colour(lamp);
    this.beginFrame();
  }

  colour(lamp) {
    return this.bits.slice(lamp * BITS, (lamp + 1) * BITS).reduce((word, bit) => word * 2 + bit, 0);
  }

  /** The wire has been low long enough, though nothing has come since. */
  settle() {
    if (this.bits.length && this.pins.nowNs() - this.changedNs >= this.resetNs) this.endFrame();
  }

  lit() {
    this.settle();
    return litNames(this.names, this.shown);
  }

  /** {name: [red, green, blue]} of the lit lamps. */
  colours() {
    const rgb = (grb) => [(grb >> 8) & 0xff, grb >>> 16, grb & 0xff];
    const lit = [...this.shown.entries()].filter(([, grb]) => grb);
    return Object.fromEntries(lit.map(([lamp, grb]) => [lampName(this.names, lamp), rgb(grb)]));
  }
}
