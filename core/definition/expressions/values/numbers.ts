import { Decimal } from "decimal.js";

/** An exact decimal number; a plain number when it has at most 15 digits. */
export type Numeric = number | Decimal;

const PRECISION = 40;

/** The precision exceeds any amount; exponents are limited so that no number prints megabytes of zeros. */
export const ExactDecimal = Decimal.clone({
  precision: PRECISION,
  rounding: Decimal.ROUND_HALF_UP,
  maxE: 400,
  minE: -400,
});

const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?\s*$/i;
const MAX_LENGTH = 400;
const SAFE_DIGITS = 15;

/** Converts numbers and numeric texts; null for anything else. */
export function toNumeric(value: unknown): Numeric | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "string") return parseNumeric(value);
  return value instanceof ExactDecimal ? value : null;
}

function parseNumeric(text: string): Numeric | null {
  if (text.length > MAX_LENGTH || !NUMBER.test(text)) return null;
  if (text.length <= SAFE_DIGITS) return Number(text);
  return normalizeDecimal(new ExactDecimal(text.trim()));
}

/** Returns a plain number when that loses no precision; null when the decimal is not finite. */
export function normalizeDecimal(decimal: Decimal): Numeric | null {
  if (!decimal.isFinite()) return null;
  const fits = decimal.precision() <= SAFE_DIGITS && Math.abs(decimal.e) < 300;
  return fits ? decimal.toNumber() : decimal;
}

/** Compares two numbers like a sort function. */
export function compareNumeric(a: Numeric, b: Numeric): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return new ExactDecimal(a).comparedTo(b);
}

/** Prints without an exponent. Endless results of divisions are rounded to 15 digits where possible. */
export function numericText(value: Numeric): string {
  if (typeof value === "number") {
    const text = String(value);
    return text.includes("e") ? new ExactDecimal(value).toFixed() : text;
  }
  const isEndless = value.precision() > PRECISION - 6 && !value.isInteger();
  const digits = Math.max(SAFE_DIGITS, value.e + 3);
  return (isEndless ? value.toSignificantDigits(digits) : value).toFixed();
}

// Exact decimal arithmetic. Amounts with up to four decimals take a fast path: as whole numbers of ten-thousandths.
// When round(x * 10^4) / 10^4 equals x and has at most 15 digits, that whole number is exactly the decimal that x
// prints as. Sums and products of such whole numbers below 2^53 are exact, and one division by a power of ten gives the
// double that prints as the exact result.

export type Arithmetic = "+" | "-" | "*" | "/" | "%";

const SCALE = 10_000;
const MOST = 1e15;

/** Returns ten-thousandths, or NaN when the fast path does not apply. */
function scaled(value: Numeric): number {
  if (typeof value !== "number") return Number.NaN;
  const whole = Math.round(value * SCALE);
  return whole / SCALE === value && Math.abs(whole) < MOST ? whole : Number.NaN;
}

/** Returns null for a division by zero and for results beyond 400 digits. */
export function calculate(
  operator: Arithmetic,
  a: Numeric,
  b: Numeric,
): Numeric | null {
  const quick = calculateFast(operator, scaled(a), scaled(b));
  return Number.isNaN(quick) ? calculateExactly(operator, a, b) : quick;
}

function calculateFast(operator: Arithmetic, a: number, b: number): number {
  if (operator === "+") return (a + b) / SCALE;
  if (operator === "-") return (a - b) / SCALE;
  if (operator !== "*") return Number.NaN;
  const product = a * b;
  return Math.abs(product) < MOST ? product / (SCALE * SCALE) : Number.NaN;
}

function calculateExactly(
  operator: Arithmetic,
  a: Numeric,
  b: Numeric,
): Numeric | null {
  const left = new ExactDecimal(a);
  switch (operator) {
    case "+":
      return normalizeDecimal(left.plus(b));
    case "-":
      return normalizeDecimal(left.minus(b));
    case "*":
      return normalizeDecimal(left.times(b));
    case "/":
      return normalizeDecimal(left.dividedBy(b));
    default:
      return normalizeDecimal(left.modulo(b));
  }
}

export function sum(values: Iterable<Numeric>): Numeric | null {
  let whole = 0;
  let total: Numeric | null = 0;
  for (const value of values) {
    const next = whole + scaled(value);
    if (Math.abs(next) < MOST) whole = next;
    else total = total === null ? null : calculateExactly("+", total, value);
  }
  return total === null ? null : calculate("+", total, whole / SCALE);
}
