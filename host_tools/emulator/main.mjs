// Starts the emulated board: node main.mjs --bootrom FILE --image FILE --wiring FILE [--state DIR] [--realtime]
//   [--flash typical|worst|instant] [--id 16 hex digits] [--exact]
// Says {"link":port,"fixture":port} on standard output once both ports listen; all else goes to standard
// error. Ends when its standard input closes, so that no emulator outlives the program that started it.
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { Chip } from './chip.mjs';
import { Fixture } from './fixture.mjs';
import { FlashStore, uniqueId } from './flash_store.mjs';
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
  const flag = { type: 'boolean', default: false };
  const { values } = parseArgs({
    options: {
      bootrom: text, image: text, wiring: text, state: text, id: text,
      flash: { type: 'string', default: 'typical' }, exact: flag, realtime: flag,
    },
  });
  const link = new Link();
  const chip = new Chip({
    bootrom: readBootrom(values.bootrom),
    store: new FlashStore(values.image, values.state ?? null),
    flash: values.flash,
    exact: values.exact,
    uniqueId: uniqueId(values.state ?? null, values.id ?? null),
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
