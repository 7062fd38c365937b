// Where the chip comes from: npm's rp2040js, in the folder launch.py made in the user's cache.
// Only this module knows that folder; every other one imports the library's names from here.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = process.env.PITKIT_RP2040JS;
if (!folder) throw new Error('PITKIT_RP2040JS names no folder; start the emulator through pitkit.');
const entry = path.join(folder, 'node_modules', 'rp2040js', 'dist', 'esm', 'index.js');

export const { RP2040, USBCDC, BasePeripheral, GPIOPinState, LogLevel } = await import(pathToFileURL(entry));
