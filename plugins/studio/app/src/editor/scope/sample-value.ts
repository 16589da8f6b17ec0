import type { DraftFacts } from "../../../../../../core/plugin-api/app-drafts.js";
import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import { keysOf } from "./path-text.js";
import { outward, type RepeatScope, scopeNamed } from "./scope-book.js";

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
