export interface Length {
  amount: number;
  unit: string;
}

export const PAPER_UNITS = ["mm", "cm", "in", "pt", "px"] as const;
export const SIZE_UNITS = [...PAPER_UNITS, "em", "rem", "%"] as const;

/** Null for anything but a plain length, for example a variable or `auto`. */
export function parseLength(text: string | undefined): Length | null {
  if (text?.trim() === "0") return { amount: 0, unit: "" };
  const found = /^(-?\d+(?:\.\d+)?)([a-z%]+)$/.exec(text?.trim() ?? "");
  return found?.[1] && found[2]
    ? { amount: Number(found[1]), unit: found[2] }
    : null;
}

export function formatLength({ amount, unit }: Length): string {
  return amount === 0 ? "0" : `${Number(amount.toFixed(4))}${unit}`;
}

/** The step of the arrow keys. */
export function getStep(unit: string): number {
  return { cm: 0.1, in: 0.05, em: 0.1, rem: 0.1, mm: 0.5 }[unit] ?? 1;
}

/**
 * Parses a typed length: `12` gets the given unit, `12 mm` becomes `12mm`. Null if it is not a length in one of the
 * units.
 */
export function parseTypedLength(
  text: string,
  units: readonly string[],
  unit: string,
): string | null {
  const found = /^\s*(\d+(?:[.,]\d+)?)\s*([a-z%]*)\s*$/i.exec(text);
  if (!found?.[1]) return null;
  const named = found[2] ? found[2].toLowerCase() : unit;
  if (!units.includes(named)) return null;
  return formatLength({
    amount: Number(found[1].replace(",", ".")),
    unit: named,
  });
}

/** In the order of CSS shorthands. */
export const SIDES = ["top", "right", "bottom", "left"] as const;
export type Side = (typeof SIDES)[number];
export type Sides = Partial<Record<Side, string | undefined>>;
