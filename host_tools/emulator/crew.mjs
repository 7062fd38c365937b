// The chips of one run on one clock, and the wires between their pins.
// World time runs while any chip has power; a chip's board time counts from its own power-on. Several chips
// take turns in slices; a wire carries what one chip drives to the other exactly one slice later, whichever
// chip has its turn first, so that pulses keep their lengths and a run repeats. While every core sleeps the
// slice reaches to the next alarm of any: nothing can change a pin before.
const WITHOUT_END = Number.MAX_SAFE_INTEGER;

export class Crew {
  /** wires: [[chip, gpio, chip, gpio], ...]. */
  constructor(chips, wires, sliceNs) {
    this.chips = chips;
    this.sliceNs = sliceNs;
    this.worldNs = 0;
    for (const [chip, gpio, other, otherGpio] of wires) {
      this.carry(chip, gpio, other, otherGpio);
      this.carry(other, otherGpio, chip, gpio);
    }
  }

  /** What one end drives, or null when it lets go, reaches the other one slice later. */
  carry(from, gpio, to, toGpio) {
    from.pins.wire(gpio, (level) => {
      const atNs = from.powerNs + from.nowNs + this.sliceNs - to.powerNs;
      if (to.on) to.schedule.add([{ atNs, gpio: toGpio, level, wire: true }]);
      else to.pins.driveWire(toGpio, level);
    });
  }

  get alive() {
    return this.chips.filter((chip) => chip.on && !chip.halted);
  }

  get nowNs() {
    return this.worldNs;
  }

  /** World time of the next thing any chip will do. */
  get nextNs() {
    return Math.min(...this.alive.map((chip) => chip.powerNs + chip.nextNs));
  }

  power(chip) {
    chip.powerNs = this.worldNs;
    chip.power();
  }

  /** Runs to world time limitNs, or for about so many instructions, whichever is first. */
  advance(limitNs, instructions) {
    let left = instructions;
    while (left > 0 && this.worldNs < limitNs && this.alive.length) left -= this.turn(limitNs, left);
  }

  /** One slice; with a chip alone, all of it. Returns what it cost, in instructions. */
  turn(limitNs, left) {
    if (this.chips.length === 1) return this.turnAlone(limitNs, left);
    const untilNs = Math.min(limitNs, Math.max(this.worldNs + this.sliceNs, this.nextNs));
    const before = this.instructions;
    for (const chip of this.alive) {
      while (chip.on && !chip.halted && chip.powerNs + chip.nowNs < untilNs) {
        chip.advance(untilNs - chip.powerNs, WITHOUT_END);
      }
    }
    this.worldNs = untilNs;
    return this.instructions - before + 1;
  }

  turnAlone(limitNs, left) {
    const [chip] = this.chips;
    chip.advance(limitNs - chip.powerNs, left);
    if (chip.on) this.worldNs = chip.powerNs + chip.nowNs;
    return left;
  }

  get instructions() {
    return this.chips.reduce((sum, chip) => sum + chip.instructions, 0);
  }
}
