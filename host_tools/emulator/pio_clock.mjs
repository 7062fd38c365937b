// The PIO state machines, driven by the chip's clock.
// rp2040js steps them a thousand instructions a turn of the JavaScript event loop, blind to CLKDIV,
// to instruction delays and to emulated time. Here one clock alarm a PIO block steps each machine
// when its next instruction is due, and sleeps while every machine waits for a pin, a FIFO or a flag.
const CTRL = 0x000;
const SHIFTCTRL = 0x08; // of a machine's own registers
const FIFO_WORDS = 4;
const CLKDIV_ZERO_MEANS = 65536;

export function clockPio(rp2040) {
  for (const pio of rp2040.pio) new PioClock(rp2040, pio);
}

/** Defect: rp2040js has no joined FIFOs. A change of SHIFTCTRL's FJOIN bits makes both anew, as on silicon. */
function hookJoin(machine) {
  const write = machine.writeUint32.bind(machine);
  machine.writeUint32 = (offset, value) => {
    const before = machine.shiftCtrl;
    write(offset, value);
    if (offset === SHIFTCTRL && (before ^ value) >>> 30) join(machine, (value >>> 30) & 1, value >>> 31);
  };
}

function join(machine, tx, rx) {
  const Fifo = machine.rxFIFO.constructor;
  machine.txFIFO = new Fifo(rx ? 0 : FIFO_WORDS * (1 + tx));
  machine.rxFIFO = new Fifo(tx ? 0 : FIFO_WORDS * (1 + rx));
  machine.updateDMATx();
  machine.updateDMARx();
}

class PioClock {
  constructor(rp2040, pio) {
    this.rp2040 = rp2040;
    this.pio = pio;
    this.dueNs = new Array(pio.machines.length).fill(null); // null: waiting or disabled
    this.alarm = rp2040.clock.createAlarm(() => this.step());
    pio.run = () => {};
    this.hookControl();
    pio.machines.forEach((machine, index) => this.hookWait(machine, index));
    pio.machines.forEach(hookJoin);
  }

  /** A write to CTRL may enable any machine: those start now. */
  hookControl() {
    const { pio } = this;
    const write = pio.writeUint32.bind(pio);
    pio.writeUint32 = (offset, value) => {
      write(offset, value);
      if (offset === CTRL) this.start();
    };
  }

  /** A machine whose wait is over goes on in the cycle after. */
  hookWait(machine, index) {
    const check = machine.checkWait.bind(machine);
    machine.checkWait = () => {
      const waited = machine.waiting;
      const before = machine.cycles;
      check();
      if (waited && !machine.waiting && machine.enabled && this.dueNs[index] === null) {
        this.due(index, this.rp2040.clock.nanos + (1 + machine.cycles - before) * this.cycleNs(machine));
      }
    };
  }

  cycleNs(machine) {
    return (((machine.clockDivInt || CLKDIV_ZERO_MEANS) + machine.clockDivFrac / 256) * 1e9) / this.rp2040.clkSys;
  }

  start() {
    const now = this.rp2040.clock.nanos;
    this.pio.machines.forEach((machine, index) => {
      if (!machine.enabled) this.dueNs[index] = null;
      else if (this.dueNs[index] === null) this.due(index, now + this.cycleNs(machine));
    });
  }

  due(index, atNs) {
    this.dueNs[index] = atNs;
    this.arm();
  }

  arm() {
    let next = Infinity;
    for (const at of this.dueNs) if (at !== null && at < next) next = at;
    if (next !== Infinity) this.alarm.schedule(Math.max(next - this.rp2040.clock.nanos, 0));
  }

  step() {
    const now = this.rp2040.clock.nanos;
    this.pio.machines.forEach((machine, index) => {
      if (this.dueNs[index] !== null && this.dueNs[index] <= now) this.stepMachine(machine, index);
    });
    this.pio.checkChangedPins();
    this.arm();
  }

  stepMachine(machine, index) {
    const dueNs = this.dueNs[index];
    this.dueNs[index] = null;
    if (!machine.enabled) return;
    const before = machine.cycles;
    machine.step();
    if (machine.waiting) return; // its checkWait sets it going again
    this.dueNs[index] = dueNs + Math.max(1, machine.cycles - before) * this.cycleNs(machine);
  }
}
