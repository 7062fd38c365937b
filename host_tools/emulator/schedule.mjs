// Edges set for a board time, applied at exactly that time by one alarm of the chip's clock.
// Times are nanoseconds of board time; chip.mjs attaches the schedule anew after each boot.
export class Schedule {
  constructor(apply) {
    this.apply = apply; // (edge)
    this.edges = []; // {atNs, gpio, level, wire}, the soonest last
    this.alarm = null;
  }

  /** clock: the chip's; bootNs: the board time at which that clock began. */
  attach(clock, bootNs) {
    this.clock = clock;
    this.bootNs = bootNs;
    this.alarm = clock.createAlarm(() => this.fire());
    this.arm();
  }

  clear() {
    this.edges = [];
    this.alarm = null;
  }

  /** Edges for the same time happen in the order they were given. */
  add(edges) {
    if (edges.length === 1) return this.insert(edges[0]);
    this.edges = this.edges.reverse().concat(edges).sort((a, b) => a.atNs - b.atNs).reverse();
    this.arm();
  }

  insert(edge) {
    let at = this.edges.length;
    while (at > 0 && this.edges[at - 1].atNs <= edge.atNs) at--;
    this.edges.splice(at, 0, edge);
    this.arm();
  }

  arm() {
    if (!this.edges.length) return;
    const next = this.edges[this.edges.length - 1];
    this.alarm.schedule(Math.max(next.atNs - this.bootNs - this.clock.nanos, 0));
  }

  fire() {
    const now = this.clock.nanos + this.bootNs;
    while (this.edges.length && this.edges[this.edges.length - 1].atNs <= now) {
      this.apply(this.edges.pop());
    }
    this.arm();
  }
}
