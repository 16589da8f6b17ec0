// Shapes that look like codes, the same for the same value: they stand where the print has the real ones.

/** Numbers from 0 to 1 that seem to have no order, the same for the same seed. */
function* noise(seed: string): Generator<number, never> {
  let state = 2166136261;
  for (const letter of seed)
    state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16777619);
  for (;;) {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 374761393;
    yield ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  }
}

/**
 * Squares on a grid, as the `d` of a path.
 * @param hasEyes with the three corners of a QR code; otherwise with the edges of a Data Matrix
 */
export function matrixShape(
  size: number,
  value: string,
  hasEyes = true,
): string {
  const random = noise(value);
  const cells: string[] = [];
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const isDark = random.next().value < 0.48;
      const fixed = hasEyes ? eye(x, y, size) : edge(x, y, size);
      if (fixed ?? isDark) cells.push(`M${x} ${y}h1v1h-1z`);
    }
  return cells.join("");
}

/** Bars from left to right on a box of 100 by 10. */
export function barcodeShape(value: string): string {
  const random = noise(value);
  const bars: string[] = [];
  for (let x = 0; x < 98;) {
    const width = 0.7 * (1 + Math.floor(random.next().value * 3));
    bars.push(
      `M${x.toFixed(1)} 0h${width.toFixed(1)}v10h-${width.toFixed(1)}z`,
    );
    x += width + 0.7 * (1 + Math.floor(random.next().value * 2));
  }
  return bars.join("");
}

/** Of the square marks in three corners; null elsewhere. */
function eye(x: number, y: number, size: number): boolean | null {
  const near = (one: number) => (one < 8 ? one : size - 1 - one);
  if ((x < 8 ? 0 : 1) + (y < 8 ? 0 : 1) > 1) return null;
  const [across, down] = [near(x), near(y)];
  if (across > 7 || down > 7) return null;
  if (across === 7 || down === 7) return false;
  const ring = Math.max(Math.abs(across - 3), Math.abs(down - 3));
  return ring !== 2;
}

function edge(x: number, y: number, size: number): boolean | null {
  if (x === 0 || y === size - 1) return true;
  if (y === 0) return x % 2 === 0;
  return x === size - 1 ? y % 2 === 1 : null;
}
