import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { PlatenError, parseLosslessJson } from "../plugin-api/index.js";

// Reading and writing JSON of requests: UTF-8, with limits of its depth and of the values at its top.

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
  if (/__proto__|\\u00/.test(text)) assertNoProto(value, "$");
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

/**
 * An object of a request as JSON text. It stays text where parsing would hold the thread that answers requests for long,
 * so only a worker thread looks inside.
 */
export class JsonText {
  constructor(readonly text: string) {}
}

/**
 * Rejects the key `__proto__`, which schemas drop from the objects that they copy.
 * @param root the beginning of the path of the key. @throws PlatenError `invalid_request`
 */
export function assertNoProto(
  value: unknown,
  root: string,
  subject = "The body has",
): void {
  const path = findProto(value);
  if (path === null) return;
  throw new PlatenError(
    "invalid_request",
    `${subject} the key "__proto__" at ${(root + path).replace(/^\./, "")}, which is not allowed. Rename it.`,
  );
}

/** Where a value that is not nested too deeply has the key `__proto__`: `.data.lines[0].__proto__`; null without one. */
export function findProto(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  if (Object.hasOwn(value, "__proto__")) return ".__proto__";
  const parts: [string, unknown][] = Object.entries(value);
  for (const [key, part] of parts) {
    const path = findProto(part);
    if (path === null) continue;
    return (Array.isArray(value) ? `[${key}]` : `.${key}`) + path;
  }
  return null;
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
