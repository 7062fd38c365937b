// How fast board time passes. Left alone it follows the wall clock and never runs ahead of it; a chip too
// busy to keep up runs late, and lateness beyond a little is forgotten. Under run() it passes as fast as
// the machine can, then follows the wall clock again from where it is. With realtime run() waits instead.
const SLICE_STEPS = 40000;
const MOST_LATE_NS = 50e6;
const LONGEST_REST_MS = 50;
const NO_REST_NS = 0.4e6; // a timer rests a millisecond at least: too long for a packet that is on its way

const overdue = (chip, limitS) => `the run did not end within ${limitS} s: ${chip.whereWords()}`;

export class Pace {
  constructor(chip, { realtime }) {
    this.chip = chip;
    this.realtime = realtime;
    this.runs = []; // {untilNs, deadlineMs, owner, done, fail}, the soonest first
    this.timer = null;
    this.soon = null;
    chip.onTorn = (sentence) => this.powerGone(sentence);
    this.rebase();
  }

  get wallNs() {
    return performance.now() * 1e6;
  }

  /** From here on board time follows the wall clock. */
  rebase() {
    this.aheadNs = this.chip.nowNs - this.wallNs;
  }

  /** The board time that the wall clock allows now. */
  allowedNs() {
    const allowed = this.wallNs + this.aheadNs;
    const late = allowed - this.chip.nowNs;
    if (late <= MOST_LATE_NS) return allowed;
    this.aheadNs -= late - MOST_LATE_NS;
    return this.chip.nowNs + MOST_LATE_NS;
  }

  /** Lets us microseconds pass for an owner; resolves when they have, rejects when the power goes first, or
   * when they take more than limitS seconds of wall time (in real time: beyond what they must take). */
  run(us, limitS, owner) {
    const untilNs = (this.chip.nowUs + us) * 1000;
    const deadlineMs = performance.now() + limitS * 1000 + (this.realtime ? us / 1000 : 0);
    return new Promise((done, fail) => {
      this.runs.push({ untilNs, deadlineMs, limitS, owner, done, fail });
      this.runs.sort((a, b) => a.untilNs - b.untilNs);
      this.wake();
    });
  }

  /** The owner has gone: nobody waits for its runs. */
  abandon(owner) {
    this.failRuns((run) => run.owner === owner, 'nobody waits any more');
  }

  /** The power has gone: no run can end. */
  powerGone(sentence = 'the power is off') {
    this.failRuns(() => true, sentence);
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
      this.failRuns((other) => other === run, overdue(this.chip, run.limitS), { where: this.chip.where });
    }
  }

  powerBack() {
    this.rebase();
    this.wake();
  }

  /** Brings a resting chip up to the wall clock, so that what comes from outside comes at its time. */
  touch() {
    if (this.timer !== null && this.chip.on && !this.chip.halted) this.chip.advance(this.allowedNs(), SLICE_STEPS);
  }

  /** Something came from outside: no rest now. */
  wake() {
    clearTimeout(this.timer);
    this.timer = null;
    this.soon ??= setImmediate(() => this.turn());
  }

  turn() {
    this.soon = null;
    if (!this.chip.on) return;
    if (this.chip.halted) return this.failRuns(() => true, this.chip.halted);
    const fast = this.runs.length && !this.realtime;
    const goalNs = fast ? this.runs[0].untilNs : this.allowedNs();
    this.chip.advance(goalNs, SLICE_STEPS);
    if (!this.chip.on) return;
    if (fast) this.rebase();
    if (this.chip.halted) return this.wake();
    this.endRuns();
    this.endOverdue();
    if (this.chip.nowNs < goalNs || (this.runs.length && !this.realtime)) this.wake();
    else this.rest();
  }

  endRuns() {
    while (this.runs.length && this.chip.nowNs >= this.runs[0].untilNs) this.runs.shift().done(this.chip.nowUs);
  }

  rest() {
    const idleNs = this.untilNextNs();
    if (idleNs < NO_REST_NS) return this.wake();
    this.timer = setTimeout(() => this.wake(), Math.min(idleNs / 1e6, LONGEST_REST_MS));
  }

  untilNextNs() {
    const next = Math.min(this.chip.nextNs, this.runs[0]?.untilNs ?? Infinity);
    return next - this.chip.nowNs;
  }
}
