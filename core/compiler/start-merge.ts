import {
  compileComputedFields,
  compileText,
  rootScope,
  rootTypes,
  type Scope,
  type ScopeTypes,
} from "../definition/expressions/index.js";
import {
  getDefaultLocale,
  getTranslations,
  isLocaleFromRecord,
} from "../definition/locale.js";
import { isKnownLocale } from "../definition/schema/primitives.js";
import type { ProjectData } from "../definition/schema/definition-schema.js";
import { checkBudget } from "../lib/time-budget.js";
import { PlatenError } from "../plugin-api/index.js";
import type { MergedTexts, MergeOptions } from "./program.js";
import { Run } from "./merge-run.js";

/**
 * Starts a merge: checks the record and creates the root scope and the run.
 * @throws PlatenError `merge_failed` when the data is not an object
 */
export type StartMerge = (
  data: unknown,
  options: MergeOptions,
) => { root: Scope; run: Run };

/**
 * Compiles what all parts of a program share: the computed fields, the translations, and the language of a document.
 * @throws PlatenError `invalid_definition`
 */
export function compileStart(
  definition: Omit<ProjectData, "components">,
): StartMerge {
  const { schema, currency = "USD", timeZone = "UTC" } = definition;
  const locale = getDefaultLocale(definition);
  const translations = getTranslations(definition);
  const addComputed = compileComputedFields(schema);
  const readLocale = isLocaleFromRecord(definition)
    ? compileRecordLocale(definition.locale ?? "", rootTypes(schema), locale)
    : null;
  return (data, options) => {
    checkRecord(data);
    const run = new Run(options);
    const { now } = options;
    const start = (language: string) => {
      const settings = { locale: language, currency, timeZone, now };
      const context = run.context({ ...settings, translations });
      return rootScope(data, context, addComputed);
    };
    // What the record's locale is computed from is formatted in the default locale, and not kept.
    const chosen =
      options.locale ?? (readLocale ? readLocale(start(locale)) : locale);
    return { root: start(chosen), run };
  };
}

const LOCALE_PATH = "$.locale";

/** Reads the locale from the record: one that is missing or empty is the default, and an unknown one is reported. */
function compileRecordLocale(
  source: string,
  types: ScopeTypes,
  defaultLocale: string,
): (root: Scope) => string {
  const write = compileText(source, LOCALE_PATH, types);
  return (root) => {
    const text = write(root, "plain").trim();
    // Many programs write de_DE.
    const locale = text.replaceAll("_", "-");
    if (text === "") return defaultLocale;
    if (isKnownLocale(locale)) return locale;
    const expression = source.replace(/^\s*\{\{\s*|\s*\}\}\s*$/g, "");
    root.context.onInvalid(expression, LOCALE_PATH, "locale", text);
    return defaultLocale;
  };
}

const REFUSED_KEYS = new Set(["__proto__", "constructor", "prototype"]);

const MAX_DEPTH = 200;

/**
 * Checks that a record is a JSON object without keys that could reach a prototype, at any depth.
 * @throws PlatenError `merge_failed`
 */
function checkRecord(data: unknown): void {
  if (!isObject(data) || Array.isArray(data))
    throw refused(
      "The data of a document must be a JSON object: one record becomes one document.",
    );
  let level = [data];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH)
      throw refused(`The data is nested more than ${MAX_DEPTH} levels deep.`);
    checkBudget();
    const next: Branch[] = [];
    for (const value of level) pushParts(value, next, data);
    level = next;
  }
}

/** A JSON object or array. */
type Branch = Readonly<Record<string, unknown>>;

function pushParts(value: Branch, parts: Branch[], data: Branch): void {
  const isList = Array.isArray(value);
  for (const key of Object.keys(value)) {
    if (!isList && REFUSED_KEYS.has(key))
      throw refused(
        `The data has the key "${key}" at ${pathTo(value, data, "$")}.${key}, which is not allowed. Rename it.`,
      );
    const part = value[key];
    if (isObject(part)) parts.push(part);
  }
}

/** Computed only for the error message. */
function pathTo(sought: Branch, value: unknown, path: string): string | null {
  if (value === sought) return path;
  if (!isObject(value)) return null;
  for (const [key, part] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : `.${key}`;
    const innerPath = pathTo(sought, part, path + step);
    if (innerPath !== null) return innerPath;
  }
  return null;
}

function isObject(value: unknown): value is Branch {
  return typeof value === "object" && value !== null;
}

function refused(message: string): PlatenError {
  return new PlatenError("merge_failed", message);
}

export function mergeTexts(
  definition: ProjectData,
  sources: Readonly<Record<string, string>>,
  data: unknown,
  options: MergeOptions,
): MergedTexts {
  const types = rootTypes(definition.schema);
  const { root, run } = compileStart(definition)(data, options);
  const merged = Object.entries(sources).map(([path, source]) => [
    path,
    compileText(source, path, types)(root, "plain"),
  ]);
  assertNumbered(run);
  const { missing } = run.report();
  return { values: Object.fromEntries(merged), missing };
}

/** @throws PlatenError `merge_failed` for a text with a number that its document does not have */
export function assertNumbered({ sequences }: Pick<Run, "sequences">): void {
  const [use] = sequences;
  if (use)
    throw new PlatenError(
      "merge_failed",
      `The document has no number of the sequence "${use.name}". A number is taken when a document prints it: write sequence("${use.name}", "${use.pattern}") in its template, best as a computed field that all texts use.`,
    );
}
