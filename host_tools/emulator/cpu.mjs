// Runs the chip's core: fetch, look up, execute, until the clock has something to do or the core sleeps.
// Memory accesses to RAM, flash and ROM go straight to their bytes; the rest goes through rp2040js' bus.
import { INSTRUCTIONS } from './thumb.mjs';

const RAM = 0x20000000;
const FLASH = 0x10000000;
const PC = 15;

export class Cpu {
  /** Make it after the flash is fitted: the views are on the chip's own memory. */
  constructor(rp2040) {
    this.rp2040 = rp2040;
    this.core = rp2040.core;
    this.clock = rp2040.clock;
    this.r = rp2040.core.registers;
    this.ram8 = rp2040.sram;
    this.ram16 = new Uint16Array(rp2040.sram.buffer);
    this.ram32 = new Uint32Array(rp2040.sram.buffer);
    this.ramBytes = rp2040.sram.length;
    this.flash8 = rp2040.flash;
    this.flash16 = new Uint16Array(rp2040.flash.buffer);
    this.flash32 = new Uint32Array(rp2040.flash.buffer);
    this.flashBytes = rp2040.flash.length;
    this.rom16 = new Uint16Array(rp2040.bootrom.buffer);
    this.romBytes = rp2040.bootrom.byteLength;
  }

  /** Returns the number of instructions done. */
  run() {
    const { core, clock, r } = this;
    let done = 0;
    while (core.cycles < clock.dueCycles && !core.waiting) {
      done++;
      if (core.interruptsUpdated) core.executeInstruction(); // enters the interrupt, if it may
      else {
        const opcode = this.fetch(r[PC]);
        r[PC] += 2;
        const cycles = INSTRUCTIONS[opcode >> 6](this, opcode); // may count some itself, so first this, then:
        core.cycles += cycles;
      }
    }
    return done;
  }

  fetch(address) {
    const inFlash = (address - FLASH) >>> 0;
    if (inFlash < this.flashBytes) return this.flash16[inFlash >>> 1];
    if (address < this.romBytes) return this.rom16[address >>> 1];
    return this.core.readUint16(address & ~1);
  }

  loadWord(to, address) {
    const inRam = (address - RAM) >>> 0;
    if (inRam < this.ramBytes && !(inRam & 3)) {
      this.r[to] = this.ram32[inRam >>> 2];
      return 2;
    }
    const inFlash = (address - FLASH) >>> 0;
    if (inFlash < this.flashBytes && !(inFlash & 3)) {
      this.r[to] = this.flash32[inFlash >>> 2];
      return 2;
    }
    const cycles = 1 + this.core.cyclesIO(address);
    this.r[to] = this.core.readUint32(address);
    return cycles;
  }

  loadHalf(to, address) {
    const inRam = (address - RAM) >>> 0;
    if (inRam < this.ramBytes && !(inRam & 1)) {
      this.r[to] = this.ram16[inRam >>> 1];
      return 2;
    }
    const cycles = 1 + this.core.cyclesIO(address);
    this.r[to] = this.core.readUint16(address);
    return cycles;
  }

  loadByte(to, address) {
    const inRam = (address - RAM) >>> 0;
    if (inRam < this.ramBytes) {
      this.r[to] = this.ram8[inRam];
      return 2;
    }
    const inFlash = (address - FLASH) >>> 0;
    if (inFlash < this.flashBytes) {
      this.r[to] = this.flash8[inFlash];
      return 2;
    }
    const cycles = 1 + this.core.cyclesIO(address);
    this.r[to] = this.core.readUint8(address);
    return cycles;
  }

  storeWord(from, address) {
    const inRam = (address - RAM) >>> 0;
    if (inRam < this.ramBytes && !(inRam & 3)) {
      this.ram32[inRam >>> 2] = this.r[from];
      return 2;
    }
    const cycles = 1 + this.core.cyclesIO(address, true);
    this.core.writeUint32(address, this.r[from]);
    return cycles;
  }

  storeHalf(from, address) {
    const inRam = (address - RAM) >>> 0;
    if (inRam < this.ramBytes && !(inRam & 1)) {
      this.ram16[inRam >>> 1] = this.r[from];
      return 2;
    }
    const cycles = 1 + this.core.cyclesIO(address, true);
    this.core.writeUint16(address, this.r[from]);
    return cycles;
  }

  storeByte(from, address) {
    const inRam = (address - RAM) >>> 0;
    if (inRam < this.ramBytes) {
      this.ram8[inRam] = this.r[from];
      return 2;
    }
    const cycles = 1 + this.core.cyclesIO(address, true);
    this.core.writeUint8(address, this.r[from]);
    return cycles;
  }
}
