// Runs the boot ROM's wait for the flash in one leap. The ROM asks for the status again and again with the
// interrupts off, for up to 400 ms: millions of instructions that all do the same.
// It is the same computation, not a guess: between two questions asked by ROM code (known by its hash, it
// keeps no count) with equal registers and flags and no interrupt possible, nothing but the clock has
// changed, so every further turn of the loop takes the same cycles. Whole turns are added to the cycle
// count, up to the last one that ends before the clock's next alarm; the rest is run as ever. An operation's
// end, a PIO step, a USB frame and a scheduled edge are all alarms, so each still happens at its own cycle.
const ROM_BYTES = 0x4000;

export class BusyWait {
  constructor(core, clock) {
    this.core = core;
    this.clock = clock;
    this.before = null; // registers and flags of the last question
    this.beforeNs = 0;
  }

  /** Called as the status is read and found busy. */
  ask() {
    const { core, clock } = this;
    if (!core.PM || core.interruptsUpdated || core.PC >= ROM_BYTES) return;
    const state = [...core.registers, core.N, core.Z, core.C, core.V].join();
    const nowNs = clock.nanos;
    if (state === this.before) this.leap(nowNs, nowNs - this.beforeNs);
    this.before = state;
    this.beforeNs = clock.nanos;
  }

  leap(nowNs, turnNs) {
    const { core, clock } = this;
    const turns = Math.floor((Math.min(clock.nextNs, clock.limitNs) - nowNs) / turnNs) - 1;
    if (turns > 0) core.cycles += Math.round((turns * turnNs) / clock.cycleNs);
  }
}
