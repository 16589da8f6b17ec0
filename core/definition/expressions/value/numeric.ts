import { Decimal } from "decimal.js";

/** An exact decimal number: a plain number as long as 15 digits hold it, which then prints as it is written. */
export type Numeric = number | Decimal;

const PRECISION = 40;

/** Digits far past any amount; exponents are capped so that no number prints as megabytes of zeros. */
export const Exact = Decimal.clone({
  precision: PRECISION,
  rounding: Decimal.ROUND_HALF_UP,
  maxE: 400,
  minE: -400,
});

const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?\s*$/i;
const LONGEST = 400;
const SAFE_DIGITS = 15;

/** A number, or a text that is written as one; null for anything else. */
export function toNumeric(value: unknown): Numeric | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "string") return parseNumeric(value);
  return value instanceof Exact ? value : null;
}

function parseNumeric(text: string): Numeric | null {
  if (text.length > LONGEST || !NUMBER.test(text)) return null;
  if (text.length <= SAFE_DIGITS) return Number(text);
  return settle(new Exact(text.trim()));
}

/** The plain number of a decimal when that loses nothing; null when it is not finite. */
export function settle(decimal: Decimal): Numeric | null {
  if (!decimal.isFinite()) return null;
  const fits = decimal.precision() <= SAFE_DIGITS && Math.abs(decimal.e) < 300;
  return fits ? decimal.toNumber() : decimal;
}

/** Negative, zero or positive as `a` is under, at or over `b`. */
export function compareNumeric(a: Numeric, b: Numeric): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return new Exact(a).comparedTo(b);
}

/** Never with an exponent. What a division filled up with digits is rounded, to 15 of them where that is possible. */
export function numericText(value: Numeric): string {
  if (typeof value === "number") {
    const text = String(value);
    return text.includes("e") ? new Exact(value).toFixed() : text;
  }
  const isEndless = value.precision() > PRECISION - 6 && !value.isInteger();
  const digits = Math.max(SAFE_DIGITS, value.e + 3);
  return (isEndless ? value.toSignificantDigits(digits) : value).toFixed();
}
