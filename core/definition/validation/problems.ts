import { type Problem, nearestWord } from "../../plugin-api/index.js";
import type { BindingReport, PathRead } from "../expressions/index.js";

/** A path that is read, and the JSON path of the string in which it is written. */
export interface FoundRead extends PathRead {
  path: string;
}

/** What a check found, in the order in which it was found. */
export interface Findings {
  problems: Problem[];
  warnings: Problem[];
  /** For those who ask what a definition reads. */
  reads?: FoundRead[];
}

/** A report for the binding, whose problems know their place in a string but not in the definition. */
export function reportAt(findings: Findings, path: string): BindingReport {
  return {
    error: (problem) => findings.problems.push({ path, ...problem }),
    warning: (problem) => findings.warnings.push({ path, ...problem }),
    read: (read) => findings.reads?.push({ path, ...read }),
    at: (suffix) => reportAt(findings, path + suffix),
  };
}

/** Writes a path as JSONPath does: `$.components[0].text`, `$.styles["my style"]`. */
export function jsonPath(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => path + pathStep(key), "$");
}

/** One step of it: `.text`, `[0]`, `["font-size"]`. */
export function pathStep(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  const name = String(key);
  return /^[A-Za-z_$][\w$]*$/.test(name)
    ? `.${name}`
    : `[${JSON.stringify(name)}]`;
}

/** The value that a path leads to, read by own properties; undefined when it leads nowhere. */
export function valueAt(root: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null) return undefined;
    return Object.getOwnPropertyDescriptor(value, key)?.value as unknown;
  }, root);
}

/** The keys of a path that `jsonPath` wrote. */
export function pathKeys(path: string): (string | number)[] {
  const steps = path.matchAll(
    /\.(?<name>[A-Za-z_$][\w$]*)|\[(?<index>\d+)\]|\[(?<quoted>"(?:[^"\\]|\\.)*")\]/g,
  );
  return Array.from(steps, ({ groups = {} }) => {
    const { name, index, quoted = '""' } = groups;
    if (index !== undefined) return Number(index);
    return name ?? String(JSON.parse(quoted));
  });
}

/** A hint in words: the nearest name, or else the whole list when it is short enough to read. */
export function suggestion(name: string, known: readonly string[]): string {
  const meant = nearestWord(name, known);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  if (known.length === 0) return "Remove it.";
  return `Allowed values are ${known.join(", ")}.`;
}
