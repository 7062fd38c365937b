// How fast world time passes. Left alone it follows the wall clock and never runs ahead of it; chips too busy
// to keep up run late, and lateness beyond a little is forgotten. Under run() it passes as fast as the
// machine can, then follows the wall clock again from where it is. With realtime run() waits instead.
const SLICE_STEPS = 40000;
const MOST_LATE_NS = 50e6;
const LONGEST_REST_MS = 50;
const NO_REST_NS = 0.4e6; // a timer rests a millisecond at least: too long for a packet that is on its way

const overdue = (chip, limitS) => `the run did not end within ${limitS} s: ${chip.whereWords()}`;

export class Pace {
  constructor(crew, { realtime }) {
    this.crew = crew;
    this.realtime = realtime;
    this.runs = []; // {chip, untilNs, deadlineMs, limitS, owner, done, fail}, the soonest first
    this.timer = null;
    this.soon = null;
    for (const chip of crew.chips) chip.onTorn = (sentence) => this.powerGone(chip, sentence);
    this.rebase();
  }

  get wallNs() {
    return performance.now() * 1e6;
  }

  /** From here on world time follows the wall clock. */
  rebase() {
    this.aheadNs = this.crew.nowNs - this.wallNs;
  }

  /** The world time that the wall clock allows now. */
  allowedNs() {
    const allowed = this.wallNs + this.aheadNs;
    const late = allowed - this.crew.nowNs;
    if (late <= MOST_LATE_NS) return allowed;
    this.aheadNs -= late - MOST_LATE_NS;
    return this.crew.nowNs + MOST_LATE_NS;
  }

  /** Lets us microseconds of a chip's board time pass for an owner; resolves when they have, rejects when the
   * power goes first, or when they take more than limitS seconds of wall time (in real time: beyond what
   * they must take). */
  run(chip, us, limitS, owner) {
    const untilNs = chip.powerNs + (chip.nowUs + us) * 1000;
    const deadlineMs = performance.now() + limitS * 1000 + (this.realtime ? us / 1000 : 0);
    return new Promise((done, fail) => {
      this.runs.push({ chip, untilNs, deadlineMs, limitS, owner, done, fail });
      this.runs.sort((a, b) => a.untilNs - b.untilNs);
      this.wake();
    });
  }

  /** The owner has gone: nobody waits for its runs. */
  abandon(owner) {
    this.failRuns((run) => run.owner === owner, 'nobody waits any more');
  }

  /** A chip's power has gone: its runs cannot end. */
  powerGone(chip, sentence = 'the power is off') {
    this.failRuns((run) => run.chip === chip, sentence);
  }

  /** fields: of the answer, beside the sentence. */
  failRuns(which, sentence, fields = {}) {
    const failing = this.runs.filter(which);
    this.runs = this.runs.filter((run) => !failing.includes(run));
    for (const { fail } of failing) fail(Object.assign(new Error(sentence), { fields }));
  }

  /** The outer limit: a run that the chip will not end is ended here, and says where the chip was. */
  endOverdue() {
    const nowMs = performance.now();
    for (const run of this.runs.filter(({ deadlineMs }) => deadlineMs < nowMs)) {
      this.failRuns((other) => other === run, overdue(run.chip, run.limitS), { where: run.chip.where });
    }
  }

  endHalted() {
    for (const { chip } of this.runs) if (chip.halted) this.failRuns((run) => run.chip === chip, chip.halted);
  }

  power(chip) {
    const first = !this.crew.alive.length; // else time is passing already
    this.crew.power(chip);
    if (first) this.rebase();
    this.wake();
  }

  /** Brings resting chips up to the wall clock, so that what comes from outside comes at its time. */
  touch() {
    if (this.timer !== null) this.crew.advance(this.allowedNs(), SLICE_STEPS);
  }

  /** Something came from outside: no rest now. */
  wake() {
    clearTimeout(this.timer);
    this.timer = null;
    this.soon ??= setImmediate(() => this.turn());
  }

  turn() {
    this.soon = null;
    this.endHalted();
    if (!this.crew.alive.length) return;
    const fast = this.runs.length && !this.realtime;
    const goalNs = fast ? this.runs[0].untilNs : this.allowedNs();
    this.crew.advance(goalNs, SLICE_STEPS);
    if (fast) this.rebase();
    this.endRuns();
    this.endOverdue();
    if (this.crew.nowNs < goalNs || (this.runs.length && !this.realtime)) this.wake();
    else this.rest();
  }

  endRuns() {
    this.endHalted();
    while (this.runs.length && this.crew.nowNs >= this.runs[0].untilNs) {
      const { chip, done } = this.runs.shift();
      done(chip.nowUs);
    }
  }

  rest() {
    const idleNs = this.untilNextNs();
    if (idleNs < NO_REST_NS) return this.wake();
    this.timer = setTimeout(() => this.wake(), Math.min(idleNs / 1e6, LONGEST_REST_MS));
  }

  untilNextNs() {
    const next = Math.min(this.crew.nextNs, this.runs[0]?.untilNs ?? Infinity);
    return next - this.crew.nowNs;
  }
}
