import type { z } from "zod";
import { nearestWord, type Problem } from "../../plugin-api/index.js";

type Issue = z.core.$ZodIssue;

/**
 * What a schema found, in our words.
 * @param root what a path starts with: `$` in a body, empty in a query or a path.
 * @param known the names that the top level knows, for a did-you-mean.
 */
export function requestProblems(
  issues: readonly Issue[],
  root: string,
  known: readonly string[],
): Problem[] {
  return issues.flatMap((issue) => {
    const path = jsonPath(root, issue.path);
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) =>
        unknownKey(path, key, issue.path.length === 0 ? known : []),
      );
    return [
      {
        path: path || "(request)",
        code: issue.code,
        message: `${textOf(issue)}.`,
      },
    ];
  });
}

function jsonPath(root: string, keys: readonly PropertyKey[]): string {
  const path = keys.reduce<string>(
    (whole, key) =>
      typeof key === "number" ? `${whole}[${key}]` : `${whole}.${String(key)}`,
    root,
  );
  return path.replace(/^\./, "");
}

function unknownKey(
  path: string,
  key: string,
  known: readonly string[],
): Problem {
  const message = "is not known here.";
  const base = { path: path === "" ? key : `${path}.${key}`, code: "unknown" };
  if (known.length === 0) return { ...base, message };
  const near = nearestWord(key, known);
  const hint =
    near === undefined
      ? `Known: ${known.join(", ")}.`
      : `Did you mean ${near}?`;
  return { ...base, message, hint };
}

function textOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeText(issue.expected, issue.input);
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}, not ${shown(issue.input)}`;
    case "too_small":
      return issue.origin === "array"
        ? `must hold at least ${issue.minimum}`
        : issue.message;
    case "too_big":
      return isOurs(issue.message) ? issue.message : mostOf(issue);
    case "invalid_format":
      return issue.format === "datetime" && !isOurs(issue.message)
        ? `must be an instant such as "2030-01-31T12:00:00Z", not ${shown(issue.input)}`
        : issue.message;
    default:
      return issue.message;
  }
}

function typeText(expected: string, input: unknown): string {
  if (input === undefined) return "is required";
  const isFraction = expected === "int" && typeof input === "number";
  return `must be ${withArticle(expected)}, not ${isFraction ? input : kindOf(input)}`;
}

/** What a schema says for itself begins in lower case; the library's own words do not. */
function isOurs(message: string): boolean {
  return /^[a-z]/.test(message);
}

function mostOf(issue: z.core.$ZodIssueTooBig): string {
  const most = String(issue.maximum);
  if (issue.origin === "string")
    return `must be at most ${most} characters long`;
  return issue.origin === "array"
    ? `must hold at most ${most}`
    : `must be at most ${most}`;
}

function withArticle(type: string): string {
  const expected = names[type] ?? type;
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

/** The library's names of types that are none of JSON's. */
const names: Record<string, string> = { int: "whole number", record: "object" };

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return withArticle(typeof value);
}

function shown(value: unknown): string {
  if (typeof value === "object" && value !== null) return kindOf(value);
  return (JSON.stringify(value) ?? "nothing").slice(0, 80);
}
