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
  /** What it may be instead: a code (`R-1001`, `EUR100`, `1001-`, `1E5`), or one with a unit (`100kr`, `R 100`). */
  resembles: "code" | "unit" | null;
}

const maxCharacters = 60;
const SPACES = /[\t\u00a0\u2007\u2009\u202f\u3000]/g;
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/g;
const MINUS_SIGNS = /[\u2010-\u2015\u2212\ufe63\uff0d]/g;
/** Full-width and Arabic forms of the characters of a number. */
const FORMS = /[\uff01-\uff5e\uffe5\u0660-\u066c\u06f0-\u06f9]/g;
const asciiForms: Readonly<Record<string, string>> = {
  "٪": "%",
  "٫": ".",
  "٬": "'",
  "￥": "¥",
};
const PERCENT = /^%\s*|\s*%$/;
/** Besides ISO 4217 codes and the signs of currencies. */
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
/** Before a sign, other letters are a multiple (`T€`, `M$`, `bn$`) or a part (`ct€`). */
const LETTERS_OF_SIGN =
  /^(?:(?:US|AU?|CA?|NZ|HK|NT|SG?|R|MX|Mex|CL|COL?|AR|RD|DO|TT|BZ|Bds|BM|BR|BS|Cub?|EC|FJ|GY|JM?|KY|LR?|NA?|SB|SI|SR|UY|ZW?)\$|(?:EG?|FK|Fl|GB|GI|L|SD?|SH|SY|UK)£|(?:CN|JP)¥|GH₵)$/i;
