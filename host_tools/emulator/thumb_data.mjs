// Thumb instructions that work on registers only: shifts, sums, logic, moves. See thumb.mjs for their manners.
const SP = 13;

function flagsOfResult(core, result) {
  core.N = result < 0;
  core.Z = result === 0;
}

function add(core, a, b) {
  const sum = a + b;
  const result = sum | 0;
  flagsOfResult(core, result);
  core.C = sum > 0xffffffff;
  core.V = ((a ^ result) & (b ^ result)) < 0;
  return result;
}

function subtract(core, a, b) {
  const result = (a - b) | 0;
  flagsOfResult(core, result);
  core.C = a >= b;
  core.V = ((a ^ b) & (a ^ result)) < 0;
  return result;
}

export function shiftLeft({ r, core }, op) {
  const count = (op >> 6) & 31;
  const input = r[(op >> 3) & 7];
  const result = input << count;
  r[op & 7] = result;
  flagsOfResult(core, result);
  if (count) core.C = ((input >>> (32 - count)) & 1) === 1;
  return 1;
}

export function shiftRight({ r, core }, op) {
  const count = (op >> 6) & 31;
  const input = r[(op >> 3) & 7];
  const result = count ? input >>> count : 0;
  r[op & 7] = result;
  core.N = false;
  core.Z = result === 0;
  core.C = ((input >>> (count ? count - 1 : 31)) & 1) === 1;
  return 1;
}

export function shiftRightSigned({ r, core }, op) {
  const count = (op >> 6) & 31 || 32;
  const input = r[(op >> 3) & 7];
  const result = input >> Math.min(count, 31);
  r[op & 7] = result;
  flagsOfResult(core, result);
  core.C = ((input >>> (count - 1)) & 1) === 1;
  return 1;
}

export function addRegister({ r, core }, op) {
  r[op & 7] = add(core, r[(op >> 3) & 7], r[(op >> 6) & 7]);
  return 1;
}

export function subtractRegister({ r, core }, op) {
  r[op & 7] = subtract(core, r[(op >> 3) & 7], r[(op >> 6) & 7]);
  return 1;
}

export function addSmall({ r, core }, op) {
  r[op & 7] = add(core, r[(op >> 3) & 7], (op >> 6) & 7);
  return 1;
}

export function subtractSmall({ r, core }, op) {
  r[op & 7] = subtract(core, r[(op >> 3) & 7], (op >> 6) & 7);
  return 1;
}

export function moveByte({ r, core }, op) {
  r[(op >> 8) & 7] = op & 0xff;
  core.N = false;
  core.Z = (op & 0xff) === 0;
  return 1;
}

export function compareByte({ r, core }, op) {
  subtract(core, r[(op >> 8) & 7], op & 0xff);
  return 1;
}

export function addByte({ r, core }, op) {
  r[(op >> 8) & 7] = add(core, r[(op >> 8) & 7], op & 0xff);
  return 1;
}

export function subtractByte({ r, core }, op) {
  r[(op >> 8) & 7] = subtract(core, r[(op >> 8) & 7], op & 0xff);
  return 1;
}

function keep({ r, core }, op, result) {
  r[op & 7] = result;
  flagsOfResult(core, result);
  return 1;
}

export const and = (cpu, op) => keep(cpu, op, cpu.r[op & 7] & cpu.r[(op >> 3) & 7]);
export const exclusiveOr = (cpu, op) => keep(cpu, op, cpu.r[op & 7] ^ cpu.r[(op >> 3) & 7]);
export const or = (cpu, op) => keep(cpu, op, cpu.r[op & 7] | cpu.r[(op >> 3) & 7]);
export const clear = (cpu, op) => keep(cpu, op, cpu.r[op & 7] & ~cpu.r[(op >> 3) & 7]);
export const multiply = (cpu, op) => keep(cpu, op, Math.imul(cpu.r[op & 7], cpu.r[(op >> 3) & 7]));
export const not = (cpu, op) => keep(cpu, op, ~cpu.r[(op >> 3) & 7]);

export function test({ r, core }, op) {
  flagsOfResult(core, r[op & 7] & r[(op >> 3) & 7]);
  return 1;
}

export function negate({ r, core }, op) {
  r[op & 7] = subtract(core, 0, r[(op >> 3) & 7]);
  return 1;
}

export function compare({ r, core }, op) {
  subtract(core, r[op & 7], r[(op >> 3) & 7]);
  return 1;
}

export function compareHigh({ r, core }, op) {
  subtract(core, r[((op >> 4) & 8) | (op & 7)], r[(op >> 3) & 15]);
  return 1;
}

export function addressOfStack({ r }, op) {
  r[(op >> 8) & 7] = r[SP] + ((op & 0xff) << 2);
  return 1;
}

export function moveStack({ r }, op) {
  const bytes = (op & 0x7f) << 2;
  r[SP] = (op & 0x80 ? r[SP] - bytes : r[SP] + bytes) & ~3;
  return 1;
}

function put(r, op, value) {
  r[op & 7] = value;
  return 1;
}

export const signedHalf = ({ r }, op) => put(r, op, (r[(op >> 3) & 7] << 16) >> 16);
export const signedByte = ({ r }, op) => put(r, op, (r[(op >> 3) & 7] << 24) >> 24);
export const plainHalf = ({ r }, op) => put(r, op, r[(op >> 3) & 7] & 0xffff);
export const plainByte = ({ r }, op) => put(r, op, r[(op >> 3) & 7] & 0xff);
