// Starts emulated boards: node main.mjs BENCH.json (bench.mjs says what is in it).
// Says {name: {"link": port, "fixture": port}} on standard output once all ports listen; all else goes to
// standard error. Ends when its standard input closes, so that no emulator outlives the program that
// started it.
import fs from 'node:fs';
import { startBench } from './bench.mjs';

const say = (text) => process.stderr.write(`emulator: ${text}\n`);

function endWithParent() {
  process.stdin.resume();
  process.stdin.on('end', () => process.exit(0));
  process.stdin.on('error', () => process.exit(0));
}

async function main() {
  const ports = await startBench(JSON.parse(fs.readFileSync(process.argv[2], 'utf8')), say);
  endWithParent();
  process.stdout.write(`${JSON.stringify(ports)}\n`);
}

main().catch((error) => {
  say(error.message);
  process.exit(2);
});
