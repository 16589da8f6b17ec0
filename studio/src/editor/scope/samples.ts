import type { DraftAnalysis } from "../../../../core/compiler/views.js";
import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import { keysOf } from "./path-text.js";
import { outward, type RepeatScope, scopeNamed } from "./symbol-table.js";
import { t } from "../../messages/index.js";

/** The sources of sample values. */
export interface Samples {
  definition: ProjectData;
  facts: DraftAnalysis | null;
}

/** The sample's value at a path; inside a collection, that of the first iteration. */
export function getSampleAt(
  samples: Samples,
  scope: RepeatScope | null,
  keys: readonly string[],
): unknown {
  const [first, ...rest] = keys;
  if (first === undefined) return undefined;
  if (first === "root") return read(samples.definition.sample, rest);
  const owner = scopeNamed(first, scope);
  if (!owner) return findByBareName(samples, scope, keys);
  const repeatVariables = { number: 1, index: 0, first: true, last: false };
  const round = getFirstIteration(samples, owner);
  const value = read(round, rest);
  const [name] = rest;
  return value === undefined && rest.length === 1
    ? new Map<string | undefined, unknown>(Object.entries(repeatVariables)).get(
        name,
      )
    : value;
}

function findByBareName(
  samples: Samples,
  scope: RepeatScope | null,
  keys: readonly string[],
): unknown {
  const rounds = outward(scope).map((repeatScope) =>
    getFirstIteration(samples, repeatScope),
  );
  for (const start of [...rounds, samples.definition.sample]) {
    const value = read(start, keys);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The first iteration as the server evaluated it, else the first element before filtering and sorting. */
export function getFirstIteration(
  samples: Samples,
  scope: RepeatScope,
): unknown {
  const first = samples.facts?.repeats[scope.ownerId]?.first;
  if (first !== undefined && first !== null) return first;
  const element = getFirstElement(samples, scope);
  const { groupBy, path, entries } = scope.collection;
  if (!groupBy || element === undefined) return element;
  const items = entries
    ? [element]
    : getSampleAt(samples, scope.parent, keysOf(path) ?? []);
  return { key: read(element, keysOf(groupBy.field) ?? []), items };
}

/** The first element of the unfiltered list, or the first key of an object with its value. */
export function getFirstElement(samples: Samples, scope: RepeatScope): unknown {
  const { path, entries } = scope.collection;
  const value = getSampleAt(samples, scope.parent, keysOf(path) ?? []);
  if (entries) {
    const isObject = typeof value === "object" && value !== null;
    const [entry]: [string, unknown][] = isObject ? Object.entries(value) : [];
    return entry && { key: entry[0], value: entry[1] };
  }
  if (!Array.isArray(value)) return value;
  const [first]: unknown[] = value;
  return first;
}

/** Reads own properties only; a list is mapped. */
function read(start: unknown, keys: readonly string[]): unknown {
  return keys.reduce(readKey, start);
}

function readKey(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) && !/^\d+$/.test(key)) {
    const values = value.flatMap((item: unknown) => readKey(item, key) ?? []);
    return values.length > 0 ? values : undefined;
  }
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

const maxLength = 60;
const isoDate = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** A sample value as a short text; empty for none. */
export function formatSample(value: unknown, locale = "en-US"): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return t("paths.entries", { count: value.length });
  if (typeof value === "object") return "";
  if (typeof value === "number")
    return value.toLocaleString(knownLocale(locale), {
      maximumFractionDigits: 6,
    });
  if (typeof value === "boolean") return value ? t("paths.yes") : t("paths.no");
  const text = typeof value === "string" ? value : "";
  return isDate(text) ? formatDate(text, locale) : shorten(text);
}

export function isDate(value: unknown): boolean {
  return (
    typeof value === "string" &&
    isoDate.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

function formatDate(text: string, locale: string): string {
  const timeZone = "UTC";
  const form = new Intl.DateTimeFormat(knownLocale(locale), {
    dateStyle: "medium",
    timeZone,
  });
  return form.format(Date.parse(text));
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= maxLength) return line;
  return `${Array.from(line)
    .slice(0, maxLength - 1)
    .join("")}…`;
}

/** A definition may contain an invalid locale while it is being edited. */
export function knownLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? "en-US";
  } catch {
    return "en-US";
  }
}