/** What begins a code as well: letters at the digits or the minus, and some before a blank (`FT 5`, `R 12`). */
const CODE_BEFORE = /[a-z\p{Script=Cyrillic}]$|^(?:R|F[RT])\s+$/iu;
const CODE_AFTER = /^[a-z]+$/i;
/** Two decimals or a group of three digits, as codes do not have them. */
const MONEY_DIGITS = /[.,]\d\d$|[.,' ]\d{3}/;
const SHORT_EXPONENT = /^\d+e(?:\d+|-[1-9]\d*)$/i;
const currencies = new Set(Intl.supportedValuesOf("currency"));

/** Null for a text that is no number. */
function splitAmount(text: string): Amount | null {
  if (text.length > maxCharacters) return null;
  let rest = (/[^ -~]/.test(text) ? toAscii(text) : text).trim();
  let signs = "";
  let percents = 0;
  let currency: string | null = null;
  const marks = new Set<"code" | "unit">();
  for (let length = 0; length !== rest.length;) {
    length = rest.length;
    // "12,-" and "12/-" are prices without cents.
    rest = rest.replace(/(?<=\d)\/[-=]$/, "");
    rest = rest.replace(
      /(?<=\d)([.,])-{1,2}$/,
      (_, mark: string, at: number) => {
        const whole = rest.slice(0, at);
        const isDecimal = /\d[.,' ]\d/.test(whole) && !whole.includes(mark);
        return isDecimal ? `${mark}00` : "";
      },
    );
    rest = rest.replace(/^\((.*)\)$/, (_, inner: string) => {
      signs += "-";
      return inner.trim();
    });
    rest = rest.replace(/^[-+]\s*|\s*-$/, (sign, at: number) => {
      signs += sign.trim();
      if (at > 0) marks.add("code");
      return "";
    });
    rest = rest.replace(PERCENT, () => {
      percents += 1;
      return "";
    });
    for (const [pattern, code] of [
      [CURRENCY_BEFORE, CODE_BEFORE],
      [CURRENCY_AFTER, CODE_AFTER],
    ] as const)
      rest = rest.replace(pattern, (match) => {
        const unit = match.trim();
        if (!isCurrency(unit)) return match;
        currency = unit.toUpperCase();
        const isPrefix = code === CODE_BEFORE && !match.endsWith(" ");
        if (code.test(match)) marks.add(isPrefix ? "code" : "unit");
        return "";
      });
  }
  if (signs.length > 1 || percents > 1) return null;
  if (MONEY_DIGITS.test(rest)) marks.clear();
  if (SHORT_EXPONENT.test(rest)) marks.add("code");
  const [mark = null] = marks;
  return {
    isNegative: signs === "-",
    isPercent: percents === 1,
    currency,
    digits: rest,
    resembles: marks.has("code") ? "code" : mark,
  };
}

/** @param unit what one of the patterns matches */
function isCurrency(unit: string): boolean {
  const letters = /^(?:[A-Z]+(?=\p{Sc}$)|[A-Z]{3}$)/iu.exec(unit)?.[0];
  return (
    letters === undefined ||
    currencies.has(letters) ||
    LETTERS_OF_SIGN.test(unit)
  );
}

function toAscii(text: string): string {
  return text
    .replaceAll(DIRECTION_MARKS, "")
    .replaceAll(FORMS, (form) => {
      const code = form.charCodeAt(0);
      if (/\p{Nd}/u.test(form)) return String(code % 16);
      return asciiForms[form] ?? String.fromCharCode(code - 0xfee0);
    })
    .replaceAll(SPACES, " ")
    .replaceAll(MINUS_SIGNS, "-")
    .replaceAll("’", "'");
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
 * with either mark, and for `3.`, which may be an ordinal, undefined when the text is no number.
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
  if (/^\d+[.,]$/.test(amount.digits)) return "ambiguous";
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
  円: "JPY",
  元: "CNY",
  "₩": "KRW",
  원: "KRW",
  "₹": "INR",
  RS: "INR",
  "RS.": "INR",
  "₺": "TRY",
  TL: "TRY",
  ZŁ: "PLN",
  KČ: "CZK",
  FT: "HUF",
  R: "ZAR",
  R$: "BRL",
  RM: "MYR",
  RP: "IDR",
  "RP.": "IDR",
  FR: "CHF",
  "FR.": "CHF",
  "SFR.": "CHF",
  "KR.": "KR",
  "₽": "RUB",
  РУБ: "RUB",
  "РУБ.": "RUB",
  "Р.": "RUB",
  "₴": "UAH",
  ГРН: "UAH",
  "ГРН.": "UAH",
};

function getCurrency({ currency }: Amount): string | null {
  return currency && (currencyNames[currency] ?? currency);
}

/** What stands beside the digits of a number. */
export interface NumberUnit {
  isPercent: boolean;
  /** Null without one. */
  currency: string | null;
}

/** The unit of a number as text; null for zero, which needs none, and for what may be a code and other texts. */
export function readUnit(text: string): NumberUnit | null {
  const amount = splitAmount(text);
  if (amount === null || !/[1-9]/.test(amount.digits)) return null;
  if (amount.resembles !== null) return null;
  return { isPercent: amount.isPercent, currency: getCurrency(amount) };
}

/** Whether a number loses what the text says if it is a code: `01067`, `R-1001`, `EUR100`, `1001-`, `1E5`. */
export function looksLikeCode(text: string): boolean {
  const amount = splitAmount(text);
  return amount !== null && (amount.resembles !== null || isPadded(amount));
}

/** What is after a number and no currency, such as `pcs` of `12 pcs` and `T€` of `5 T€`; null for other texts. */
export function findOtherUnit(text: string): string | null {
  const unit = /(?<=\d\s*)\p{L}[\p{L}\p{Sc}²³/.]*$/u.exec(text.trim())?.[0];
  if (unit === undefined || findDecimalMark(text) !== undefined) return null;
  const number = text.trim().slice(0, -unit.length);
  return findDecimalMark(number) === undefined ? null : unit;
}

function isPadded({ digits }: Amount): boolean {
  return /^0\d/.test(digits);
}

/** Whether the numbers of a column show that those which may be codes are numbers too. */
export class CodeProfile {
  /** Currencies, and null for those without one. */
  readonly #sure = new Set<string | null>();
  readonly #unsure = new Set<string | null>();
  readonly #units = new Set<string | null>();
  #hasCodes = false;

  /** Whether a number may be one: null if its column tells. */
  add(text: string): boolean | null {
    const amount = splitAmount(text);
    if (amount === null || isPadded(amount)) return false;
    const currency = getCurrency(amount);
    const needsUnit = amount.currency !== null || /[1-9]/.test(amount.digits);
    if (needsUnit) this.#units.add(currency);
    if (amount.resembles !== null) {
      this.#unsure.add(currency);
      this.#hasCodes ||= amount.resembles === "code";
      return null;
    }
    if (currency !== null) this.#sure.add(currency);
    if (/[.,' ]/.test(amount.digits)) this.#sure.add(null);
    return true;
  }

  /** A number with a unit is one where another value proves the unit, or where all values have it. */
  get areNumbers(): boolean {
    if (!this.#hasCodes && this.#units.size === 1) return true;
    return [...this.#unsure].every((currency) => this.#sure.has(currency));
  }
}
