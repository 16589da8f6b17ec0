import { checkBudget } from "../../lib/time-budget.js";
import type { Problem } from "../../plugin-api/index.js";
import { findMessageProblem, type Translations } from "../expressions/index.js";
import type { ProjectData } from "../schema/definition-schema.js";
import { type Findings, listProblems, pathStep } from "./problems.js";

/** Second pass: checks the texts of the translations, and warns of those that a language lacks. */
export function checkTranslations(
  { translations = {} }: Pick<ProjectData, "translations">,
  parsed: Translations,
): Findings {
  const locales = Object.entries(translations);
  const problems = listProblems(locales, ([locale, texts]) => {
    const path = `$.translations${pathStep(locale)}`;
    return [
      ...findTwin(
        locale,
        locales.map(([tag]) => tag),
      ),
      ...listProblems(Object.entries(texts), ([key, text]) => {
        checkBudget();
        const problem = findMessageProblem(parsed, text);
        return problem ? [{ path: path + pathStep(key), ...problem }] : [];
      }),
    ];
  });
  const warnings = listProblems(locales, ([locale]) =>
    findMissing(locale, parsed),
  );
  return { problems, warnings };
}

/** The same locale, written in another way before. */
function findTwin(locale: string, all: readonly string[]): Problem[] {
  const [canonical] = Intl.getCanonicalLocales(locale);
  const twin = all
    .slice(0, all.indexOf(locale))
    .find((candidate) => Intl.getCanonicalLocales(candidate)[0] === canonical);
  if (twin === undefined) return [];
  return [
    {
      path: `$.translations${pathStep(locale)}`,
      code: "duplicate_id",
      message: `"${locale}" and "${twin}" are the same locale.`,
      hint: "Put all texts into one of them.",
    },
  ];
}

const MAX_LISTED = 5;

/** Where a language lacks a text, that of another language is printed. */
function findMissing(locale: string, translations: Translations): Problem[] {
  const missing: string[] = [];
  for (const key of translations.keys) {
    checkBudget();
    if (translations.find(key, locale)?.isForeign) missing.push(key);
  }
  if (missing.length === 0) return [];
  const listed = missing.slice(0, MAX_LISTED).join(", ");
  const more = missing.length - MAX_LISTED;
  return [
    {
      path: `$.translations${pathStep(locale)}`,
      code: "missing_translation",
      message: `There is no text for ${more > 0 ? `${listed} and ${more} more` : listed}. That of another language is printed.`,
      hint: "Add them.",
    },
  ];
}
