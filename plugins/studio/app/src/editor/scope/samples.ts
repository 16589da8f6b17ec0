import type { DraftFacts } from "../../../../../../core/plugin-api/app-drafts.js";
import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import { keysOf } from "./path-text.js";
import { outward, type RepeatScope, scopeNamed } from "./symbol-table.js";

/** Where samples are taken from. */
export interface Samples {
  definition: ProjectData;
  facts: DraftFacts | null;
}

/** What stands at a path in the sample; within a collection, in its first round. */
export function sampleAt(
  samples: Samples,
  scope: RepeatScope | null,
  keys: readonly string[],
): unknown {
  const [first, ...rest] = keys;
  if (first === undefined) return undefined;
  if (first === "root") return read(samples.definition.sample, rest);
  const owner = scopeNamed(first, scope);
  if (!owner) return sampleOfName(samples, scope, keys);
  const own = { number: 1, index: 0, first: true, last: false };
  const round = roundOf(samples, owner);
  const found = read(round, rest);
  const [name] = rest;
  return found === undefined && rest.length === 1
    ? new Map<string | undefined, unknown>(Object.entries(own)).get(name)
    : found;
}

function sampleOfName(
  samples: Samples,
  scope: RepeatScope | null,
  keys: readonly string[],
): unknown {
  const rounds = outward(scope).map((one) => roundOf(samples, one));
  for (const start of [...rounds, samples.definition.sample]) {
    const found = read(start, keys);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first round of a collection, as the service counted it, or as it is before filters and order. */
export function roundOf(samples: Samples, scope: RepeatScope): unknown {
  const first = samples.facts?.repeats[scope.ownerId]?.first;
  if (first !== undefined && first !== null) return first;
  const element = elementOf(samples, scope);
  const { groupBy, path } = scope.collection;
  if (!groupBy || element === undefined) return element;
  const items = sampleAt(samples, scope.parent, keysOf(path) ?? []);
  return { key: read(element, keysOf(groupBy.field) ?? []), items };
}

/** The first element, before anything is done to the list. */
export function elementOf(samples: Samples, scope: RepeatScope): unknown {
  const { path } = scope.collection;
  const value = sampleAt(samples, scope.parent, keysOf(path) ?? []);
  if (!Array.isArray(value)) return value;
  const [first]: unknown[] = value;
  return first;
}

/** Own fields alone; a list is gone through. */
function read(start: unknown, keys: readonly string[]): unknown {
  return keys.reduce(readKey, start);
}

function readKey(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) && !/^\d+$/.test(key)) {
    const found = value.flatMap((one: unknown) => readKey(one, key) ?? []);
    return found.length > 0 ? found : undefined;
  }
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

const longest = 60;
const isoDate = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** A sample as a short text, to recognise it by; empty for nothing. */
export function sampleText(value: unknown, locale = "en-US"): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value))
    return value.length === 1 ? "1 entry" : `${value.length} entries`;
  if (typeof value === "object") return "";
  if (typeof value === "number")
    return value.toLocaleString(knownLocale(locale), {
      maximumFractionDigits: 6,
    });
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = typeof value === "string" ? value : "";
  return isDate(text) ? dateText(text, locale) : shortened(text);
}

export function isDate(value: unknown): boolean {
  return (
    typeof value === "string" &&
    isoDate.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

function dateText(text: string, locale: string): string {
  const timeZone = "UTC";
  const form = new Intl.DateTimeFormat(knownLocale(locale), {
    dateStyle: "medium",
    timeZone,
  });
  return form.format(Date.parse(text));
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= longest) return line;
  return `${Array.from(line)
    .slice(0, longest - 1)
    .join("")}…`;
}

/** A definition may name a locale that is none while it is worked on. */
export function knownLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? "en-US";
  } catch {
    return "en-US";
  }
}
