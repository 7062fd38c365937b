// The common Thumb instructions, one small function each, found by the top ten bits of the opcode.
// rp2040js tries some eighty patterns in turn for every instruction; this table goes straight to the right
// one, and the chip runs 1.7 times as fast. What is not here, and every entry into an interrupt, is still
// done by rp2040js: same registers, same flags, same cycles (tests/emulator/compare_cores.mjs checks it).
// Each function gets the Cpu and the opcode, finds r[15] already past it, and returns the cycles it took.
import * as data from './thumb_data.mjs';
import * as flow from './thumb_flow.mjs';

/** First opcode, last opcode, function; what no line names is rare. */
const RANGES = [
  [0x0000, 0x07ff, data.shiftLeft],
  [0x0800, 0x0fff, data.shiftRight],
  [0x1000, 0x17ff, data.shiftRightSigned],
  [0x1800, 0x19ff, data.addRegister],
  [0x1a00, 0x1bff, data.subtractRegister],
  [0x1c00, 0x1dff, data.addSmall],
  [0x1e00, 0x1fff, data.subtractSmall],
  [0x2000, 0x27ff, data.moveByte],
  [0x2800, 0x2fff, data.compareByte],
  [0x3000, 0x37ff, data.addByte],
  [0x3800, 0x3fff, data.subtractByte],
  [0x4000, 0x403f, data.and],
  [0x4040, 0x407f, data.exclusiveOr],
  [0x4200, 0x423f, data.test],
  [0x4240, 0x427f, data.negate],
  [0x4280, 0x42bf, data.compare],
  [0x4300, 0x433f, data.or],
  [0x4340, 0x437f, data.multiply],
  [0x4380, 0x43bf, data.clear],
  [0x43c0, 0x43ff, data.not],
  [0x4500, 0x45ff, data.compareHigh],
  [0x4600, 0x46ff, flow.moveHigh],
  [0x4700, 0x477f, flow.branchExchange],
  [0x4780, 0x47ff, flow.branchLinkExchange],
  [0x4800, 0x4fff, flow.loadLiteral],
  [0x5000, 0x51ff, flow.storeWordAt],
  [0x5200, 0x53ff, flow.storeHalfAt],
  [0x5400, 0x55ff, flow.storeByteAt],
  [0x5800, 0x59ff, flow.loadWordAt],
  [0x5a00, 0x5bff, flow.loadHalfAt],
  [0x5c00, 0x5dff, flow.loadByteAt],
  [0x6000, 0x67ff, flow.storeWord],
  [0x6800, 0x6fff, flow.loadWord],
  [0x7000, 0x77ff, flow.storeByte],
  [0x7800, 0x7fff, flow.loadByte],
  [0x8000, 0x87ff, flow.storeHalf],
  [0x8800, 0x8fff, flow.loadHalf],
  [0x9000, 0x97ff, flow.storeStack],
  [0x9800, 0x9fff, flow.loadStack],
  [0xa800, 0xafff, data.addressOfStack],
  [0xb000, 0xb0ff, data.moveStack],
  [0xb200, 0xb23f, data.signedHalf],
  [0xb240, 0xb27f, data.signedByte],
  [0xb280, 0xb2bf, data.plainHalf],
  [0xb2c0, 0xb2ff, data.plainByte],
  [0xb400, 0xb5ff, flow.push],
  [0xbc00, 0xbdff, flow.pop],
  [0xe000, 0xe7ff, flow.branch],
  [0xf000, 0xf7ff, flow.branchLink],
  ...flow.BRANCHES.map((branchIf, code) => [0xd000 + code * 0x100, 0xd0ff + code * 0x100, branchIf]),
];

/** The function for an opcode is at its top ten bits. */
export const INSTRUCTIONS = new Array(1024).fill(flow.rare);
for (const [first, last, instruction] of RANGES) INSTRUCTIONS.fill(instruction, first >> 6, (last >> 6) + 1);
