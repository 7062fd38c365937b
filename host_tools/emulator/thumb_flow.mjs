// Thumb instructions that touch memory or the program's flow: loads, stores, the stack, branches, and the way
// to rp2040js for all that is not here. See thumb.mjs for their manners.
const SP = 13;
const LR = 14;
const PC = 15;

/** Left to rp2040js, which counts its cycles itself. */
export function rare(cpu) {
  cpu.r[PC] -= 2;
  cpu.core.executeInstruction();
  return 0;
}

export function moveHigh(cpu, op) {
  const to = ((op >> 4) & 8) | (op & 7);
  const from = (op >> 3) & 15;
  if (to >= SP || from === PC) return rare(cpu);
  cpu.r[to] = cpu.r[from];
  return 1;
}

export function branchExchange(cpu, op) {
  if (op & 7) return rare(cpu);
  cpu.core.BXWritePC(cpu.r[(op >> 3) & 15]); // may end an interrupt
  return 2;
}

export function branchLinkExchange(cpu, op) {
  const { r } = cpu;
  if (op & 7 || (op & 0x78) >= 0x70) return rare(cpu);
  const target = r[(op >> 3) & 15];
  r[LR] = r[PC] | 1;
  r[PC] = target & ~1;
  return 2;
}

export const loadLiteral = (cpu, op) => cpu.loadWord((op >> 8) & 7, ((cpu.r[PC] + 2) & ~3) + ((op & 0xff) << 2));
const sum = (r, op) => r[(op >> 3) & 7] + r[(op >> 6) & 7];
export const storeWordAt = (cpu, op) => cpu.storeWord(op & 7, sum(cpu.r, op));
export const storeHalfAt = (cpu, op) => cpu.storeHalf(op & 7, sum(cpu.r, op));
export const storeByteAt = (cpu, op) => cpu.storeByte(op & 7, sum(cpu.r, op));
export const loadWordAt = (cpu, op) => cpu.loadWord(op & 7, sum(cpu.r, op));
export const loadHalfAt = (cpu, op) => cpu.loadHalf(op & 7, sum(cpu.r, op));
export const loadByteAt = (cpu, op) => cpu.loadByte(op & 7, sum(cpu.r, op));
export const storeWord = (cpu, op) => cpu.storeWord(op & 7, cpu.r[(op >> 3) & 7] + ((op >> 4) & 0x7c));
export const loadWord = (cpu, op) => cpu.loadWord(op & 7, cpu.r[(op >> 3) & 7] + ((op >> 4) & 0x7c));
export const storeByte = (cpu, op) => cpu.storeByte(op & 7, cpu.r[(op >> 3) & 7] + ((op >> 6) & 0x1f));
export const loadByte = (cpu, op) => cpu.loadByte(op & 7, cpu.r[(op >> 3) & 7] + ((op >> 6) & 0x1f));
export const storeHalf = (cpu, op) => cpu.storeHalf(op & 7, cpu.r[(op >> 3) & 7] + ((op >> 5) & 0x3e));
export const loadHalf = (cpu, op) => cpu.loadHalf(op & 7, cpu.r[(op >> 3) & 7] + ((op >> 5) & 0x3e));
export const storeStack = (cpu, op) => cpu.storeWord((op >> 8) & 7, cpu.r[SP] + ((op & 0xff) << 2));
export const loadStack = (cpu, op) => cpu.loadWord((op >> 8) & 7, cpu.r[SP] + ((op & 0xff) << 2));

export function push(cpu, op) {
  const { r } = cpu;
  let address = r[SP];
  let cycles = 1;
  if (op & 0x100) cpu.storeWord(LR, (address -= 4));
  for (let i = 7; i >= 0; i--) {
    if (op & (1 << i)) {
      cpu.storeWord(i, (address -= 4));
      cycles++;
    }
  }
  r[SP] = address;
  return cycles;
}

export function pop(cpu, op) {
  const { r } = cpu;
  let address = r[SP];
  let cycles = 1;
  for (let i = 0; i < 8; i++) {
    if (op & (1 << i)) {
      cpu.loadWord(i, address);
      address += 4;
      cycles++;
    }
  }
  if (op & 0x100) {
    r[SP] = address + 4;
    cpu.loadWord(PC, address);
    cpu.core.BXWritePC(r[PC]); // may end an interrupt
    return cycles + 2;
  }
  r[SP] = address;
  return cycles;
}

function take(r, op) {
  r[PC] += ((op << 24) >> 23) + 2;
  return 2;
}

/** In the order of their codes: eq ne cs cc mi pl vs vc hi ls ge lt gt le. */
export const BRANCHES = [
  ({ r, core }, op) => (core.Z ? take(r, op) : 1),
  ({ r, core }, op) => (core.Z ? 1 : take(r, op)),
  ({ r, core }, op) => (core.C ? take(r, op) : 1),
  ({ r, core }, op) => (core.C ? 1 : take(r, op)),
  ({ r, core }, op) => (core.N ? take(r, op) : 1),
  ({ r, core }, op) => (core.N ? 1 : take(r, op)),
  ({ r, core }, op) => (core.V ? take(r, op) : 1),
  ({ r, core }, op) => (core.V ? 1 : take(r, op)),
  ({ r, core }, op) => (core.C && !core.Z ? take(r, op) : 1),
  ({ r, core }, op) => (core.C && !core.Z ? 1 : take(r, op)),
  ({ r, core }, op) => (core.N === core.V ? take(r, op) : 1),
  ({ r, core }, op) => (core.N === core.V ? 1 : take(r, op)),
  ({ r, core }, op) => (core.N === core.V && !core.Z ? take(r, op) : 1),
  ({ r, core }, op) => (core.N === core.V && !core.Z ? 1 : take(r, op)),
];

export function branch({ r }, op) {
  r[PC] += ((op << 21) >> 20) + 2;
  return 2;
}

export function branchLink(cpu, op) {
  const { r } = cpu;
  const second = cpu.fetch(r[PC]);
  if ((second & 0xd000) !== 0xd000) return rare(cpu);
  const sign = (op >> 10) & 1;
  const i1 = 1 - (sign ^ ((second >> 13) & 1));
  const i2 = 1 - (sign ^ ((second >> 11) & 1));
  const offset = (-sign << 24) | (i1 << 23) | (i2 << 22) | ((op & 0x3ff) << 12) | ((second & 0x7ff) << 1);
  r[LR] = (r[PC] + 2) | 1;
  r[PC] += 2 + offset;
  return 3;
}
