// Starts the emulated board: node main.mjs --bootrom FILE --image FILE --wiring FILE [--state DIR] [--realtime]
// Says {"link":port,"fixture":port} on standard output once both ports listen; all else goes to standard
// error. Ends when its standard input closes, so that no emulator outlives the program that started it.
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { Chip } from './chip.mjs';
import { Fixture } from './fixture.mjs';
import { FlashStore } from './flash_store.mjs';
import { Link } from './link.mjs';
import { Pace } from './pace.mjs';

const BOOTROM_BYTES = 16384;

const say = (text) => process.stderr.write(`emulator: ${text}\n`);

function readBootrom(file) {
  const bytes = fs.readFileSync(file);
  if (bytes.length !== BOOTROM_BYTES) throw new Error(`${file} is not an RP2040 boot ROM.`);
  return new Uint32Array(Uint8Array.from(bytes).buffer);
}

function endWithParent() {
  process.stdin.resume();
  process.stdin.on('end', () => process.exit(0));
  process.stdin.on('error', () => process.exit(0));
}

async function main() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: { bootrom: text, image: text, wiring: text, state: text, realtime: { type: 'boolean', default: false } },
  });
  const link = new Link();
  const chip = new Chip({
    bootrom: readBootrom(values.bootrom),
    store: new FlashStore(values.image, values.state ?? null),
    wiring: JSON.parse(fs.readFileSync(values.wiring, 'utf8')),
    onData: (bytes) => link.onData(bytes),
    say,
  });
  const pace = new Pace(chip, values);
  link.connect(chip, pace);
  const ports = { link: await link.listen(), fixture: await new Fixture(chip, pace).listen() };
  endWithParent();
  chip.power();
  pace.powerBack();
  process.stdout.write(`${JSON.stringify(ports)}\n`);
}

main().catch((error) => {
  say(error.message);
  process.exit(2);
});
