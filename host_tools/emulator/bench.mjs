// The bench from its description: chips, wires between them, a link and a fixture for each.
// {"bootrom": FILE, "realtime": false, "slice_us": 10, "wires": [[chip, pin, chip, pin], ...],
//  "chips": [{"name", "image", "wiring", "state": DIR or null, "id": 16 hex digits or null, "flash", "exact"}]}
import fs from 'node:fs';
import { Chip } from './chip.mjs';
import { Crew } from './crew.mjs';
import { Fixture } from './fixture.mjs';
import { FlashStore, uniqueId } from './flash_store.mjs';
import { Link } from './link.mjs';
import { Pace } from './pace.mjs';

const BOOTROM_BYTES = 16384;

function readBootrom(file) {
  const bytes = fs.readFileSync(file);
  if (bytes.length !== BOOTROM_BYTES) throw new Error(`${file} is not an RP2040 boot ROM.`);
  return new Uint32Array(Uint8Array.from(bytes).buffer);
}

function makeChip(told, bootrom, link, say) {
  return new Chip({
    bootrom,
    store: new FlashStore(told.image, told.state),
    flash: told.flash,
    exact: told.exact,
    uniqueId: uniqueId(told.state, told.id),
    wiring: told.wiring,
    onData: (bytes) => link.onData(bytes),
    onGone: () => link.hangUp(),
    say,
  });
}

function end(boards, name, pin) {
  const board = boards.find((other) => other.name === name);
  if (!board) throw new Error(`there is no chip ${JSON.stringify(name)} to wire.`);
  return [board.chip, board.chip.pins.number(pin)];
}

/** Answers {name: {link: port, fixture: port}}, once all listen and have power. */
export async function startBench(told, say) {
  const bootrom = readBootrom(told.bootrom);
  const boards = told.chips.map((item) => {
    const link = new Link();
    const tell = told.chips.length > 1 ? (text) => say(`${item.name}: ${text}`) : say;
    return { name: item.name, link, chip: makeChip(item, bootrom, link, tell) };
  });
  const wires = told.wires.map(([a, pin, b, other]) => [...end(boards, a, pin), ...end(boards, b, other)]);
  const pace = new Pace(new Crew(boards.map(({ chip }) => chip), wires, told.slice_us * 1000), told);
  const ports = {};
  for (const { name, link, chip } of boards) {
    link.connect(chip, pace);
    ports[name] = { link: await link.listen(), fixture: await new Fixture(chip, pace).listen() };
  }
  for (const { chip } of boards) pace.power(chip);
  return ports;
}
