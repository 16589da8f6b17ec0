const pxPerUnit: ReadonlyMap<string, number> = new Map([
  ["px", 1],
  ["pt", 96 / 72],
  ["in", 96],
  ["cm", 96 / 2.54],
  ["mm", 96 / 25.4],
]);

/** A length on paper in CSS px, 96 to the inch; null for what is relative or no length. */
export function toPx(length: string | undefined): number | null {
  const text = length?.trim() ?? "";
  if (text === "0") return 0;
  const [, number, unit = ""] = /^(-?[\d.]+)([a-z]+)$/.exec(text) ?? [];
  const factor = pxPerUnit.get(unit);
  return factor === undefined ? null : Number(number) * factor;
}
