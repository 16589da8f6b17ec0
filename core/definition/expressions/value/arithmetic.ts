import { Exact, settle, type Numeric } from "./numeric.js";

// Exact decimal arithmetic. Amounts with up to four decimals, nearly all there are, take the fast lane: as whole
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
  const left = new Exact(a);
  switch (operator) {
    case "+":
      return settle(left.plus(b));
    case "-":
      return settle(left.minus(b));
    case "*":
      return settle(left.times(b));
    case "/":
      return settle(left.dividedBy(b));
    default:
      return settle(left.modulo(b));
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
