// The flash chip's 2 MiB: what is in it when the power comes, and where it is kept.
// With a state folder every erase and program goes to flash.bin at once, so that a kill of this
// process loses at most the operation under way. Knows no SPI command: that is flash.mjs.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

export const FLASH_BYTES = 2 * 1024 * 1024;
const UNIQUE_ID_BYTES = 8;
const XIP_BASE = 0x10000000;
const UF2_MAGIC = 0x0a324655;
const UF2_BLOCK_BYTES = 512;
const UF2_NOT_MAIN_FLASH = 1;

/** The pieces of an image, a UF2 or a plain binary, as [{offset, bytes}]. */
export function imagePieces(file) {
  const data = fs.readFileSync(file);
  if (data.length < 4 || data.readUInt32LE(0) !== UF2_MAGIC) return [piece(file, 0, data)];
  const pieces = [];
  for (let at = 0; at + UF2_BLOCK_BYTES <= data.length; at += UF2_BLOCK_BYTES) {
    if (data.readUInt32LE(at + 8) & UF2_NOT_MAIN_FLASH) continue;
    const bytes = data.subarray(at + 32, at + 32 + data.readUInt32LE(at + 16));
    pieces.push(piece(file, data.readUInt32LE(at + 12) - XIP_BASE, bytes));
  }
  return pieces;
}

function piece(file, offset, bytes) {
  if (offset < 0 || offset + bytes.length > FLASH_BYTES) {
    throw new Error(`${file} does not fit a Pico's flash: it is an image for another chip, or damaged.`);
  }
  return { offset, bytes };
}

/** The eight bytes the maker put into this flash chip: as asked, else as kept in the state folder, else new. */
export function uniqueId(stateDir, asked) {
  const file = stateDir ? path.join(stateDir, 'unique_id') : null;
  if (asked) return Buffer.from(asked, 'hex');
  if (file && fs.existsSync(file)) return fs.readFileSync(file);
  const made = randomBytes(UNIQUE_ID_BYTES);
  if (file) fs.writeFileSync(file, made);
  return made;
}

export class FlashStore {
  /** stateDir null: the flash lives in memory only. */
  constructor(imageFile, stateDir) {
    this.bytes = new Uint8Array(FLASH_BYTES).fill(0xff);
    this.file = null;
    const pieces = imagePieces(imageFile);
    if (stateDir) this.open(path.join(stateDir, 'flash.bin'));
    for (const { offset, bytes } of pieces) {
      this.bytes.set(bytes, offset);
      this.changed(offset, bytes.length);
    }
  }

  open(name) {
    if (fs.existsSync(name)) this.load(name);
    else this.create(name);
    this.file = fs.openSync(name, 'r+');
  }

  load(name) {
    const kept = fs.readFileSync(name);
    if (kept.length !== FLASH_BYTES) {
      throw new Error(`${name} is not a Pico's flash: it has ${kept.length} bytes, not ${FLASH_BYTES}.`);
    }
    this.bytes.set(kept);
  }

  create(name) {
    fs.writeFileSync(`${name}.new`, this.bytes); // renamed when whole: a flash.bin of the wrong size is refused
    fs.renameSync(`${name}.new`, name);
  }

  /** Call after changing bytes: writes the range through to the file. */
  changed(offset, length) {
    if (this.file !== null) fs.writeSync(this.file, this.bytes, offset, length, offset);
  }
}
