import { toCardinal as arabic } from "n2words/ar-SA";
import { toCardinal as czech } from "n2words/cs-CZ";
import { toCardinal as danish } from "n2words/da-DK";
import { toCardinal as german } from "n2words/de-DE";
import { toCardinal as british } from "n2words/en-GB";
import { toCardinal as indian } from "n2words/en-IN";
import { toCardinal as english } from "n2words/en-US";
import { toCardinal as spanish } from "n2words/es-ES";
import { toCardinal as finnish } from "n2words/fi-FI";
import { toCardinal as french } from "n2words/fr-FR";
import { toCardinal as hindi } from "n2words/hi-IN";
import { toCardinal as italian } from "n2words/it-IT";
import { toCardinal as japanese } from "n2words/ja-JP";
import { toCardinal as norwegian } from "n2words/nb-NO";
import { toCardinal as dutch } from "n2words/nl-NL";
import { toCardinal as polish } from "n2words/pl-PL";
import { toCardinal as portuguese } from "n2words/pt-PT";
import { toCardinal as swedish } from "n2words/sv-SE";
import { toCardinal as turkish } from "n2words/tr-TR";
import { toCardinal as chinese } from "n2words/zh-Hans-CN";
import { isCurrency } from "../schema/known-values.js";
import {
  numberFormatFor,
  pluralRulesFor,
  safeLocale,
  ExactDecimal,
  toNumeric,
  type Numeric,
} from "./values.js";
import { localeArgument, type FilterDefinition } from "./filter-definition.js";

/** Some languages have no words for larger numbers. */
const MAX_AMOUNT = 1e15;

/**
 * An amount in words with a fraction, as on a check: "one thousand two hundred thirty-four and 56/100". The currency of
 * the definition determines the number of decimals.
 */
const words: FilterDefinition = {
  usage: 'words("de-DE")',
  min: 0,
  max: 1,
  takes: "number",
  bind: ([tag]) => {
    const locale = localeArgument(tag);
    return (value, context) => {
      const number = toNumeric(value);
      if (number === null || new ExactDecimal(number).abs().gte(MAX_AMOUNT))
        return value;
      const decimals = getDecimals(context.currency);
      return inWords(number, decimals, locale ?? context.locale);
    };
  },
};

function getDecimals(currency: string): number {
  if (!isCurrency(currency)) return 2;
  const options = { style: "currency", currency } as const;
  const format = numberFormatFor("en", `words ${currency}`, options);
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

function inWords(number: Numeric, decimals: number, locale: string): string {
  const { words: say, joint } = findCardinal(safeLocale(locale));
  const [whole = "0", fraction = ""] = new ExactDecimal(number)
    .toFixed(decimals)
    .split(".");
  const amount = say(BigInt(whole));
  if (Number(fraction) === 0) return amount;
  return `${amount} ${joint}${fraction}/${10 ** decimals}`;
}

/** The ordinal of a whole number in digits: 1st, 2e, 3., 第4. */
const ordinal: FilterDefinition = {
  usage: 'ordinal("en-US")',
  min: 0,
  max: 1,
  takes: "number",
  bind: ([tag]) => {
    const locale = localeArgument(tag);
    return (value, context) => {
      const number = Number(toNumeric(value) ?? Number.NaN);
      if (!Number.isSafeInteger(number) || number < 0) return value;
      return formatOrdinal(number, safeLocale(locale ?? context.locale));
    };
  },
};

/** `#` is the number. Forms depend on the plural category of Intl. */
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

function formatOrdinal(number: number, locale: string): string {
  const { language } = new Intl.Locale(locale);
  const forms = ORDINALS[language] ?? POINT;
  const form =
    forms[pluralRulesFor(locale, "ordinal").select(number)] ??
    forms.other ??
    "#";
  const figure = numberFormatFor(locale, "ordinal", { useGrouping: false });
  return form.replace("#", figure.format(number));
}

export const wordFilters = { words, ordinal };

/** How a language spells whole numbers, and the word that joins a fraction ("and 56/100"). */
interface Cardinal {
  readonly words: (whole: bigint) => string;
  readonly joint: string;
}

const ENGLISH: Cardinal = { words: english, joint: "and " };

const cardinals: Readonly<Record<string, Cardinal>> = {
  ar: { words: arabic, joint: "و " },
  cs: { words: czech, joint: "a " },
  da: { words: danish, joint: "og " },
  de: { words: german, joint: "und " },
  en: ENGLISH,
  "en-GB": { words: british, joint: "and " },
  "en-IN": { words: indian, joint: "and " },
  es: { words: spanish, joint: "con " },
  fi: { words: finnish, joint: "ja " },
  fr: { words: french, joint: "et " },
  hi: { words: hindi, joint: "और " },
  it: { words: italian, joint: "e " },
  ja: { words: japanese, joint: "" },
  nb: { words: norwegian, joint: "og " },
  nl: { words: dutch, joint: "en " },
  no: { words: norwegian, joint: "og " },
  pl: { words: polish, joint: "i " },
  pt: { words: portuguese, joint: "e " },
  sv: { words: swedish, joint: "och " },
  tr: { words: turkish, joint: "" },
  zh: { words: chinese, joint: "" },
};

/** Falls back to English. */
function findCardinal(locale: string): Cardinal {
  const { language } = new Intl.Locale(locale);
  return cardinals[locale] ?? cardinals[language] ?? ENGLISH;
}
