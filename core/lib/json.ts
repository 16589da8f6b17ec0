import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import type { z } from "zod";
import {
  PlatenError,
  findNearestWord,
  limitSuggestions,
  parseLosslessJson,
  type Problem,
} from "../plugin-api/index.js";

// Parsing of JSON requests with a depth limit, and validation errors as problems.

/**
 * Numbers that JavaScript would round become texts of their digits.
 * @throws PlatenError `invalid_request` with the line and column of the first error, or for nesting that is too deep.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = parseLosslessJson(text);
  } catch {
    const problem =
      text.length <= MAX_EXAMINED
        ? describeFirstError(text)
        : "the place of the error is only looked for in bodies of at most 1 MB";
    throw new PlatenError(
      "invalid_request",
      `The body is not valid JSON: ${problem}.`,
    );
  }
  checkDepth(value);
  return value;
}

/** The second parser is slower, and would hold the event loop for seconds. */
const MAX_EXAMINED = 1_000_000;

/** The built-in parser often omits the position of an error, so a second parser finds it. */
function describeFirstError(text: string): string {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    // The parser is recursive, so deeply nested text overflows the stack.
    errors.length = 0;
  }
  const [error] = errors;
  if (!error) return "it contains an invalid character or is nested too deeply";
  const before = text.slice(0, error.offset).split("\n");
  const column = (before.at(-1) ?? "").length + 1;
  return `${splitWords(printParseErrorCode(error.error))} at line ${before.length}, column ${column}`;
}

/** `CloseBraceExpected` -> `close brace expected`. */
function splitWords(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

/** @throws PlatenError `unsupported_charset` for a Content-Type with another charset than UTF-8. */
export function assertUtf8(contentType: string | undefined): void {
  const charset = /;\s*charset\s*=\s*"?([^";]*)/i.exec(contentType ?? "")?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset.trim())) return;
  throw new PlatenError(
    "unsupported_charset",
    `The body must be encoded in UTF-8, but its Content-Type names the charset ${JSON.stringify(charset.trim().slice(0, 40))}. ` +
      "Send UTF-8, with the header Content-Type: application/json.",
  );
}

/**
 * An object of a request as JSON text. It stays text where parsing would hold the thread that answers requests for long,
 * so only a worker thread looks inside.
 */
export class JsonText {
  constructor(readonly text: string) {}
}

/** How deep `stringifyJson` looks for `JsonText`: a record in a list in an object. */
const MAX_TEXT_DEPTH = 3;

/** As `JSON.stringify`, with each `JsonText` as the object that it stands for. @param value plain JSON otherwise */
export function stringifyJson(value: unknown, depth = MAX_TEXT_DEPTH): string {
  if (value instanceof JsonText) return value.text;
  if (depth === 0 || typeof value !== "object" || value === null)
    return JSON.stringify(value) ?? "null";
  if (Array.isArray(value))
    return `[${value.map((item) => stringifyJson(item, depth - 1)).join(",")}]`;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(
      ([name, field]) =>
        `${JSON.stringify(name)}:${stringifyJson(field, depth - 1)}`,
    );
  return `{${fields.join(",")}}`;
}

/** More than any list or object at the top of a request has, apart from the lists of records. */
const maxTopLevelValues = 10_000;
const recordLists: readonly string[] = ["items", "documents"];
/** More than a batch has, of texts that cost a schema nothing because any text is valid. */
const maxRecordIds = 1_000_000;

/**
 * Rejects a body with more values at its top than any request has: each that is wrong costs a schema a problem of its
 * own. @throws PlatenError `invalid_request`
 */
export function assertFewValues(body: unknown): void {
  if (!isPlainObject(body)) return;
  const fields = Object.keys(body);
  if (fields.length > maxTopLevelValues)
    throw new PlatenError(
      "invalid_request",
      `Invalid request body. It has ${fields.length} fields, but at most ${maxTopLevelValues} are allowed.`,
    );
  for (const field of fields) {
    const list: unknown = body[field];
    if (!Array.isArray(list) || recordLists.includes(field)) continue;
    const areTexts =
      field === "recordIds" && list.every((id) => typeof id === "string");
    const most = areTexts ? maxRecordIds : maxTopLevelValues;
    if (list.length <= most) continue;
    throw new PlatenError(
      "invalid_request",
      `Invalid request body. $.${field.slice(0, 100)} has ${list.length} items, but at most ${most} are allowed.`,
    );
  }
}

/** Whether it is an object of JSON, not an array. */
export function isPlainObject(
  value: unknown,
): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A definition may be nested 256 levels deep, and a request wraps it. */
export const maxJsonDepth = 300;

/**
 * Rejects JSON that is nested so deeply that recursion could overflow the stack.
 * @param what the beginning of the error message. @throws PlatenError `invalid_request`.
 */
export function checkDepth(value: unknown, what = "The body is"): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === maxJsonDepth) throw tooDeep(what);
    level = level.flatMap(getChildren);
  }
}

/** @param what the beginning of the error message. */
export function tooDeep(what: string): PlatenError {
  return new PlatenError(
    "invalid_request",
    `${what} nested deeper than ${maxJsonDepth} levels. Flatten it.`,
  );
}

function getChildren(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).filter(
    (child) => typeof child === "object" && child !== null,
  );
}

type Issue = z.core.$ZodIssue;

/**
 * Describes the issues of a schema in the service's style.
 * @param root the beginning of paths: `$` in a body, empty in a query or a path.
 * @param known the fields of the top level, for suggestions.
 * @param hints where fields that are not known there belong.
 */
export function requestProblems(
  issues: readonly Issue[],
  root: string,
  known: readonly string[],
  hints: Readonly<Record<string, string>> = {},
): Problem[] {
  return limitSuggestions(() =>
    issues.flatMap((issue) => toProblems(issue, root, known, hints)),
  );
}

function toProblems(
  issue: Issue,
  root: string,
  known: readonly string[],
  hints: Readonly<Record<string, string>>,
): Problem[] {
  const path = jsonPath(root, issue.path);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) =>
      issue.path.length === 0
        ? unknownKey(path, key, known, hints)
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
  const shown = JSON.stringify(input) ?? "";
  return {
    hint: `Write it as a list of one: [${shown.length <= 80 ? shown : "…"}].`,
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
  known: readonly string[],
  hints: Readonly<Record<string, string>>,
): Problem {
  const message = "unknown field.";
  const base = { path: path === "" ? key : `${path}.${key}`, code: "unknown" };
  const hint = Object.hasOwn(hints, key) ? hints[key] : undefined;
  if (hint !== undefined) return { ...base, message, hint };
  if (known.length === 0) return { ...base, message };
  const near = findNearestWord(key, known);
  return {
    ...base,
    message,
    hint:
      near === undefined
        ? `Known: ${known.join(", ")}.`
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
