// Writes core/definition/expressions/date-words.json from the locales of date-fns, which it installs for itself:
// `npm run date-words`. The fields are described at `DateWords` in date-filter.ts.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const VERSION = "4.4.0"; // also in date-words.license.txt
const folder = resolve(".cache/date-words");
const target = "core/definition/expressions/date-words.json";

/** Variants that no tag of a locale asks for. */
const LEFT_OUT = ["be-tarask", "de-AT", "ja-Hira"];
/** Where date-fns names a locale in another way than `findWords` looks it up. */
const TAGS = {
  "en-US": ["en"],
  "fa-IR": ["fa"],
  nb: ["nb", "no"],
  "zh-CN": ["zh"],
  "zh-TW": ["zh-Hant"],
};
/** Languages whose ordinals follow the rules of another, since Intl has none for them. */
const RULES = { bg: "mk" };
/** Tokens whose names in Intl are not those in use: figures, other forms or none at all. */
const NAMED = {
  az: ["MMMMM", "LLLLL"],
  bg: ["MMM", "MMMMM", "LLL", "LLLLL"],
  ca: ["MMM", "MMMM"],
  cs: ["MMMMM", "LLLLL"],
  el: ["LLLL"],
  fi: ["EEEE"],
  gd: ["MMMM"],
  ja: ["MMMMM", "LLLLL"],
  ko: ["MMMMM", "LLLLL"],
  lt: ["MMM", "MMMMM", "LLL", "LLLLL", "EEEE"],
  lv: ["MMMM", "EEEE", "cccc"],
  oc: ["MMM", "MMMM", "MMMMM", "LLL", "LLLL", "LLLLL"],
  pt: ["EEE", "ccc"],
  th: ["EEE", "EEEE", "ccc", "cccc"],
  ug: ["MMMMM", "LLLLL"],
  zh: ["MMMMM", "LLLLL"],
};

const DIGITS = ["latn", "arab", "arabext", "beng", "deva", "gujr", "khmr"];

/** As in date-filter.ts: a token without names of its own has those of another, or figures. */
const SAME_NAMES = {
  qqq: "QQQ",
  qqqq: "QQQQ",
  qqqqq: "QQQQQ",
  BBBB: "BBB",
  BBBBB: "BBB",
};
const NO_NAMES = { QQQQQ: "1|2|3|4" };

const WIDTHS = ["short", "medium", "long", "full"];
const UNITS = [
  "year",
  "quarter",
  "month",
  "week",
  "date",
  "dayOfYear",
  "day",
  "hour",
  "minute",
  "second",
];
const DAY_PERIODS = [
  "am",
  "pm",
  "midnight",
  "noon",
  "morning",
  "afternoon",
  "evening",
  "night",
];
const MONTHS = Array.from({ length: 12 }, (_, month) => month);
const DAYS = Array.from({ length: 7 }, (_, day) => day);
const NAME_WIDTHS = { 3: "abbreviated", 4: "wide", 5: "narrow", 6: "short" };

mkdirSync(folder, { recursive: true });
writeFileSync(resolve(folder, "package.json"), '{ "private": true }\n');
execFileSync("npm", ["install", "--no-audit", `date-fns@${VERSION}`], {
  cwd: folder,
  stdio: ["ignore", "ignore", "inherit"],
});
const locales = createRequire(`${folder}/`)("date-fns/locale");

const words = {};
for (const locale of Object.values(locales)) {
  if (LEFT_OUT.includes(locale.code)) continue;
  for (const tag of TAGS[locale.code] ?? [locale.code])
    words[tag] = describeLocale(locale, tag);
}
const tags = Object.keys(words).toSorted();
const shortened = tags.map((tag) => [tag, withoutInherited(tag)]);
writeFileSync(
  target,
  `${JSON.stringify(Object.fromEntries(shortened), null, 2)}\n`,
);
execFileSync("node_modules/.bin/prettier", ["--write", target]);

function describeLocale(locale, tag) {
  const { options, formatLong, localize } = locale;
  const ordinals = describeOrdinals(localize, tag);
  return {
    week: `${options.weekStartsOn} ${options.firstWeekContainsDate}`,
    dates: WIDTHS.map((width) => formatLong.date({ width })).join("|"),
    times: WIDTHS.map((width) => formatLong.time({ width })).join("|"),
    joins: describeJoins(formatLong),
    ...ordinals,
    ...(RULES[tag] && { rules: RULES[tag] }),
    ...(localize.preprocessor && { plainDay: true }),
    names: describeNames(localize, tag),
  };
}

