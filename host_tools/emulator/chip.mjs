// One RP2040 with its flash, pins, parts and USB host: power, reset, and the loop that runs it.
// Board time is what this room keeps: nanoseconds since the power came, running on through resets of the
// chip (the world around a board does not start again), while the chip's own ticks start at 0 with each
// boot. How fast board time passes is pace.mjs' business.
import { RP2040 } from './rp2040js.mjs';
import { BrokenLamps } from './broken_lamps.mjs';
import { BusyWait } from './busy_wait.mjs';
import { CycleClock } from './clock.mjs';
import { Cpu } from './cpu.mjs';
import { fitFlash, guardXip } from './flash.mjs';
import { joinI2c } from './i2c.mjs';
import { Nor } from './nor.mjs';
import { fitParts } from './parts.mjs';
import { Pins } from './pins.mjs';
import { clockPio } from './pio_clock.mjs';
import { Noise, fitRingOscillator } from './rosc.mjs';
import { Schedule } from './schedule.mjs';
import { UsbHost } from './usb.mjs';
import {
  ShortLogger, fitChipReset, mendDivider, mendUarts, mendWatchdog, releaseBootsel,
  startOnRingOscillator,
} from './workarounds.mjs';

const INSTRUCTIONS_A_NAP = 20; // what skipping to the next alarm costs this machine, about

const hex = (number) => `0x${(number >>> 0).toString(16)}`;

export class Chip {
  /** flash: a mode of flash_times.mjs; onData(bytes): from the chip's USB port; onGone(): the host
   * has lost that port; say: one line for people. */
  constructor({ bootrom, store, flash, uniqueId, exact, wiring, onData, onGone, say }) {
    this.bootrom = bootrom;
    this.nor = new Nor(store, flash, uniqueId);
    this.exact = exact; // every turn of a busy wait is run, none is leapt over
    this.say = say;
    this.rp2040 = null;
    this.cpu = null;
    this.powerNs = 0; // world time (crew.mjs) at which the power came
    this.bootNs = 0; // board time at which the chip's clock began
    this.resetKept = null; // set by the watchdog: boot anew, keeping this
    this.torn = null; // how the power went in mid operation, as cut_at asked: a sentence
    this.boots = 0;
    this.instructions = 0;
    this.onTorn = () => {}; // (sentence)
    this.halted = null; // why the chip stands still until the power is cut: a sentence
    this.firstOutputNs = null;
    this.noise = new Noise();
    this.pins = new Pins(wiring, () => this.nowNs);
    this.brokenLamps = new BrokenLamps(wiring.lamps ?? []);
    this.parts = fitParts(this.pins, wiring, this.brokenLamps);
    this.schedule = new Schedule((edge) => this.pins.apply(edge));
    this.bootsel = false; // the ROM waits for an image on its USB disk
    this.usb = new UsbHost({
      onData, onGone, onFirstOutput: () => this.noteFirstOutput(), onBootsel: () => this.noteBootsel(),
    });
  }

  get on() {
    return this.rp2040 !== null;
  }

  get nowNs() {
    return this.on ? this.bootNs + this.rp2040.clock.nanos : 0;
  }

  get nowUs() {
    return Math.floor(this.nowNs / 1000);
  }

  /** Board time of the next thing the chip's clock will do, while the core sleeps; else now. */
  get nextNs() {
    return this.rp2040.core.waiting ? this.bootNs + this.rp2040.clock.nextNs : this.nowNs;
  }

  power() {
    this.halted = null;
    this.bootsel = false;
    this.bootNs = 0;
    this.firstOutputNs = null;
    this.boot(null);
  }

  cut() {
    this.nor.powerGone();
    this.torn = null;
    this.rp2040 = null;
    this.resetKept = null;
    this.usb.detach();
    this.schedule.clear();
    this.pins.detach();
    for (const part of Object.values(this.parts)) part.clear();
  }

  /** The core starts where silicon does, in the boot ROM, which finds the second stage in the flash.
   * kept: what survives a reset (watchdog scratch and reason), null at power-on. */
  boot(kept) {
    const { restNs } = this.nor; // by the old clock
    const rp2040 = new RP2040(new CycleClock(() => this.halt('the chip\'s clock stands still')));
    rp2040.clock.core = rp2040.core;
    rp2040.logger = new ShortLogger(this.say);
    rp2040.loadBootrom(this.bootrom);
    fitFlash(rp2040, this.nor); // after loadBootrom, which fills the library's own flash with 0xff
    this.mend(rp2040, kept);
    this.rp2040 = rp2040;
    this.cpu = new Cpu(rp2040);
    this.attachFlash(restNs);
    this.boots++;
    this.usb.attach(rp2040);
    this.schedule.attach(rp2040.clock, this.bootNs);
    this.pins.attach(rp2040);
    joinI2c(rp2040, this.parts);
    for (const part of Object.values(this.parts)) part.attach?.(rp2040);
  }

