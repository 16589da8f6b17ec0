const millimetres: Record<string, number> = {
  mm: 1,
  cm: 10,
  in: 25.4,
  pt: 25.4 / 72,
  px: 25.4 / 96,
};

/** Millimetres of an absolute CSS length ("12mm", "1.5in", "40px"); null for one that depends on its surroundings. */
export function toMillimetres(length: string): number | null {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(\w+)$/.exec(length) ?? [];
  const factor = millimetres[unit ?? ""];
  if (amount === undefined || factor === undefined) return null;
  return Number(amount) * factor || null;
}

/** CSS pixels (1/96 inch) of an absolute CSS length, else null. */
export function toPixels(length: string): number | null {
  const size = toMillimetres(length);
  return size === null ? null : (size * 96) / 25.4;
}
