import type { z } from "zod";
import { nearestWord, type Problem } from "../contract/index.js";

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
      return issue.input === undefined
        ? "is required"
        : `must be ${withArticle(issue.expected)}, not ${kindOf(issue.input)}`;
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}, not ${shown(issue.input)}`;
    case "too_small":
      return issue.origin === "array"
        ? `must hold at least ${issue.minimum}`
        : issue.message;
    default:
      return issue.message;
  }
}

function withArticle(type: string): string {
  const expected = type === "int" ? "whole number" : type;
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return withArticle(typeof value);
}

function shown(value: unknown): string {
  if (typeof value === "object" && value !== null) return kindOf(value);
  return (JSON.stringify(value) ?? "nothing").slice(0, 80);
}
