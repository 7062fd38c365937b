// The fixture protocol: JSON lines over TCP, several clients. Moves the board's inputs, reads its outputs,
// lamps and display, passes board time, cuts the power. Every bad line is answered with one sentence and
// the connection stays. A client's lines are answered in order; its run holds up its own lines only.
import net from 'node:net';
import { SECTOR_BYTES } from './nor.mjs';

const MOST_LINE_CHARS = 1 << 25;
const RUN_LIMIT_S = 120;
const ROSC_MODES = ['healthy', 'stuck', 'biased', 'sticky'];

const whole = (value, name, least = 0) => {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new Error(`${name} must be a whole number, ${least} or more`);
};

const upTo = (most, value, name) => {
  if (whole(value, name) > most) throw new Error(`${name} must be ${most} or less`);
};

const level = (value) => {
  if (value !== 0 && value !== 1 && value !== null) throw new Error('level must be 0, 1 or null');
  return value;
};

function edge(chip, item) {
  if (!Array.isArray(item) || item.length !== 3) throw new Error('an edge must be [t_us, pin, level]');
  const t_us = whole(item[0], 't_us');
  if (t_us < chip.nowUs) throw new Error(`t_us ${t_us} is in the past: it is ${chip.nowUs} now`);
  return { atNs: t_us * 1000, gpio: chip.pins.inputNumber(item[1]), level: level(item[2]) };
}

function part(chip, name) {
  if (!chip.parts[name]) throw new Error(`this board has no ${name}`);
  return chip.parts[name];
}

const changedUs = (ns) => (ns === null ? null : Math.floor(ns / 1000));

const OPS_WHILE_OFF = new Set(['power', 'now', 'stats']);
const OPS_WHILE_HALTED = new Set(['cut', 'power', 'now', 'stats']);

/** Each op: (chip, pace, message, client) -> the fields of its answer. */
const OPS = {
  set(chip, pace, { pin, level: value }) {
    chip.pins.drive(chip.pins.inputNumber(pin), level(value));
  },
  schedule(chip, pace, { edges }) {
    if (!Array.isArray(edges)) throw new Error('edges must be a list of [t_us, pin, level]');
    chip.schedule.add(edges.map((item) => edge(chip, item)));
    return { count: edges.length };
  },
  read: (chip, pace, { pin }) => ({ level: chip.pins.levels[chip.pins.number(pin)] }),
  /** Board time of the pin's last change of level since power-on; null when it has not changed. */
  when: (chip, pace, { pin }) => ({ us: changedUs(chip.pins.changedNs[chip.pins.number(pin)]) }),
  /** rgb: colours of the lit lamps, where they have colours. */
  lamps: (chip) => ({
    lamps: chip.brokenLamps.seen(part(chip, 'lamps').lit()), rgb: part(chip, 'lamps').colours?.(),
  }),
  /** how: dark (dead) or lit (always). */
  lamp_fails(chip, pace, { area, how = 'dark' }) {
    if (how !== 'dark' && how !== 'lit') throw new Error('how must be dark or lit');
    chip.brokenLamps.set(area, how);
  },
  lamp_works: (chip, pace, { area }) => chip.brokenLamps.set(area, null),
  /** way: 1, -1 or 0; shorts: how often a bridge was turned round without its dead time. */
  motor: (chip) => part(chip, 'motor').told(),
  /** What went out on the result line since the power came. */
  line: (chip) => part(chip, 'results').told(),
  display: (chip) => ({ text: part(chip, 'display').text() }),
  /** noise: the deviation of a normal noise around the value, in the same 16 bits. */
  adc(chip, pace, { pin, value, noise = 0, seed = 1 }) {
    upTo(65535, value, 'value');
    upTo(65535, noise, 'noise');
    chip.pins.setAdc(chip.pins.adcChannel(pin), value, noise, whole(seed, 'seed'));
  },
  /** The ring oscillator, healthy, stuck at a level, biased to a share of ones, or sticky: stays as it was. */
  rosc(chip, pace, { mode, level: at = 1, ones = 0.75, stays = 0.9, seed = null }) {
    if (!ROSC_MODES.includes(mode)) throw new Error(`mode must be one of ${ROSC_MODES.join(', ')}`);
    if (at !== 0 && at !== 1) throw new Error('level must be 0 or 1');
    if (typeof ones !== 'number' || !(ones >= 0 && ones <= 1)) throw new Error('ones must be from 0 to 1');
    if (typeof stays !== 'number' || !(stays >= 0 && stays <= 1)) throw new Error('stays must be from 0 to 1');
    chip.noise.set(mode, { level: at, ones, stays, seed: seed === null ? null : whole(seed, 'seed') });
  },
  now: (chip) => ({ us: chip.nowUs }),
  /** limit_s: the most wall time it may take. */
  run: async (chip, pace, { us, limit_s = RUN_LIMIT_S }, client) => {
    if (typeof limit_s !== 'number' || !(limit_s > 0)) throw new Error('limit_s must be a number above 0');
    return { us: await pace.run(chip, whole(us, 'us'), limit_s, client) };
  },
  cut(chip, pace) {
    chip.cut();
    pace.powerGone(chip);
  },
  power(chip, pace) {
    if (chip.on) throw new Error('the power is on');
    pace.power(chip);
  },
  /** The USB cable; the board has its power from elsewhere. The link's client is closed. */
  unplug(chip) {
    if (!chip.usb.plugged) throw new Error('the cable is out');
    chip.usb.unplug();
  },
  plug(chip) {
    if (chip.usb.plugged) throw new Error('the cable is in');
    chip.usb.plug();
  },
  /** Cuts the power in the operation-th flash operation from now, when that many of its bytes are done. */
  cut_at(chip, pace, { operation, bytes, seed = 1 }) {
    chip.nor.cutAt(whole(operation, 'operation', 1), whole(bytes, 'bytes'), whole(seed, 'seed'));
  },
  /** Erases of each sector since the emulator started; sectors never erased are left out. */
  wear: (chip) => ({ sector_bytes: SECTOR_BYTES, erases: chip.nor.wearBySector() }),
  stats: (chip) => ({
    instructions: chip.instructions,
    chip_us: chip.nowUs,
    boots: chip.boots,
    flash_erases: chip.nor.erases,
    flash_programs: chip.nor.programs,
    first_output_us: changedUs(chip.firstOutputNs),
    mode: chip.bootsel ? 'bootsel' : 'running',
    halted: chip.halted,
  }),
};

