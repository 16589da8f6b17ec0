import type { z } from "zod";
import { nearestWord, type Problem } from "../../plugin-api/index.js";
import { suggestion } from "./suggest.js";

// One finding of the schema in the words of this project: what was found, what was expected, how to mend it.

export type Issue = z.core.$ZodIssue;
export type Finding = Omit<Problem, "path">;

/** @param value what stands at the issue's place in the definition. */
export function describeIssue(issue: Issue, value: unknown): Finding {
  if (value === undefined && isAboutType(issue)) return missing(issue);
  switch (issue.code) {
    case "invalid_type":
      return wrongType(expectedType(issue.expected), value);
    case "invalid_value":
      return wrongWord(issue.values.map(String), value);
    case "invalid_union":
      return {
        ...wrongType(expectedOf(issue), value),
        ...hintOf(issue, value),
      };
    case "too_small":
    case "too_big":
      return outOfRange(issue, value);
    case "invalid_key":
      return wrongValue(
        issue.issues[0]?.message ?? "another name",
        issue.path.at(-1),
      );
    default:
      return wrongValue(issue.message, value);
  }
}

const UNITS: ReadonlyMap<string, string> = new Map([
  ["string", " character"],
  ["array", " element"],
]);

function isAboutType(issue: Issue): boolean {
  return ["invalid_type", "invalid_value", "invalid_union"].includes(
    issue.code,
  );
}

function missing(issue: Issue): Finding {
  const name = String(issue.path.at(-1) ?? "value");
  return {
    code: "missing_property",
    message: `The property "${name}" is missing.`,
    hint: `Add it: ${expectedOf(issue)}.`,
  };
}

function wrongType(expected: string, value: unknown): Finding {
  return {
    code: "wrong_type",
    message: `Expected ${expected}, but found ${shown(value)}.`,
  };
}

function wrongWord(words: string[], value: unknown): Finding {
  return {
    code: "wrong_value",
    message: `Expected ${listed(words)}, but found ${shown(value)}.`,
    ...(typeof value === "string" && { hint: suggestion(value, words) }),
  };
}

function wrongValue(expected: string, value: unknown): Finding {
  return {
    code: "wrong_value",
    message: `Expected ${expected}, but found ${shown(value)}.`,
  };
}

function outOfRange(
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  value: unknown,
): Finding {
  const low = issue.code === "too_small";
  const bound = low ? issue.minimum : issue.maximum;
  const unit = unitOf(issue.origin, Number(bound));
  const exact = issue.inclusive === false ? (low ? "more" : "less") : "";
  const words = exact
    ? `${exact} than ${bound}`
    : `at ${low ? "least" : "most"} ${bound}`;
  const found = Array.isArray(value) ? `${value.length}` : shown(value);
  return {
    code: "wrong_value",
    message: `Expected ${words}${unit}, but found ${found}.`,
  };
}

function unitOf(origin: string, count: number): string {
  const unit = UNITS.get(origin);
  return unit === undefined || count === 1 ? (unit ?? "") : `${unit}s`;
}

/** The word of a union that was meant, such as a mark. */
function hintOf(
  issue: z.core.$ZodIssueInvalidUnion,
  value: unknown,
): Pick<Finding, "hint"> {
  if (typeof value !== "string") return {};
  const words = issue.errors
    .flat()
    .flatMap((one) =>
      one.code === "invalid_value" && one.path.length === 0 ? one.values : [],
    );
  const meant = nearestWord(value, words.map(String));
  return meant === undefined ? {} : { hint: `Did you mean "${meant}"?` };
}

/** What an issue asks for, in words; of a union, what any of its branches asks for. */
function expectedOf(issue: Issue): string {
  if (issue.code === "invalid_type") return expectedType(issue.expected);
  if (issue.code === "invalid_value") return listed(issue.values.map(String));
  if (issue.code !== "invalid_union") return issue.message;
  const branches = issue.errors.flatMap((branch) =>
    branch.filter((one) => one.path.length === 0 && isAboutType(one)),
  );
  const words = new Set(branches.map(expectedOf));
  return words.size === 0 ? "another value" : [...words].join(" or ");
}

function expectedType(name: string): string {
  const words: Record<string, string> = {
    int: "a whole number",
    array: "an array",
    object: "an object",
    record: "an object",
    boolean: "true or false",
  };
  return words[name] ?? `a ${name}`;
}

function listed(words: readonly string[]): string {
  if (words.length === 1) return JSON.stringify(words[0]);
  return `one of ${words.join(", ")}`;
}

function shown(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
