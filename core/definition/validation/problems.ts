import { type Problem, suggestNames } from "../../plugin-api/index.js";
import type { BindingReport, PathRead } from "../expressions/index.js";

/** A path that is read, with the JSON path of the string that contains it. */
export interface FoundRead extends PathRead {
  path: string;
}

/** The results of the checks, in order. */
export interface Findings {
  problems: Problem[];
  warnings: Problem[];
  /** Collected only when set. */
  reads?: FoundRead[];
}

/** Creates a report that adds the JSON path to the problems of expressions. */
export function reportAt(findings: Findings, path: string): BindingReport {
  return {
    error: (problem) => findings.problems.push({ path, ...problem }),
    warning: (problem) => findings.warnings.push({ path, ...problem }),
    read: (read) => findings.reads?.push({ path, ...read }),
    at: (suffix) => reportAt(findings, path + suffix),
  };
}

/** Formats a path as JSONPath: */
export function jsonPath(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => path + pathStep(key), "$");
}

/** Formats one step of a path: */
export function pathStep(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  const name = String(key);
  return /^[A-Za-z_$][\w$]*$/.test(name)
    ? `.${name}`
    : `[${JSON.stringify(name)}]`;
}

/** Returns the value at a path, reading own properties only; undefined when there is none. */
export function valueAt(root: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null) return undefined;
    return Object.getOwnPropertyDescriptor(value, key)?.value as unknown;
  }, root);
}

/** Parses a path that `jsonPath` formatted. */
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

/** A hint with the nearest names. */
export function suggestion(name: string, known: readonly string[]): string {
  return suggestNames(name, known) || "Remove it.";
}
