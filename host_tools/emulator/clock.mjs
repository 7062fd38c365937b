// The chip's clock, counted in the core's own cycles. It stands in for rp2040js' SimulationClock, which adds
// nanoseconds to a counter after every instruction; here the core counts, and the clock is asked only at the
// cycle it named: its next alarm, or the time it was told to stop at.
const NEVER = Infinity;
const MOST_ALARMS = 1e7; // in one turn: no chip needs so many
const LONGEST_CYCLES = 1 << 15; // the core comes back this often at least, so that others get their turn

class Alarm {
  constructor(clock, callback) {
    this.clock = clock;
    this.callback = callback;
    this.next = null;
    this.nanos = 0;
    this.scheduled = false;
  }

  schedule(deltaNs) {
    if (this.scheduled) this.cancel();
    this.clock.link(this, this.clock.nanos + deltaNs);
  }

  cancel() {
    if (this.scheduled) this.clock.unlink(this);
  }
}

export class CycleClock {
  /** onStuck(): an alarm has set itself again for the same time, over and over. */
  constructor(onStuck = () => {}) {
    this.onStuck = onStuck;
    this.core = { cycles: 0 }; // until there is one
    this.baseNs = 0; // the time at cycle 0
    this.cycleNs = 8;
    this.limitNs = 0;
    this.nextAlarm = null;
    this.dueCycles = 0;
  }

  get nanos() {
    return this.baseNs + this.core.cycles * this.cycleNs;
  }

  get micros() {
    return this.nanos / 1000;
  }

  get nextNs() {
    return this.nextAlarm === null ? NEVER : this.nextAlarm.nanos;
  }

  createAlarm(callback) {
    return new Alarm(this, callback);
  }

  /** Where two alarms are set for one time, the one set last goes first, as in rp2040js. */
  link(alarm, atNs) {
    let before = null;
    let after = this.nextAlarm;
    while (after !== null && after.nanos < atNs) [before, after] = [after, after.next];
    alarm.nanos = atNs;
    alarm.next = after;
    alarm.scheduled = true;
    if (before) before.next = alarm;
    else {
      this.nextAlarm = alarm;
      this.aim();
    }
  }

  unlink(alarm) {
    alarm.scheduled = false;
    if (this.nextAlarm === alarm) this.nextAlarm = alarm.next;
    else {
      let before = this.nextAlarm;
      while (before !== null && before.next !== alarm) before = before.next;
      if (before) before.next = alarm.next;
    }
  }

  setCycle(cycleNs) {
    this.rebase(this.nanos);
    this.cycleNs = cycleNs;
    this.aim();
  }

  /** The core may run to this time; it stops at the first cycle that reaches it. */
  setLimit(limitNs) {
    this.rebase(this.nanos);
    this.limitNs = limitNs;
    this.aim();
  }

  /** The core stops before its next instruction. */
  stop() {
    this.limitNs = this.nanos;
    this.dueCycles = 0;
  }

  rebase(nowNs) {
    this.baseNs = nowNs;
    this.core.cycles = 0;
  }

  aim() {
    const ns = Math.min(this.nextNs, this.limitNs) - this.baseNs;
    this.dueCycles = Math.min(Math.ceil(ns / this.cycleNs), LONGEST_CYCLES) | 0;
  }

  /** Fires what is due, each alarm at its own time. */
  fire() {
    const nowNs = this.nanos;
    let left = MOST_ALARMS;
    while (this.nextAlarm !== null && this.nextAlarm.nanos <= nowNs && left-- > 0) {
      const alarm = this.nextAlarm;
      this.nextAlarm = alarm.next;
      alarm.scheduled = false;
      this.rebase(alarm.nanos);
      alarm.callback();
    }
    if (left < 0) this.onStuck();
    this.rebase(nowNs);
    this.aim();
  }

  /** The core sleeps: time jumps to the next alarm, or to the limit. */
  skip() {
    this.rebase(Math.max(this.nanos, Math.min(this.nextNs, this.limitNs)));
    this.fire();
  }
}
