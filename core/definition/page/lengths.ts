const PX_PER_UNIT: ReadonlyMap<string, number> = new Map([
  ["px", 1],
  ["pt", 96 / 72],
  ["in", 96],
  ["cm", 96 / 2.54],
  ["mm", 96 / 25.4],
]);

/** A length on paper in CSS px, at 96 to the inch; null for what is relative or no length. */
export function toPx(length: string): number | null {
  if (length.trim() === "0") return 0;
  const [, number, unit = ""] = /^\s*(-?[\d.]+)([a-z]+)\s*$/.exec(length) ?? [];
  const factor = PX_PER_UNIT.get(unit);
  return factor === undefined ? null : Number(number) * factor;
}

/** Px for a style sheet, without digits that nobody sees. */
export function px(length: number): string {
  return `${Number(length.toFixed(3))}px`;
}
