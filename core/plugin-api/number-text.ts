// How texts of cells are read as numbers. A text that two people could read as two numbers is never one of them by itself.

export const DECIMAL_MARKS = [".", ","] as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** A number as people write it: its sign and unit, and the digits with their marks. */
interface Amount {
  isNegative: boolean;
  isPercent: boolean;
  /** As written; null without one. */
  currency: string | null;
  digits: string;
}

const maxCharacters = 60;
const SPACES = /[\t\u00a0\u2007\u2009\u202f]/g;
const MINUS_SIGNS = /[\u2010-\u2015\u2212\ufe63\uff0d]/g;
const PERCENT = /^%\s*|\s*%$/;
/** Besides ISO 4217 codes and the signs of currencies, with letters before them or not (`US$`). */
const CURRENCY_WORDS =
  "euros?|kr\\.?|kč|zł|ft|lei|leu|lekë|tl|s?fr\\.?|rs\\.?|rm|rp\\.?|din\\.?|дин\\.?|ден\\.?|лв\\.?|руб\\.?|р\\.|грн\\.?|元|円|원";
const CURRENCY_BEFORE = new RegExp(
  `^(?:[A-Z]{0,3}\\p{Sc}|${CURRENCY_WORDS}|R|[A-Z]{3})\\s*(?=[-+(.,\\d])`,
  "iu",
);
const CURRENCY_AFTER = new RegExp(
  `(?<=[-).,\\d])\\s*(?:[A-Z]{0,3}\\p{Sc}|${CURRENCY_WORDS}|[A-Z]{3})$`,
  "iu",
);
const CODE = /^[A-Z]{3}$/i;
const currencies = new Set(Intl.supportedValuesOf("currency"));

/** Null for a text that is no number. */
function splitAmount(text: string): Amount | null {
  if (text.length > maxCharacters) return null;
  let rest = text
    .replaceAll(SPACES, " ")
    .replaceAll(MINUS_SIGNS, "-")
    .replaceAll("’", "'")
    .trim();
  let signs = "";
  let percents = 0;
  let currency: string | null = null;
  for (let length = 0; length !== rest.length;) {
    length = rest.length;
    // "12,-" is a price without cents.
    rest = rest.replace(/(?<=\d[.,])-{1,2}$/, "");
    rest = rest.replace(/^\((.*)\)$/, (_, inner: string) => {
      signs += "-";
      return inner.trim();
    });
    rest = rest.replace(/^[-+]\s*|\s*-$/, (sign) => {
      signs += sign.trim();
      return "";
    });
    rest = rest.replace(PERCENT, () => {
      percents += 1;
      return "";
    });
    for (const pattern of [CURRENCY_BEFORE, CURRENCY_AFTER])
      rest = rest.replace(pattern, (match) => {
        const unit = match.trim();
        if (CODE.test(unit) && !currencies.has(unit)) return match;
        currency = unit.toUpperCase();
        return "";
      });
  }
  // A mark at the end says nothing: "5." and "5," are whole.
  rest = rest.replace(/(?<=\d)[.,]$/, "");
  return signs.length > 1 || percents > 1
    ? null
    : {
        isNegative: signs === "-",
        isPercent: percents === 1,
        currency,
        digits: rest,
      };
}

/** The digits with a point as their decimal mark; null when they are no number with this mark. */
function readDigits(digits: string, mark: DecimalMark): string | null {
  const [coefficient = "", exponent] = digits.split(/e/i);
  if (exponent !== undefined && !/^[-+]?\d{1,3}$/.test(exponent)) return null;
  const [whole = "", fraction = "", ...others] = coefficient.split(mark);
  if (others.length > 0 || !/^\d*$/.test(fraction)) return null;
  if (whole === "" && fraction === "") return null;
  const integer = exponent === undefined ? joinGroups(whole) : whole;
  if (integer === null || !/^\d*$/.test(integer)) return null;
  const plain = `${integer || "0"}${fraction === "" ? "" : `.${fraction}`}`;
  return exponent === undefined ? plain : `${plain}e${exponent}`;
}

/** Groups of three digits, or in India two before the last three; null for others. */
function joinGroups(whole: string): string | null {
  if (/^\d*$/.test(whole)) return whole;
  const isGrouped =
    /^[1-9]\d{0,2}(?:([.,' ])\d{3})(?:\1\d{3})*$/.test(whole) ||
    /^[1-9]\d?(?:,\d\d)+,\d{3}$/.test(whole);
  return isGrouped ? whole.replaceAll(/\D/g, "") : null;
}

/**
 * The decimal mark that a text shows: null when it shows none, "ambiguous" for one such as `1,234` that is another number
 * with either mark, undefined when the text is no number.
 */
export function findDecimalMark(
  text: string,
): DecimalMark | "ambiguous" | null | undefined {
  const amount = splitAmount(text);
  if (amount === null) return undefined;
  const [point, comma] = DECIMAL_MARKS.map((mark) =>
    readDigits(amount.digits, mark),
  );
  if (point === comma) return point === null ? undefined : null;
  if (point === null) return ",";
  return comma === null ? "." : "ambiguous";
}

/**
 * The number that a text writes with this decimal mark, as digits that JSON and JavaScript read; null for other texts. A
 * percentage is divided by 100 unless `keepPercent`.
 */
export function parseNumberText(
  text: string,
  decimal: DecimalMark,
  keepPercent = false,
): string | null {
  const amount = splitAmount(text);
  const digits = amount && readDigits(amount.digits, decimal);
  if (amount === null || digits === null) return null;
  const number = `${amount.isNegative ? "-" : ""}${digits}`;
  if (!Number.isFinite(Number(number))) return null;
  if (keepPercent || !amount.isPercent) return number;
  return String(Number((Number(number) / 100).toPrecision(15)));
}

/** Signs and words of the currencies whose code is another one. */
const currencyNames: Readonly<Record<string, string>> = {
  "€": "EUR",
  EURO: "EUR",
  EUROS: "EUR",
  $: "USD",
  US$: "USD",
  "£": "GBP",
  "¥": "JPY",
  "₹": "INR",
  RS: "INR",
  "RS.": "INR",
  ZŁ: "PLN",
  KČ: "CZK",
  "FR.": "CHF",
  "SFR.": "CHF",
};

/** What stands beside the digits of a number. */
export interface NumberUnit {
  isPercent: boolean;
  /** Null without one. */
  currency: string | null;
}

/** The unit of a number as text; null for zero, which needs none, and for other texts. */
export function readUnit(text: string): NumberUnit | null {
  const amount = splitAmount(text);
  if (amount === null || !/[1-9]/.test(amount.digits)) return null;
  const { isPercent, currency } = amount;
  return {
    isPercent,
    currency: currency && (currencyNames[currency] ?? currency),
  };
}
