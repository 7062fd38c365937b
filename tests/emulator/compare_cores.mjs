// Every opcode, many times, with random registers and flags: our table of instructions against rp2040js' own
// core. Prints the first differences, one a line, and ends with 1 if there are any.
// usage: PITKIT_RP2040JS=DIR node compare_cores.mjs EMULATOR_DIR ROUNDS
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, rounds] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(path.join(folder, name)));
const { RP2040 } = await load('rp2040js.mjs');
const { CycleClock } = await load('clock.mjs');
const { Cpu } = await load('cpu.mjs');

const CODE = 0x20001000;
const DATA = 0x20010000;
const MOST_SHOWN = 20;

let state = 12345;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);

function makeChip() {
  const rp2040 = new RP2040(new CycleClock());
  rp2040.clock.core = rp2040.core;
  rp2040.logger = { debug() {}, info() {}, warn() {}, error() {} };
  rp2040.onBreak = () => {};
  return { rp2040, core: rp2040.core, cpu: new Cpu(rp2040) };
}

/** A register's value: an address in RAM, a small number, an extreme, or anything. */
function value() {
  switch (random() >>> 30) {
    case 0: return DATA + ((random() >>> 16) & 0xfffc);
    case 1: return random() >>> 24;
    case 2: return [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffc][(random() >>> 16) % 6];
    default: return DATA + ((random() >>> 16) & 0xffff);
  }
}

function situation(opcode) {
  const registers = Array.from({ length: 13 }, value);
  const flags = random() >>> 28;
  return { opcode, second: random() >>> 16, flags, registers: [...registers, DATA + 0x8000, value(), CODE] };
}

function arrange({ rp2040, core }, { opcode, second, flags, registers }) {
  core.registers.set(registers);
  [core.N, core.Z, core.C, core.V] = [8, 4, 2, 1].map((bit) => !!(flags & bit));
  core.PM = false;
  core.waiting = false;
  core.eventRegistered = false;
  core.interruptsUpdated = false;
  core.pendingSVCall = false;
  core.cycles = 0;
  rp2040.sramView.setUint16(CODE - 0x20000000, opcode, true);
  rp2040.sramView.setUint16(CODE - 0x20000000 + 2, second, true);
}

const outcome = ({ core }) => JSON.stringify({
  registers: Array.from(core.registers, (word) => word.toString(16)),
  flags: [core.N, core.Z, core.C, core.V].map(Number).join(''),
  cycles: core.cycles,
  waiting: core.waiting,
});

const theirs = makeChip();
const ours = makeChip();
let differences = 0;

function differ(what, opcode) {
  differences++;
  if (differences <= MOST_SHOWN) console.log(`${opcode.toString(16).padStart(4, '0')}: ${what}`);
}

function compare(opcode) {
  const given = situation(opcode);
  arrange(theirs, given);
  arrange(ours, given);
  theirs.core.executeInstruction();
  ours.rp2040.clock.dueCycles = 1;
  ours.cpu.run();
  if (outcome(theirs) !== outcome(ours)) differ(`\n  theirs ${outcome(theirs)}\n  ours   ${outcome(ours)}`, opcode);
}

function compareMemory(opcode) {
  if (Buffer.compare(theirs.rp2040.sram, ours.rp2040.sram)) differ('RAM differs', opcode);
  ours.rp2040.sram.set(theirs.rp2040.sram);
}

for (let round = 0; round < Number(rounds); round++) {
  for (let opcode = 0; opcode < 0x10000; opcode++) {
    compare(opcode);
    if (!(opcode & 0xff)) compareMemory(opcode);
  }
}
console.log(`${differences} differences`);
process.exitCode = differences ? 1 : 0;