  attachFlash(restNs) {
    const { nor, rp2040, cpu } = this;
    const wait = new BusyWait(rp2040.core, rp2040.clock);
    if (!this.exact) nor.onPoll = () => wait.ask();
    nor.onCut = (sentence) => {
      this.torn = sentence;
      rp2040.clock.stop();
    };
    guardXip(rp2040, cpu, nor, (address) => this.noteViolation(address));
    nor.attach(rp2040.clock, restNs);
  }

  /** Firmware that does this reads noise on silicon: what would follow is worth nothing, so nothing follows. */
  noteViolation(address) {
    const { kind, at } = this.nor.operation;
    this.halt(`the chip read its flash at ${hex(address)} during the ${kind} of ${hex(at)}: ${this.whereWords()}`);
  }

  halt(sentence) {
    if (this.halted) return;
    this.halted = sentence;
    this.rp2040.clock.stop();
    this.say(sentence);
  }

  /** Where the chip is. */
  get where() {
    const { core } = this.rp2040;
    return {
      us: this.nowUs, pc: hex(core.PC), lr: hex(core.LR), waiting: core.waiting, interrupts_masked: core.PM,
      flash: this.nor.told(),
    };
  }

  /** The same, for people. */
  whereWords() {
    const { us, pc, lr, waiting, interrupts_masked: masked, flash } = this.where;
    const state = waiting ? 'waiting for an interrupt' : 'running';
    return `PC ${pc}, LR ${lr}, ${state}, interrupts ${masked ? 'masked' : 'on'}, at ${us} us; flash: ${flash}`;
  }

  mend(rp2040, kept) {
    clockPio(rp2040);
    mendDivider(rp2040);
    mendUarts(rp2040);
    mendWatchdog(rp2040, kept, (keep) => {
      this.resetKept = keep;
      rp2040.clock.stop();
    });
    releaseBootsel(rp2040);
    fitRingOscillator(rp2040, this.noise);
    fitChipReset(rp2040);
    startOnRingOscillator(rp2040);
    rp2040.addClockListener((hertz) => rp2040.clock.setCycle(1e9 / hertz));
  }

  reset() {
    const kept = this.resetKept;
    this.resetKept = null;
    this.bootNs = this.nowNs;
    this.usb.detach();
    this.say(`reset at ${this.nowUs} us, watchdog reason ${kept.reason}`);
    this.boot(kept);
  }

  /** Whether the host has a serial port to open. Through a cut or a reset it keeps it: see link.mjs. */
  get hasPort() {
    return this.usb.plugged && !this.bootsel;
  }

  /** BOOTSEL: firmware asked for it, or the ROM found no second stage. The disk it offers is not modelled, so
   * the core rests here until the power is cut. */
  noteBootsel() {
    this.bootsel = true;
    this.rp2040.core.waiting = true;
    this.usb.onGone();
    this.say(`BOOTSEL at ${this.nowUs} us`);
  }

  noteFirstOutput() {
    if (this.firstOutputNs === null) this.firstOutputNs = this.nowNs;
  }

  /** Runs to board time limitNs, or for about so many instructions, whichever is first. The power may be off
   * afterwards: onTorn has heard why. */
  advance(limitNs, instructions) {
    const { core, clock } = this.rp2040;
    const limit = limitNs - this.bootNs;
    let left = instructions;
    clock.setLimit(limit);
    while (left > 0 && clock.nanos < limit && !this.stopped) {
      if (core.waiting) {
        clock.skip();
        left -= INSTRUCTIONS_A_NAP;
      } else {
        const done = this.cpu.run();
        this.instructions += done;
        left -= done;
        clock.fire();
      }
    }
    if (this.torn !== null) this.cutTorn();
    else if (this.resetKept !== null) this.reset();
  }

  cutTorn() {
    const sentence = this.torn;
    this.cut();
    this.onTorn(sentence);
  }

  get stopped() {
    return this.resetKept !== null || this.torn !== null || this.halted !== null;
  }
}
