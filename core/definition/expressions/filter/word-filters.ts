import {
  isCurrency,
  numberFormatFor,
  ordinalRulesFor,
  safeLocale,
} from "../value/locale.js";
import { Exact, toNumeric, type Numeric } from "../value/numeric.js";
import { localeArgument } from "./arguments.js";
import { cardinalFor } from "./cardinals.js";
import type { FilterDefinition } from "./filter-definition.js";

/** Beyond this the words of some languages end. */
const LARGEST = 1e15;

/**
 * An amount in words, its fraction as on a cheque: "one thousand two hundred thirty-four and 56/100". The
 * definition's currency says how many decimals there are.
 */
const words: FilterDefinition = {
  usage: 'words("de-DE")',
  least: 0,
  most: 1,
  bind: ([tag]) => {
    const locale = localeArgument(tag);
    return (value, context) => {
      const number = toNumeric(value);
      if (number === null || new Exact(number).abs().gte(LARGEST)) return value;
      const decimals = decimalsOf(context.currency);
      return inWords(number, decimals, locale ?? context.locale);
    };
  },
};

function decimalsOf(currency: string): number {
  if (!isCurrency(currency)) return 2;
  const options = { style: "currency", currency } as const;
  const format = numberFormatFor("en", `words ${currency}`, options);
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

function inWords(number: Numeric, decimals: number, locale: string): string {
  const { words: say, joint } = cardinalFor(safeLocale(locale));
  const [whole = "0", fraction = ""] = new Exact(number)
    .toFixed(decimals)
    .split(".");
  const amount = say(BigInt(whole));
  if (Number(fraction) === 0) return amount;
  return `${amount} ${joint}${fraction}/${10 ** decimals}`;
}

/** 1st, 2e, 3., 第4: a whole number's ordinal in figures. */
const ordinal: FilterDefinition = {
  usage: 'ordinal("en-US")',
  least: 0,
  most: 1,
  bind: ([tag]) => {
    const locale = localeArgument(tag);
    return (value, context) => {
      const number = Number(toNumeric(value) ?? Number.NaN);
      if (!Number.isSafeInteger(number) || number < 0) return value;
      return ordinalOf(number, safeLocale(locale ?? context.locale));
    };
  },
};

/** `#` is the number; by Intl's plural categories where the ending depends on it. */
type OrdinalForms = Partial<Record<Intl.LDMLPluralRule, string>>;

const ORDINALS: Readonly<Record<string, OrdinalForms>> = {
  en: { one: "#st", two: "#nd", few: "#rd", other: "#th" },
  fr: { one: "#er", other: "#e" },
  sv: { one: "#:a", other: "#:e" },
  es: { other: "#.º" },
  pt: { other: "#.º" },
  it: { other: "#º" },
  nl: { other: "#e" },
  ja: { other: "第#" },
  zh: { other: "第#" },
  ko: { other: "제#" },
  ar: { other: "#" },
  he: { other: "#" },
  hi: { one: "#ला", two: "#रा", few: "#था", many: "#ठा", other: "#वाँ" },
  ru: { other: "#-й" },
  uk: { other: "#-й" },
};
const POINT: OrdinalForms = { other: "#." };

function ordinalOf(number: number, locale: string): string {
  const { language } = new Intl.Locale(locale);
  const forms = ORDINALS[language] ?? POINT;
  const form =
    forms[ordinalRulesFor(locale).select(number)] ?? forms.other ?? "#";
  const figure = numberFormatFor(locale, "ordinal", { useGrouping: false });
  return form.replace("#", figure.format(number));
}

export const wordFilters = { words, ordinal };
