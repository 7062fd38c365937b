// Seven-segment digits, as a bench would read them. Segments a to g are bits 0 to 6; a shape that is both a
// digit and a letter reads as the digit.
const GLYPHS = new Map([
  [0x00, ' '], [0x3f, '0'], [0x06, '1'], [0x5b, '2'], [0x4f, '3'], [0x66, '4'], [0x6d, '5'], [0x7d, '6'],
  [0x07, '7'], [0x7f, '8'], [0x6f, '9'], [0x40, '-'], [0x08, '_'], [0x77, 'A'], [0x7c, 'b'], [0x39, 'C'],
  [0x58, 'c'], [0x5e, 'd'], [0x79, 'E'], [0x71, 'F'], [0x3d, 'G'], [0x76, 'H'], [0x74, 'h'], [0x1e, 'J'],
  [0x38, 'L'], [0x54, 'n'], [0x5c, 'o'], [0x73, 'P'], [0x67, 'q'], [0x50, 'r'], [0x78, 't'], [0x3e, 'U'],
  [0x1c, 'u'], [0x6e, 'y'], [0x63, '\u00b0'],
]);
const SEGMENTS = 0x7f; // bit 7 is the colon or the point

/** What seven-segment digits read as; a pattern that is no character is a question mark. */
export function readSegments(shapes) {
  return Array.from(shapes, (shape) => GLYPHS.get(shape & SEGMENTS) ?? '?').join('');
}