function describeJoins(formatLong) {
  const all = WIDTHS.map((width) =>
    formatLong.dateTime({ width }).replace(/\{\{(\w+)\}\}/g, "{$1}"),
  );
  const isShared = all[0] === all[1] && all[2] === all[3];
  return (isShared ? [all[0], all[2]] : all).join("|");
}

/** The form of most units, and those of the units that differ. */
function describeOrdinals(localize, tag) {
  const forms = new Map(
    UNITS.map((unit) => [unit, findForms(localize, unit, tag)]),
  );
  const ordinal = findMostCommon([...forms.values()]);
  const units = new Map();
  for (const [unit, form] of forms)
    if (form !== ordinal) units.set(form, [...(units.get(form) ?? []), unit]);
  const ordinals = [...units].map(([form, names]) => [
    names.join(" "),
    JSON.parse(form),
  ]);
  return {
    ordinal: JSON.parse(ordinal),
    ...(ordinals.length > 0 && { ordinals: Object.fromEntries(ordinals) }),
  };
}

/** JSON of one form, or of one for each plural category and for each small number that has another. */
function findForms(localize, unit, tag) {
  const categories = new Intl.PluralRules(RULES[tag] ?? tag, {
    type: "ordinal",
  });
  const length = unit === "date" ? 31 : 100;
  const forms = Array.from({ length }, (_, number) =>
    toForm(localize.ordinalNumber(number, { unit }), number),
  );
  if (new Set(forms).size === 1) return JSON.stringify(forms[0]);
  const common = {};
  forms.forEach((form, number) => {
    common[categories.select(number)] = form; // the largest number's stays
  });
  const single = forms
    .slice(0, 20)
    .map((form, number) => [number, form])
    .filter(([number, form]) => common[categories.select(number)] !== form);
  return JSON.stringify({
    ...Object.fromEntries(single),
    ...withoutOther(common),
  });
}

/** Categories with the form of `other` need not be named. */
function withoutOther(common) {
  return Object.fromEntries(
    Object.entries(common).filter(
      ([category, form]) => category === "other" || form !== common.other,
    ),
  );
}

/** `#` in place of the number, which some locales write in their own digits. */
function toForm(text, number) {
  const written = DIGITS.map((digits) =>
    new Intl.NumberFormat("en", { numberingSystem: digits }).format(number),
  ).find((digits) => String(text).includes(digits));
  const form = written ? String(text).replace(written, "#") : String(text);
  return form.normalize();
}

function findMostCommon(values) {
  const count = (value) => values.filter((other) => other === value).length;
  return values.reduce((best, value) =>
    count(value) > count(best) ? value : best,
  );
}

/** What Intl has no names for. */
function describeNames(localize, tag) {
  const names = {};
  const list = (letter, length, method, values, context) => {
    const token = letter.repeat(length);
    const width = NAME_WIDTHS[length];
    const found = values.map((value) =>
      localize[method](value, { width, context }),
    );
    if (isListed(token, tag))
      names[token] = found.join("|").replaceAll("\u200b", "");
  };
  for (const length of [3, 4, 5]) {
    for (const [letter, context] of [
      ["Q", "formatting"],
      ["q", "standalone"],
    ])
      list(letter, length, "quarter", [1, 2, 3, 4], context);
    list("M", length, "month", MONTHS, "formatting");
    list("L", length, "month", MONTHS, "standalone");
    list("E", length, "day", DAYS, "formatting");
    list("c", length, "day", DAYS, "standalone");
    list("B", length, "dayPeriod", DAY_PERIODS, "formatting");
    list("G", length, "era", [0, 1]);
  }
  list("E", 6, "day", DAYS, "formatting");
  return names;
}

/** English lists all names, because languages without words print in English. Haitian does too, because Intl does not know it. */
function isListed(token, tag) {
  const isInIntl = /^[MLEcG]/.test(token) && token !== "EEEEEE";
  if (!isInIntl || tag === "en" || tag === "ht") return true;
  return (NAMED[tag] ?? []).includes(token);
}

/** Without what `findWords` takes from the language or from English. */
function withoutInherited(tag) {
  const own = words[tag];
  const parent = tag.includes("-") ? words[tag.replace(/-.*/, "")] : null;
  const inherited = { ...words.en, ...parent };
  const { names, ...rest } = own;
  const differing = Object.entries(rest).filter(
    ([key, value]) =>
      tag === "en" || JSON.stringify(inherited[key]) !== JSON.stringify(value),
  );
  const listed = Object.entries(names).filter(([token, value]) => {
    const other = parent?.names[token];
    return other === undefined
      ? value !== (names[SAME_NAMES[token]] ?? NO_NAMES[token])
      : value !== other;
  });
  return {
    ...Object.fromEntries(differing),
    ...(listed.length > 0 && { names: Object.fromEntries(listed) }),
  };
}
