import {
  type Problem,
  describeProblem,
  suggestNames,
} from "../../plugin-api/index.js";
import type {
  BindingProblem,
  BindingReport,
  PathRead,
} from "../expressions/index.js";

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

const MAX_PROBLEMS = 1000;
/** After so many, a check ends: nobody fixes them one by one. */
const MAX_COUNTED = 10_000;
const MAX_PATH = 1000;
const MAX_TEXT = 4000;

/**
 * At most a thousand of the problems, the last of which then says how many more there are. Texts that repeat what was
 * written are cut, so that the list is never much longer than the definition.
 */
export function limitProblems(
  problems: readonly Problem[],
  what: "problems" | "warnings",
): Problem[] {
  const isWhole = problems.length <= MAX_PROBLEMS;
  const listed = problems.slice(0, isWhole ? MAX_PROBLEMS : MAX_PROBLEMS - 1);
  const limited = listed.map(limitTexts);
  const more = problems.length - listed.length;
  const atLeast = problems.length >= MAX_COUNTED ? "at least " : "";
  if (more > 0)
    limited.push({
      path: "$",
      code: `more_${what}`,
      message: `There are ${atLeast}${more} more ${what}, which are not listed.`,
      hint: "Fix those that are listed first.",
    });
  return limited;
}

function limitTexts(problem: Problem): Problem {
  const { path, message, hint = "", expression = "" } = problem;
  const longest = Math.max(message.length, hint.length, expression.length);
  if (path.length <= MAX_PATH && longest <= MAX_TEXT) return problem;
  return {
    ...problem,
    path: cut(path, MAX_PATH),
    message: cut(message, MAX_TEXT),
    ...(hint && { hint: cut(hint, MAX_TEXT) }),
    ...(expression && { expression: cut(expression, MAX_TEXT) }),
  };
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

/**
 * Creates a report that adds the JSON path to the problems of expressions. A mistake that a text repeats is reported
 * once, at its first place.
 */
export function reportAt(findings: Findings, path: string): BindingReport {
  const reported = new Set<string>();
  const addOnce = (list: Problem[], problem: BindingProblem) => {
    const said = describeProblem({ path, ...problem });
    if (!reported.has(said)) add(list, { path, ...problem });
    reported.add(said);
  };
  return {
    error: (problem) => addOnce(findings.problems, problem),
    warning: (problem) => addOnce(findings.warnings, problem),
    read: (read) => findings.reads?.push({ path, ...read }),
    at: (suffix) => reportAt(findings, path + suffix),
  };
}

/** Adds one problem, by default to the errors. */
export function reportProblem(
  findings: Findings,
  problem: Problem,
  list: Problem[] = findings.problems,
): void {
  add(list, problem);
}

class TooManyProblems extends Error {}

function add(list: Problem[], problem: Problem): void {
  list.push(problem);
  if (list.length >= MAX_COUNTED) throw new TooManyProblems();
}

/** Runs checks that report to findings; ends them when there are too many. */
export function untilTooMany(checks: () => void): void {
  try {
    checks();
  } catch (error) {
    if (!(error instanceof TooManyProblems)) throw error;
  }
}

/** The problems of all items, in order; of the later items nothing once there are too many. */
export function listProblems<T>(
  items: Iterable<T>,
  check: (item: T) => readonly Problem[],
): Problem[] {
  const problems: Problem[] = [];
  for (const item of items) {
    for (const problem of check(item)) problems.push(problem);
    if (problems.length >= MAX_COUNTED) break;
  }
  return problems;
}

/** Formats a path as JSONPath: `$.components[0].text`, `$.styles["my style"]`. */
export function jsonPath(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => path + pathStep(key), "$");
}

/** Formats one step of a path: `.text`, `[0]`, `["font-size"]`. */
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
export function suggestion(name: string, knownNames: Iterable<string>): string {
  return suggestNames(name, knownNames) || "Remove it.";
}
