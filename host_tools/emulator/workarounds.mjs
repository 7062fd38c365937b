// Small repairs of rp2040js 1.4.1, each with the defect it mends. Called once a boot, on a new chip.
// Larger ones have rooms of their own: flash.mjs (SSI), pio_clock.mjs (PIO), rosc.mjs (ROSC), usb.mjs (USB).
import { BasePeripheral } from './rp2040js.mjs';

const UART_DATA = 0x00;
const UART_TX_INTERRUPT = 1 << 5;
const WATCHDOG = 0x40058;
const CHIP_RESET = 0x40064;
const HAD_POWER_ON = 1 << 8;
const BOOTSEL_PIN = 1;
const PAD_INPUT_ENABLE = 0x40;

/** Defect: a division adds eight cycles to the core's count, as if the core stood still; on silicon the
 * code itself waits those cycles out, and its instructions are counted already. */
export function mendDivider(rp2040) {
  const { sio, core } = rp2040;
  const divide = sio.updateHardwareDivider.bind(sio);
  sio.updateHardwareDivider = (signed) => {
    const before = core.cycles;
    divide(signed);
    core.cycles = before;
  };
}

/** Defect: UARTTXINTR is asserted for ever, so firmware that unmasks it (machine.UART) never leaves its
 * handler. Here it rises when a byte has gone out, and falls when the firmware clears it. */
export function mendUarts(rp2040) {
  for (const uart of rp2040.uart) {
    uart.checkInterrupts = () => rp2040.setInterrupt(uart.irq, !!(uart.interruptStatus & uart.interruptMask));
    const write = uart.writeUint32.bind(uart);
    uart.writeUint32 = (offset, value) => {
      write(offset, value);
      if (offset !== UART_DATA) return;
      uart.interruptStatus |= UART_TX_INTERRUPT;
      uart.checkInterrupts();
    };
  }
}

/** Defect: after a bite the watchdog's periodic alarm re-arms itself with no delay, and clock.tick never
 * returns. Here a bite stops the watchdog and hands over what a reset keeps: scratch and reason. */
export function mendWatchdog(rp2040, kept, onReset) {
  const watchdog = rp2040.peripherals[WATCHDOG];
  if (kept) {
    watchdog.scratchData.set(kept.scratch);
    watchdog.reason = kept.reason;
  }
  watchdog.onWatchdogTrigger = () => {
    watchdog.alarm.enable = false;
    watchdog.timer.enable = false;
    onReset({ scratch: watchdog.scratchData.slice(), reason: watchdog.reason });
  };
}

/** Defect: BOOTSEL reads as pressed, because the flash's chip select pad is modelled low. */
export function releaseBootsel(rp2040) {
  const pin = rp2040.qspi[BOOTSEL_PIN];
  pin.rawInputValue = true;
  pin.padValue |= PAD_INPUT_ENABLE;
}

/** Defect: no VREG_AND_CHIP_RESET, every register reads as ones; the boot ROM takes that for a rescue reset
 * and stops for good. */
export class ChipReset extends BasePeripheral {
  constructor(rp2040) {
    super(rp2040, 'CHIP_RESET');
  }

  readUint32(offset) {
    return offset === 0x08 ? HAD_POWER_ON : 0; // a watchdog's reset leaves it as it was
  }

  writeUint32() {}
}

export function fitChipReset(rp2040) {
  rp2040.peripherals[CHIP_RESET] = new ChipReset(rp2040);
}

/** Defect: the core starts at the 125 MHz that firmware will set up; on silicon it starts on the ring
 * oscillator, so that the ROM and the firmware's first steps are twenty times slower. */
export function startOnRingOscillator(rp2040) {
  rp2040.clkSys = rp2040.roscFreq;
  rp2040.clock.setCycle(1e9 / rp2040.roscFreq);
}

/** rp2040js reports a wild access on every instruction that makes one: say the first few only. */
export class ShortLogger {
  constructor(say, most = 20) {
    this.say = say;
    this.left = most;
  }

  debug() {}

  info() {}

  warn() {}

  error(component, message) {
    if (this.left-- > 0) this.say(`${component}: ${message}`);
    else if (this.left === -1) this.say('further messages of the chip are left out');
  }
}
