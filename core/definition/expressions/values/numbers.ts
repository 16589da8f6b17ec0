import { Decimal } from "decimal.js";

/** An exact decimal number: a plain number as long as 15 digits hold it, which then prints as it is written. */
export type Numeric = number | Decimal;

const PRECISION = 40;

/** Digits far past any amount; exponents are capped so that no number prints as megabytes of zeros. */
export const ExactDecimal = Decimal.clone({
  precision: PRECISION,
  rounding: Decimal.ROUND_HALF_UP,
  maxE: 400,
  minE: -400,
});

const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?\s*$/i;
const MAX_LENGTH = 400;
const SAFE_DIGITS = 15;

/** A number, or a text that is written as one; null for anything else. */
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

/** The plain number of a decimal when that loses nothing; null when it is not finite. */
export function normalizeDecimal(decimal: Decimal): Numeric | null {
  if (!decimal.isFinite()) return null;
  const fits = decimal.precision() <= SAFE_DIGITS && Math.abs(decimal.e) < 300;
  return fits ? decimal.toNumber() : decimal;
}

/** Negative, zero or positive as `a` is under, at or over `b`. */
export function compareNumeric(a: Numeric, b: Numeric): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return new ExactDecimal(a).comparedTo(b);
}

/** Never with an exponent. What a division filled up with digits is rounded, to 15 of them where that is possible. */
export function numericText(value: Numeric): string {
  if (typeof value === "number") {
    const text = String(value);
    return text.includes("e") ? new ExactDecimal(value).toFixed() : text;
  }
  const isEndless = value.precision() > PRECISION - 6 && !value.isInteger();
  const digits = Math.max(SAFE_DIGITS, value.e + 3);
  return (isEndless ? value.toSignificantDigits(digits) : value).toFixed();
}

// ExactDecimal decimal arithmetic. Amounts with up to four decimals, nearly all there are, take the fast lane: as whole
// numbers of ten-thousandths. When round(x * 10^4) / 10^4 is x again and has at most 15 digits, that whole
// number is exactly the decimal which x prints as; a sum or product of such whole numbers below 2^53 is exact,
// and one division by a power of ten gives the double that prints as the exact result.

export type Arithmetic = "+" | "-" | "*" | "/" | "%";

const SCALE = 10_000;
const MOST = 1e15;

/** Ten-thousandths, or NaN when the fast lane does not hold the value. */
function scaled(value: Numeric): number {
  if (typeof value !== "number") return Number.NaN;
  const whole = Math.round(value * SCALE);
  return whole / SCALE === value && Math.abs(whole) < MOST ? whole : Number.NaN;
}

/** Null when there is no result: a division by zero, or past 400 digits. */
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
