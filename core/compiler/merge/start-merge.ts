import { rootScope, type Scope } from "../../definition/expressions/index.js";
import type { ProjectData } from "../../definition/schema/definition-schema.js";
import { PlatenError } from "../../plugin-api/index.js";
import { getLocale } from "../locale.js";
import { type MergeOptions, Run } from "./run.js";

/**
 * Starts a merge: checks the record and creates the root scope and the run.
 * @throws PlatenError `merge_failed` when the data is not an object
 */
export function startMerge(
  definition: ProjectData,
  data: unknown,
  options: MergeOptions,
): { root: Scope; run: Run } {
  checkRecord(data);
  const run = new Run(options);
  const context = run.context({ ...getLocale(definition), now: options.now });
  return { root: rootScope(data, context), run };
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
        `The data has the key "${key}" at ${pathTo(value, data, "$")}, which is not allowed. Rename it.`,
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
    const found = pathTo(sought, part, path + step);
    if (found !== null) return found;
  }
  return null;
}

function isObject(value: unknown): value is Branch {
  return typeof value === "object" && value !== null;
}

function refused(message: string): PlatenError {
  return new PlatenError("merge_failed", message);
}
