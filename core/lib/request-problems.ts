import type { z } from "zod";
import {
  findNearestWord,
  limitSuggestions,
  type Problem,
} from "../plugin-api/index.js";

type Issue = z.core.$ZodIssue;

/**
 * Describes the issues of a schema in the service's style.
 * @param root the beginning of paths: `$` in a body, empty in a query or a path.
 * @param knownKeys the fields of the top level, for suggestions.
 * @param hints where fields that are not known there belong.
 */
export function requestProblems(
  issues: readonly Issue[],
  root: string,
  knownKeys: readonly string[],
  hints: Readonly<Record<string, string>> = {},
): Problem[] {
  return limitSuggestions(() =>
    issues.flatMap((issue) => toProblems(issue, root, knownKeys, hints)),
  );
}

function toProblems(
  issue: Issue,
  root: string,
  knownKeys: readonly string[],
  hints: Readonly<Record<string, string>>,
): Problem[] {
  const path = jsonPath(root, issue.path);
  if (issue.code === "invalid_union") {
    // Of an object or a list of objects, the one that was sent.
    const [branch, ...others] = issue.errors.filter(
      (inner) => !inner.some(({ path: { length } }) => length === 0),
    );
    if (branch && others.length === 0)
      return branch.flatMap((inner) =>
        toProblems(
          { ...inner, path: [...issue.path, ...inner.path] },
          root,
          knownKeys,
          hints,
        ),
      );
  }
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) =>
      issue.path.length === 0
        ? unknownKey(path, key, knownKeys, hints)
        : unknownKey(path, key, [], {}),
    );
  return [
    {
      path: path || "(request)",
      code: issue.code,
      message: `${toClaim(describeIssue(issue))}.`,
      ...suggestArray(issue),
    },
  ];
}

/** For one value where a list of them is expected. */
function suggestArray(issue: Issue): Pick<Problem, "hint"> {
  if (issue.code !== "invalid_type" || issue.expected !== "array") return {};
  const { input } = issue;
  if (input === undefined || input === null) return {};
  const json = JSON.stringify(input) ?? "";
  return {
    hint: `Write it as a list of one: [${json.length <= 80 ? json : "…"}].`,
  };
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
  knownKeys: readonly string[],
  hints: Readonly<Record<string, string>>,
): Problem {
  const message = "unknown field.";
  const base = { path: path === "" ? key : `${path}.${key}`, code: "unknown" };
  const hint = Object.hasOwn(hints, key) ? hints[key] : undefined;
  if (hint !== undefined) return { ...base, message, hint };
  if (knownKeys.length === 0) return { ...base, message };
  const near = findNearestWord(key, knownKeys);
  return {
    ...base,
    message,
    hint:
      near === undefined
        ? `Known: ${knownKeys.join(", ")}.`
        : `Did you mean ${near}?`,
  };
}

function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return describeType(issue.expected, issue.input);
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}, not ${quote(issue.input)}`;
    case "too_small":
      return isOwnMessage(issue.message)
        ? issue.message
        : describeMinimum(issue);
    case "too_big":
      return isOwnMessage(issue.message)
        ? issue.message
        : describeMaximum(issue);
    case "invalid_format":
      return issue.format === "datetime" && !isOwnMessage(issue.message)
        ? `must be a timestamp such as "2030-01-31T12:00:00Z", not ${quote(issue.input)}`
        : issue.message;
    default:
      return issue.message;
  }
}

function describeType(expected: string, input: unknown): string {
  if (input === undefined) return "is required";
  const isFraction = expected === "int" && typeof input === "number";
  return `must be ${withArticle(expected)}, not ${isFraction ? input : describeKind(input)}`;
}

/** Messages in our schemas start in lower case, those of the library do not. */
function isOwnMessage(message: string): boolean {
  return /^[a-z]/.test(message);
}

/** What schemas of definitions say that a value is: `"all", or page numbers such as "1-3,5"`. */
function toClaim(message: string): string {
  return /^(?:an? |"|either )/.test(message) ? `must be ${message}` : message;
}

function describeMinimum(issue: z.core.$ZodIssueTooSmall): string {
  const min = String(issue.minimum);
  if (issue.origin === "string")
    return min === "1"
      ? "must not be empty"
      : `must be at least ${min} characters long`;
  if (issue.origin === "array")
    return `must contain at least ${min === "1" ? "one item" : `${min} items`}`;
  return `must be ${issue.inclusive === true ? "at least" : "more than"} ${min}`;
}

function describeMaximum(issue: z.core.$ZodIssueTooBig): string {
  const max = String(issue.maximum);
  if (issue.origin === "string")
    return `must be at most ${max} ${max === "1" ? "character" : "characters"} long`;
  return issue.origin === "array"
    ? `must contain at most ${max} ${max === "1" ? "item" : "items"}`
    : `must be at most ${max}`;
}

function withArticle(type: string): string {
  const expected = typeNames[type] ?? type;
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

/** The library's names for types that JSON does not have. */
const typeNames: Record<string, string> = {
  int: "whole number",
  record: "object",
};

function describeKind(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return withArticle(typeof value);
}

function quote(value: unknown): string {
  if (typeof value === "object" && value !== null) return describeKind(value);
  return (JSON.stringify(value) ?? "nothing").slice(0, 80);
}
