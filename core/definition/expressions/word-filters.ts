import { PlatenError } from "../../plugin-api/index.js";
import { isCurrency } from "../schema/known-values.js";
import {
  numberFormatFor,
  pluralRulesFor,
  safeLocale,
  ExactDecimal,
  toNumeric,
  type Numeric,
} from "./values.js";
import {
  argumentError,
  genderArgument,
  localeArgument,
  type FilterDefinition,
} from "./filter-definition.js";
import { MAX_AMOUNT } from "./invalid-values.js";
import {
  findNumberWriter,
  type Gender,
  isGender,
  WORD_LANGUAGES,
  type NumberWriter,
} from "./number-words.js";

/**
 * An amount in words with a fraction, as on a check: "one thousand two hundred thirty-four and 56/100", counted alone or
 * with the gender of the noun after it. The currency of the definition determines the number of decimals.
 */
const words: FilterDefinition = {
  usage: 'words("de-DE", "feminine")',
  min: 0,
  max: 2,
  takes: "amount",
  bind: (args) => {
    const [tag, second] = orderArguments(args);
    const gender = genderArgument(second);
    const locale = localeArgument(tag);
    const given = locale === undefined ? null : findNumberWriter(locale);
    if (locale !== undefined && !given) throw unknownLanguage(locale);
    return (value, context) => {
      const number = toNumeric(value);
      if (number === null || new ExactDecimal(number).abs().gte(MAX_AMOUNT))
        return value;
      const language = safeLocale(context.locale);
      const writer = given ?? findNumberWriter(language);
      if (!writer)
        throw new PlatenError(
          "merge_failed",
          unknownLanguage(language).message,
        );
      return inWords(number, getDecimals(context.currency), writer, gender);
    };
  },
  checkLocale: (args, locale) => {
    const [tag] = orderArguments(args);
    if (tag === undefined && !findNumberWriter(locale))
      throw unknownLanguage(locale);
  },
};

/** A gender may stand alone. */
function orderArguments(args: readonly unknown[]): readonly unknown[] {
  return isGender(args[0]) ? [args[1], args[0]] : args;
}

function unknownLanguage(locale: string): PlatenError {
  return argumentError(
    `The filter words cannot write numbers in the language "${locale}".`,
    `It writes ${WORD_LANGUAGES.join(", ")}. Name one of them, as in words("en"), or print the number in figures.`,
  );
}

function getDecimals(currency: string): number {
  if (!isCurrency(currency)) return 2;
  const options = { style: "currency", currency } as const;
  const format = numberFormatFor("en", `words ${currency}`, options);
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

function inWords(
  number: Numeric,
  decimals: number,
  { minus, write, and }: NumberWriter,
  gender: Gender | undefined,
): string {
  const amount = new ExactDecimal(number).toFixed(decimals);
  const [whole = "0", fraction = ""] = amount.replace("-", "").split(".");
  const sign = /^-.*[1-9]/.test(amount) ? minus : "";
  const text = sign + write(BigInt(whole), gender);
  if (Number(fraction) === 0) return text;
  return `${text} ${and}${fraction}/${10 ** decimals}`;
}

/** The ordinal of a whole number in digits: 1st, 2e, 3., 第4. */
const ordinal: FilterDefinition = {
  usage: 'ordinal("en-US")',
  min: 0,
  max: 1,
  takes: "ordinal",
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
