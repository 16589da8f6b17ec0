import numberWords from "./number-words.json" with { type: "json" };
import { pluralRulesFor } from "./values.js";

/**
 * Rules for numbers in words, in the notation of Unicode's rule-based number formats
 * (https://unicode.org/reports/tr35/tr35-numbers.html#Rule-Based_Number_Formatting): `2000:←%count← mil[ →→]` is for
 * numbers from 2000, divided by 1000; ← is the quotient and → the remainder, written by the rules between the arrows or
 * else by the same ones; = is the number itself; what is in brackets is left out when nothing remains; an apostrophe
 * keeps the space after it. The rules are those of CLDR 48.2.0 with corrections. A number begins at `main`; before a noun,
 * at the noun's gender, or at `common` for a masculine or feminine one, if the language has these rules.
 */
interface Language {
  readonly minus: string;
  /** Before the fraction of an amount: "and " in "and 56/100". */
  readonly and: string;
  readonly rules: Readonly<Record<string, string>> & { readonly main: string };
}

const languages: Readonly<Record<string, Language>> = numberWords;

/** The languages whose numbers can be written in words, without variants of a region. */
export const WORD_LANGUAGES = Object.keys(languages).filter(
  (tag) => !tag.includes("-"),
);

export const GENDERS = ["masculine", "feminine", "neuter"] as const;
/** Of the noun that a number stands before: `veintiuna` libras. */
export type Gender = (typeof GENDERS)[number];

export function isGender(value: unknown): value is Gender {
  return GENDERS.some((gender) => gender === value);
}

export interface NumberWriter {
  readonly minus: string;
  readonly and: string;
  /** Takes whole numbers from 0 to 10^15. */
  readonly write: (whole: bigint, gender?: Gender) => string;
}

const writers = new Map<string, NumberWriter>();

/** How a locale writes numbers in words; null for a language whose words are unknown. */
export function findNumberWriter(locale: string): NumberWriter | null {
  const tag = findVariant(locale);
  const language = tag === null ? undefined : languages[tag];
  if (tag === null || !language) return null;
  const cached = writers.get(tag);
  if (cached) return cached;
  const writer = createWriter(tag, language);
  writers.set(tag, writer);
  return writer;
}

/** Where a language is not spoken in one way: the regions of a variant, or those that have none. */
const VARIANTS: Readonly<Record<string, (region: string) => string>> = {
  de: (region) => (/CH|LI/.test(region) ? "de-CH" : "de"),
  en: (region) => {
    if (region === "IN") return "en-IN";
    return /AS|CA|GU|MP|PH|PR|UM|US|VI/.test(region) ? "en" : "en-GB";
  },
  fr: (region) => (/BE|CH/.test(region) ? `fr-${region}` : "fr"),
  no: () => "nb",
  pt: (region) => (region === "BR" ? "pt" : "pt-PT"),
};

function findVariant(locale: string): string | null {
  const { language, script, region = "" } = new Intl.Locale(locale).maximize();
  if (language === "zh" && script === "Hant") return "zh-Hant";
  if (script !== new Intl.Locale(language).maximize().script) return null;
  return VARIANTS[language]?.(region) ?? language;
}

interface Rule {
  readonly from: bigint;
  readonly divisor: bigint;
  readonly text: string;
}

function createWriter(
  tag: string,
  { and, minus, rules }: Language,
): NumberWriter {
  const sets = new Map(
    Object.entries(rules).map(([name, text]) => [
      name,
      text.split(";").map(parseRule),
    ]),
  );
  const plurals = pluralRulesFor(tag, "cardinal");
  const spell = (set: string, number: bigint): string => {
    const { divisor, text } = findRule(sets.get(set) ?? [], number);
    const quotient = number / divisor;
    const rest = number % divisor;
    return text
      .replaceAll(/\[([^\]]*)\]/g, (_, part: string) => (rest ? part : ""))
      .replaceAll(/\$\(cardinal,(.*?)\)\$/g, (_, forms: string) => {
        const category = plurals.select(Number(quotient));
        const form = forms.match(`${category}{(.*?)}`);
        return (form ?? forms.match("other{(.*?)}"))?.[1] ?? "";
      })
      .replaceAll(
        /([←→=])(?:%([\w-]+))?\1/g,
        (_, sign: string, name: string = set) => {
          if (sign === "=") return spell(name, number);
          return spell(name, sign === "←" ? quotient : rest);
        },
      );
  };
  const write = (whole: bigint, gender?: Gender) => {
    const names = [gender ?? "main", gender === "neuter" ? "main" : "common"];
    return spell(names.find((name) => sets.has(name)) ?? "main", whole);
  };
  return { minus, and, write };
}

function parseRule(source: string): Rule {
  const [, from = "0", radix = "10", text = ""] =
    /^(\d+)(?:\/(\d+))?:'?([^]*)$/.exec(source) ?? [];
  let divisor = 1n;
  while (divisor * BigInt(radix) <= BigInt(from)) divisor *= BigInt(radix);
  return { from: BigInt(from), divisor, text };
}

/** The last rule that begins at the number or before; a rule for what has a remainder yields to the one before it. */
function findRule(rules: readonly Rule[], number: bigint): Rule {
  const at = rules.findLastIndex(({ from }) => from <= number);
  const rule = rules[at] ?? { from: 0n, divisor: 1n, text: "" };
  const needsRest = rule.from % rule.divisor !== 0n && /←.*→/.test(rule.text);
  const before = rules[at - 1];
  return needsRest && number % rule.divisor === 0n && before ? before : rule;
}