export class Fixture {
  constructor(chip, pace) {
    this.chip = chip;
    this.pace = pace;
    this.server = net.createServer((socket) => new Client(this, socket));
  }

  listen() {
    return new Promise((done, fail) => {
      this.server.once('error', fail);
      this.server.listen(0, '127.0.0.1', () => done(this.server.address().port));
    });
  }

  async answer(line, client) {
    try {
      return { ok: true, ...(await this.perform(parse(line), client)) };
    } catch (error) {
      return { ok: false, error: error.message, ...error.fields };
    }
  }

  async perform(message, client) {
    const { chip, pace } = this;
    if (!Object.hasOwn(OPS, message.op)) throw new Error(`there is no op ${JSON.stringify(message.op)}`);
    pace.touch(); // which may be the end of it
    if (!chip.on && !OPS_WHILE_OFF.has(message.op)) throw new Error('the power is off');
    if (chip.halted && !OPS_WHILE_HALTED.has(message.op)) throw new Error(chip.halted);
    try {
      return await OPS[message.op](chip, pace, message, client);
    } finally {
      pace.wake();
    }
  }
}

function parse(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    throw new Error('that line is not JSON');
  }
  if (message !== null && typeof message === 'object' && !Array.isArray(message)) return message;
  throw new Error('a line must be a JSON object');
}

class Client {
  constructor(fixture, socket) {
    this.fixture = fixture;
    this.socket = socket;
    this.rest = '';
    this.answered = Promise.resolve();
    socket.setEncoding('utf8');
    socket.setNoDelay(true);
    socket.on('data', (text) => this.take(text));
    socket.on('error', () => {});
    socket.on('close', () => fixture.pace.abandon(this));
  }

  take(text) {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop();
    if (this.rest.length > MOST_LINE_CHARS) return this.socket.destroy();
    for (const line of lines) {
      if (line.trim()) this.answered = this.answered.then(() => this.reply(line));
    }
  }

  async reply(line) {
    if (this.socket.destroyed) return;
    const answer = await this.fixture.answer(line, this);
    if (!this.socket.destroyed) this.socket.write(`${JSON.stringify(answer)}\n`);
  }
}
