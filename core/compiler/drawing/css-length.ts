const millimetres: Record<string, number> = {
  mm: 1,
  cm: 10,
  in: 25.4,
  pt: 25.4 / 72,
  px: 25.4 / 96,
};

/** Converts an absolute CSS length ("12mm", "1.5in", "40px") to millimeters; null for a relative one. */
export function toMillimetres(length: string): number | null {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(\w+)$/.exec(length) ?? [];
  const factor = millimetres[unit ?? ""];
  if (amount === undefined || factor === undefined) return null;
  return Number(amount) * factor || null;
}

/** Converts an absolute CSS length to CSS pixels (1/96 inch); null for a relative one. */
export function toPixels(length: string): number | null {
  const size = toMillimetres(length);
  return size === null ? null : (size * 96) / 25.4;
}
