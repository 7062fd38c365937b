// Outputs go by the names of the lamps on them; a lit output that drives no lamp is told by its number.
export const lampName = (names, output) => names[output] ?? `output ${output}`;

/** shown: one value an output, nought is dark. */
export function litNames(names, shown) {
  const lamps = [];
  shown.forEach((on, output) => { if (on) lamps.push(lampName(names, output)); });
  return lamps;
}
