// The board's pins by their names in board.json: what the chip drives, what the world drives, what pulls.
// Levels and edge times are the world's, so they outlive a reset of the chip and a power cut.
// A pin's level: the chip's output, else the fixture's drive, else what another chip drives, else a part's,
// else the pad's pull (which does not reach through a wire).
import { randomBytes } from 'node:crypto';
import { GPIOPinState } from './rp2040js.mjs';
import { gauss, seededRandom } from './seeded.mjs';

const GPIO_COUNT = 30;
const FIRST_SWITCH = 100; // numbers of keys that are no pin of the chip
const FIRST_ADC_GPIO = 26;
const ADC_CHANNELS = 4;
const TEMPERATURE_CHANNEL = 4;
const TEMPERATURE_27_C = 876;
const TEMPERATURE_NOISE = 1.5; // steps: the converter has 8.7 effective bits of 12 (datasheet 4.9)
const HIGHEST_SAMPLE = 4095;

/** What an ADC input sees: a value with normal noise of that deviation around it, in steps of the converter. */
class Voltage {
  constructor(value, noise = 0, seed = 1) {
    this.value = value;
    this.noise = noise;
    this.random = seededRandom(seed);
  }

  sample() {
    const value = this.value + (this.noise ? this.noise * gauss(this.random) : 0);
    return Math.min(Math.max(Math.floor(value), 0), HIGHEST_SAMPLE);
  }
}

export class Pins {
  /** wiring.levels: what the world drives from the start, by name. nowNs: tells board time. */
  constructor(wiring, nowNs) {
    this.board = wiring.board;
    this.nowNs = nowNs;
    this.gpio = null;
    this.levels = new Uint8Array(GPIO_COUNT);
    this.changedNs = new Array(GPIO_COUNT).fill(null);
    this.external = new Array(GPIO_COUNT).fill(null);
    this.wired = new Array(GPIO_COUNT).fill(null); // what another chip drives
    this.wires = new Array(GPIO_COUNT).fill(null); // tell another chip what this one drives
    this.drives = new Array(GPIO_COUNT).fill(null); // what it was last told
    this.partDrive = new Array(GPIO_COUNT).fill(null);
    this.switches = []; // {name, move(level)}: keys of a matrix
    this.watchers = new Array(GPIO_COUNT).fill(null);
    this.adc = Array.from({ length: TEMPERATURE_CHANNEL + 1 }, () => new Voltage(0));
    this.adc[TEMPERATURE_CHANNEL] = new Voltage(TEMPERATURE_27_C, TEMPERATURE_NOISE, randomBytes(4).readUInt32LE());
    for (const [name, level] of Object.entries(wiring.levels ?? {})) this.external[this.inputNumber(name)] = level;
  }

  /** A key that is no pin of the chip, though the fixture moves it like one. */
  addSwitch(name, move) {
    this.switches.push({ name, move });
  }

  /** The GPIO number behind a name; throws the sentence the fixture answers. */
  number(name) {
    const key = this.switches.findIndex((other) => other.name === name);
    if (key >= 0) return FIRST_SWITCH + key;
    const pin = typeof name === 'string' ? this.board.pins[name] : undefined;
    if (pin === undefined) throw new Error(`this board has no pin ${JSON.stringify(name)}`);
    return pin.gpio;
  }

  inputNumber(name) {
    const gpio = this.number(name);
    if (gpio < FIRST_SWITCH && this.board.pins[name].direction === 'out') throw new Error(`pin ${name} is an output of the board`);
    return gpio;
  }

  adcChannel(name) {
    const channel = this.number(name) - FIRST_ADC_GPIO;
    if (channel < 0 || channel >= ADC_CHANNELS) throw new Error(`pin ${name} has no ADC`);
    return channel;
  }

  /** Wires the pins to a freshly made chip. */
  attach(rp2040) {
    this.gpio = rp2040.gpio;
    // read at the end of each conversion
    rp2040.adc.channelValues = new Proxy([], { get: (_, channel) => this.adc[channel].sample() });
    this.gpio.forEach((pin, gpio) => {
      pin.addListener(() => this.settle(gpio));
      this.settle(gpio);
    });
  }

  /** The power is gone: nothing drives, no edge has been. What the world does to the pins stays. */
  detach() {
    this.gpio = null;
    this.wires.forEach((wire, gpio) => wire && this.tellWire(gpio));
    this.changedNs.fill(null);
    this.levels.fill(0);
    this.partDrive.fill(null);
  }

  /** An edge that was scheduled: by the fixture, or on its way on a wire from another chip. */
  apply({ gpio, level, wire }) {
    if (wire) this.driveWire(gpio, level);
    else this.drive(gpio, level);
  }

  /** carry(level) is called whenever the chip drives this pin otherwise; null: it lets go. */
  wire(gpio, carry) {
    this.wires[gpio] = carry;
  }

  tellWire(gpio) {
    const state = this.gpio?.[gpio].value;
    const level = state === GPIOPinState.High ? 1 : state === GPIOPinState.Low ? 0 : null;
    if (level === this.drives[gpio]) return;
    this.drives[gpio] = level;
    this.wires[gpio](level);
  }

  driveWire(gpio, level) {
    this.wired[gpio] = level;
    this.settle(gpio);
  }

  drive(gpio, level) {
    if (gpio >= FIRST_SWITCH) return this.switches[gpio - FIRST_SWITCH].move(level);
    this.external[gpio] = level;
    this.settle(gpio);
  }

  /** A part on the board holds the line (weaker than the chip's output), or lets go with null. */
  drivePart(gpio, level) {
    this.partDrive[gpio] = level;
    this.settle(gpio);
  }

  /** The fixture speaks 16 bits, as read_u16 does; the converter has 12. */
  setAdc(channel, value, noise, seed) {
    this.adc[channel] = new Voltage(value / 16, noise / 16, seed);
  }

  watch(gpio, watcher) {
    this.watchers[gpio] = watcher;
  }

  settle(gpio) {
    if (this.gpio === null) return;
    if (this.wires[gpio]) this.tellWire(gpio);
    const level = this.levelOf(gpio);
    // rp2040js latches an edge at every setInputValue, even to the level that was there.
    if (this.gpio[gpio].rawInputValue !== (level === 1)) this.gpio[gpio].setInputValue(level === 1);
    if (level === this.levels[gpio]) return;
    this.levels[gpio] = level;
    this.changedNs[gpio] = this.nowNs();
    this.watchers[gpio]?.(level);
  }

  levelOf(gpio) {
    const state = this.gpio[gpio].value;
    if (state === GPIOPinState.High) return 1;
    if (state === GPIOPinState.Low) return 0;
    if (this.external[gpio] !== null) return this.external[gpio];
    if (this.wired[gpio] !== null) return this.wired[gpio];
    if (this.partDrive[gpio] !== null) return this.partDrive[gpio];
    if (state === GPIOPinState.InputPullUp) return 1;
    if (state === GPIOPinState.InputPullDown) return 0;
    return this.levels[gpio]; // floating, or a bus keeper: the level stays
  }
}
