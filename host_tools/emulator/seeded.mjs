// Chance that repeats: for torn erases, noise on a wire, a noise source under test.

/** A repeatable stream of numbers from 0 to 1 (mulberry32). */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** About normal, of mean 0 and deviation 1: the sum of twelve, less their mean. */
export function gauss(random) {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += random();
  return sum;
}
