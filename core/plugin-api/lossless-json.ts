// JSON numbers that JavaScript would round keep their digits as texts, which survive storage and JSON again. Everything
// that calculates with numbers reads such texts exactly.

/**
 * Numbers with at most 15 digits are never rounded, unless an exponent makes them larger than all. Nearly all texts have
 * none of both, and cost only this test.
 */
const LONG_NUMBER = /(?:^|[:,[\s-])\d(?:[\d.]{15}|[\d.]{0,14}e\+?\d{3})/i;

/**
 * Parses JSON. A number that JavaScript cannot hold exactly, such as 9007199254740993, becomes a text of its digits.
 * @throws SyntaxError as `JSON.parse`
 */
export function parseLosslessJson(text: string): unknown {
  return LONG_NUMBER.test(text) ? JSON.parse(text, revive) : JSON.parse(text);
}

/**
 * Replaces the numbers of a JSON text that JavaScript would round by texts of their digits, for a parser that is not
 * ours. Returns a text that is not JSON as it is.
 */
export function quoteLongNumbers(text: string): string {
  if (!LONG_NUMBER.test(text)) return text;
  try {
    return JSON.stringify(parseLosslessJson(text));
  } catch {
    return text;
  }
}

function revive(
  _key: string,
  value: unknown,
  context?: { source?: string },
): unknown {
  const source = context?.source;
  return typeof value === "number" && source !== undefined
    ? parseLosslessNumber(source)
    : value;
}

const MAX_EXACT_LENGTH = 15;
/** Longer texts are no numbers for expressions. */
const MAX_LENGTH = 400;

/** Parses a number of a JSON text: a number if JavaScript holds it exactly, otherwise its digits, without an exponent. */
export function parseLosslessNumber(source: string): number | string {
  const number = Number(source);
  const isShort = source.length <= MAX_EXACT_LENGTH && Number.isFinite(number);
  if (isShort || String(number) === source) return number;
  if (source.length > MAX_LENGTH) return source;
  const exact = readDecimal(source);
  const rounded = readDecimal(String(number));
  const isExact =
    exact.digits === rounded.digits && exact.exponent === rounded.exponent;
  if (isExact) return number;
  return /e/i.test(source) ? writeDecimal(exact, source) : source;
}

/** `digits` times ten to the power of `exponent`; digits without zeros at both ends. */
interface Decimal {
  isNegative: boolean;
  digits: string;
  exponent: number;
}

const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i;

function readDecimal(source: string): Decimal {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    PARTS.exec(source) ?? [];
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  const exponent = Number(power) - fraction.length + all.length - digits.length;
  const isZero = digits === "";
  return {
    isNegative: sign === "-",
    digits,
    exponent: isZero ? 0 : exponent,
  };
}

function writeDecimal(
  { isNegative, digits, exponent }: Decimal,
  source: string,
): string {
  const point = digits.length + exponent;
  if (point < -MAX_LENGTH || point > MAX_LENGTH) return source;
  const written =
    point <= 0
      ? `0.${"0".repeat(-point)}${digits}`
      : `${digits.padEnd(point, "0").slice(0, point)}.${digits.slice(point)}`;
  return (isNegative ? "-" : "") + written.replace(/\.$/, "");
}
