import { isDeepStrictEqual } from "node:util";
import { maxJsonDepth } from "../lib/json.js";
import {
  type ErrorCode,
  findNearestWord,
  PlatenError,
  type Problem,
} from "../plugin-api/index.js";

// JSON Patch (RFC 6902) on definitions. The libraries for it create or ignore paths that are missing, follow inherited
// properties (`/components/length`), or are no longer maintained; and an author needs to read what is there instead.

export const PATCH_OPERATIONS = [
  "add",
  "remove",
  "replace",
  "move",
  "copy",
  "test",
] as const;

/** An operation of RFC 6902; members that its `op` does not use are ignored. */
export interface PatchOperation {
  op: (typeof PATCH_OPERATIONS)[number];
  /** A JSON pointer (RFC 6901), such as `/components/0/text`. */
  path: string;
  /** Where `move` and `copy` take the value from, a JSON pointer. */
  from?: string | undefined;
  /** Any JSON value; `add`, `replace` and `test` require it. */
  value?: unknown;
}

export const maxPatchOperations = 1000;

/** How much all copies and moves of a patch may handle, in characters: copies of copies grow exponentially. */
const maxEffort = 8 * 1024 * 1024;
const effortOfValue = 16;

/**
 * Applies the operations to a copy of the definition, in their order; the result is not checked.
 * @throws PlatenError `invalid_request`, or `conflict` for a `test` that is not met: it names the operation that failed.
 */
export function patchDefinition(
  definition: unknown,
  patch: readonly PatchOperation[],
): unknown {
  const steps = patch.map((operation, index) => parseStep(operation, index));
  const problems = steps.flatMap((step) => step.problems);
  if (problems.length > 0) throw createPatchError("invalid_request", problems);
  const target = new PatchTarget(definition);
  for (const [index, step] of steps.entries()) {
    try {
      target.apply(step);
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      throw createPatchError(error.code, [
        describeStepError(error, step, { index, count: patch.length }),
      ]);
    }
  }
  return target.definition;
}

function createPatchError(
  code: ErrorCode,
  problems: readonly Problem[],
): PlatenError {
  const [first] = problems;
  const message =
    first && problems.length === 1
      ? `${first.message}${first.hint === undefined ? "" : ` ${first.hint}`} Nothing was changed.`
      : `The patch has ${problems.length} problems. Nothing was changed.`;
  return new PlatenError(code, message, { problems });
}

interface Step extends PatchOperation {
  pathTokens: readonly string[];
  fromTokens: readonly string[];
  problems: readonly Problem[];
}

const withValue: readonly string[] = ["add", "replace", "test"];
const withFrom: readonly string[] = ["move", "copy"];

function parseStep(operation: PatchOperation, index: number): Step {
  const { op, path, from } = operation;
  const at = `$.patch[${index}]`;
  const problems = [...checkPointer(path, `${at}.path`)];
  if (withFrom.includes(op)) {
    if (from === undefined)
      problems.push({
        path: `${at}.from`,
        code: "missing",
        message: `"${op}" requires from.`,
        hint: "Write the pointer to take the value from.",
      });
    else problems.push(...checkPointer(from, `${at}.from`));
  }
  if (withValue.includes(op) && !Object.hasOwn(operation, "value"))
    problems.push({
      path: `${at}.value`,
      code: "missing",
      message: `"${op}" requires value.`,
      ...(op === "replace" && { hint: 'To delete, use "op": "remove".' }),
    });
  return {
    ...operation,
    pathTokens: parsePointer(path),
    fromTokens: parsePointer(from ?? ""),
    problems,
  };
}

const prototypeNames = new Set(["__proto__", "constructor", "prototype"]);

function checkPointer(pointer: string, path: string): Problem[] {
  const code = "invalid_pointer";
  const message = `${JSON.stringify(pointer.slice(0, 200))} is not a JSON pointer.`;
  if (pointer !== "" && !pointer.startsWith("/")) {
    const meant = JSON.stringify(toPointer(pointer).slice(0, 200));
    return [{ path, code, message, hint: `Did you mean ${meant}?` }];
  }
  if (/~(?![01])/.test(pointer)) {
    const hint = 'Write "~0" for "~" and "~1" for "/" in a name.';
    return [{ path, code, message, hint }];
  }
  const tokens = parsePointer(pointer);
  const name = tokens.find((token) => prototypeNames.has(token));
  if (name !== undefined) {
    const forbidden = `A patch cannot reach "${name}".`;
    return [{ path, code: "forbidden_path", message: forbidden }];
  }
  if (tokens.length <= maxJsonDepth) return [];
  const tooLong = `The pointer has more than ${maxJsonDepth} parts.`;
  return [{ path, code, message: tooLong }];
}

/** Reads what was probably meant: the path of a problem (`$.components[0].text`), or a pointer without its first slash. */
function toPointer(text: string): string {
  const parts = text
    .replace(/^\$/, "")
    .split(/[/.[\]]/)
    .filter((part) => part !== "");
  return parts.map((part) => `/${part}`).join("");
}

function parsePointer(pointer: string): string[] {
  const tokens = pointer.split("/").slice(1);
  return pointer.includes("~")
    ? tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    : tokens;
}

function writePointer(tokens: readonly string[]): string {
  return tokens
    .map((token) => `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

class StepError extends Error {
  constructor(
    readonly reason: string,
    readonly kind: string,
    readonly hint?: string,
    readonly code: ErrorCode = "invalid_request",
  ) {
    super(reason);
  }

  /** The pointer that is wrong. */
  member: "path" | "from" = "path";
}

function describeStepError(
  { reason, kind, hint, member }: StepError,
  { op, path, from }: Step,
  { index, count }: { index: number; count: number },
): Problem {
  const pointer = withFrom.includes(op) ? `${from} to ${path}` : path;
  const which = count === 1 ? "The operation" : `Operation ${index + 1}`;
  return {
    path: `$.patch[${index}].${member}`,
    code: kind,
    message: `${which} (${op} ${pointer.slice(0, 400) || '""'}) failed: ${reason}`,
    ...(hint !== undefined && { hint }),
  };
}

/** The values that a patch changes. The definition has a parent, so that "" is a pointer like all others. */
class PatchTarget {
  readonly #root: { definition: unknown };
  #effort = 0;

  constructor(definition: unknown) {
    this.#root = { definition: structuredClone(definition) };
  }

  get definition(): unknown {
    return this.#root.definition;
  }

  apply(step: Step): void {
    const { op, pathTokens: path, fromTokens: from, value } = step;
    switch (op) {
      case "add":
        this.#add(path, structuredClone(value), measure(value));
        break;
      case "replace":
        this.#replace(path, structuredClone(value));
        break;
      case "remove":
        this.#remove(path);
        break;
      case "copy":
        this.#copy(from, path);
        break;
      case "move":
        this.#move(from, path);
        break;
      case "test":
        this.#test(path, value);
    }
  }

  #copy(from: readonly string[], path: readonly string[]): void {
    const value = inFrom(() => this.#get(from));
    const size = measure(value);
    this.#spend(size.values * effortOfValue + size.characters);
    this.#add(path, structuredClone(value), size);
  }

  #move(from: readonly string[], path: readonly string[]): void {
    const isInside =
      from.length < path.length &&
      from.every((token, index) => token === path[index]);
    if (isInside)
      throw new StepError(
        "a value cannot be moved into itself.",
        "invalid_operation",
      );
    const value = inFrom(() => this.#get(from));
    if (isDeepStrictEqual(from, path)) return;
    const size = measure(value);
    this.#spend(size.values * effortOfValue);
    inFrom(() => this.#remove(from));
    this.#add(path, value, size);
  }

  #add(
    path: readonly string[],
    value: unknown,
    { depth }: Pick<Size, "depth">,
  ): void {
    assertShallow(path, depth);
    const { parent, key, at } = this.#findParent(path);
    if (!Array.isArray(parent)) {
      parent[key] = value;
      return;
    }
    if (key === "-") {
      parent.push(value);
      return;
    }
    const index = parseIndex(key, at, parent.length);
    if (index > parent.length)
      throw new StepError(
        `${describePlace(at)} has ${countItems(parent.length)}.`,
        "missing_path",
        `Use an index from 0 to ${parent.length}, or "-" for the end.`,
      );
    parent.splice(index, 0, value);
  }

  #replace(path: readonly string[], value: unknown): void {
    assertShallow(path, measure(value).depth);
    this.#get(path);
    const { parent, key } = this.#findParent(path);
    if (Array.isArray(parent)) parent[Number(key)] = value;
    else parent[key] = value;
  }

  #remove(path: readonly string[]): void {
    if (path.length === 0)
      throw new StepError(
        "the definition itself cannot be removed.",
        "invalid_operation",
        "Move the template to the trash with delete_template.",
      );
    this.#get(path);
    const { parent, key } = this.#findParent(path);
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  }

  #test(path: readonly string[], value: unknown): void {
    const actual = this.#get(path);
    if (isDeepStrictEqual(actual, value)) return;
    throw new StepError(
      `the value there is ${showValue(actual)}, not ${showValue(value)}.`,
      "test_failed",
      "Read the template again with get_template, and write the patch for what it is now.",
      "conflict",
    );
  }

  /** @throws StepError when there is none. */
  #get(path: readonly string[]): unknown {
    const { parent, key } = this.#findParent(path);
    return getChild(parent, key, path, Math.max(0, path.length - 1));
  }

  #findParent(path: readonly string[]): Place {
    const root: Record<string, unknown> = this.#root;
    if (path.length === 0) return { parent: root, key: "definition", at: [] };
    let value: unknown = this.#root.definition;
    const last = path.length - 1;
    for (let depth = 0; depth < last; depth += 1)
      value = getChild(
        toParent(value, path, depth),
        path[depth] ?? "",
        path,
        depth,
      );
    return {
      parent: toParent(value, path, last),
      key: path[last] ?? "",
      at: path.slice(0, last),
    };
  }

  #spend(effort: number): void {
    this.#effort += effort;
    if (this.#effort > maxEffort)
      throw new StepError(
        "the patch copies and moves too much.",
        "too_large",
        "Send the whole definition instead.",
      );
  }
}

/** An object or array, the key of a value in it, and where it is. */
interface Place {
  parent: Record<string, unknown> | unknown[];
  key: string;
  at: readonly string[];
}

/** Runs what concerns `from`: its errors name that pointer. */
function inFrom<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof StepError) error.member = "from";
    throw error;
  }
}

/** @param depth how many parts of the path lead to the value. */
function toParent(
  value: unknown,
  path: readonly string[],
  depth: number,
): Place["parent"] {
  if (Array.isArray(value) || isObject(value)) return value;
  const key = path[depth] ?? "";
  throw new StepError(
    `${describePlace(path.slice(0, depth))} is ${showValue(value)}, so there is no "${key.slice(0, 100)}" in it.`,
    "missing_path",
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** @param depth how many parts of the path lead to the parent. */
function getChild(
  parent: Place["parent"],
  key: string,
  path: readonly string[],
  depth: number,
): unknown {
  if (!Array.isArray(parent)) {
    if (Object.hasOwn(parent, key)) return parent[key];
    const isLast = depth >= path.length - 1;
    throw createMissingNameError(parent, key, path.slice(0, depth), isLast);
  }
  if (isIndex(key) && Number(key) < parent.length) return parent[Number(key)];
  const at = path.slice(0, depth);
  parseIndex(key, at, parent.length);
  throw new StepError(
    `${describePlace(at)} has ${countItems(parent.length)}.`,
    "missing_path",
    parent.length > 0
      ? `Its last index is ${parent.length - 1}.`
      : 'Use "add" with the index 0 or "-".',
  );
}

function isIndex(key: string): boolean {
  return /^(0|[1-9]\d{0,9})$/.test(key);
}

function parseIndex(
  key: string,
  at: readonly string[],
  length: number,
): number {
  if (isIndex(key)) return Number(key);
  const hint =
    key === "-"
      ? `"-" is the place after the last item, where only "add", "move" and "copy" can put a value.`
      : length === 0
        ? 'Use "-" for its end.'
        : `Use a number from 0 to ${length - 1}, or "-" for its end when adding.`;
  throw new StepError(
    `${describePlace(at)} is an array, and ${JSON.stringify(key.slice(0, 100))} is not an index of an item.`,
    "missing_path",
    hint,
  );
}

/** How many names an error lists. */
const maxNames = 20;

function createMissingNameError(
  parent: Record<string, unknown>,
  key: string,
  at: readonly string[],
  isLast: boolean,
): StepError {
  const names = Object.keys(parent);
  const near = findNearestWord(key, names);
  const listed = names.slice(0, maxNames).join(", ");
  const more = names.length > maxNames ? ", …" : "";
  const present =
    names.length === 0 ? "It is empty." : `It has: ${listed}${more}.`;
  const meant =
    near === undefined
      ? present
      : `Did you mean ${JSON.stringify(writePointer([...at, near]))}?`;
  return new StepError(
    `${describePlace(at)} has no "${key.slice(0, 100)}".`,
    "missing_path",
    isLast
      ? `${meant} To create it, use "op": "add".`
      : `${meant} To create it, first "add" it with a whole value.`,
  );
}

function describePlace(at: readonly string[]): string {
  return at.length === 0 ? "the definition" : writePointer(at).slice(0, 400);
}

function countItems(count: number): string {
  if (count === 0) return "no items";
  return count === 1 ? "1 item" : `${count} items`;
}

const maxShown = 120;

function showValue(value: unknown): string {
  const json = JSON.stringify(value) ?? "nothing";
  return json.length <= maxShown ? json : `${json.slice(0, maxShown)}…`;
}

/** A patch must not nest values more deeply than a request can: what follows is recursive. */
function assertShallow(path: readonly string[], depth: number): void {
  if (path.length + depth <= maxJsonDepth) return;
  throw new StepError(
    `values would be nested deeper than ${maxJsonDepth} levels.`,
    "too_deep",
  );
}

interface Size {
  /** Values in it, itself included. */
  values: number;
  /** Characters of its texts. */
  characters: number;
  depth: number;
}

function measure(value: unknown): Size {
  const size: Size = { values: 0, characters: 0, depth: 0 };
  let level = [value];
  while (level.length > 0) {
    size.values += level.length;
    size.depth += 1;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item === "string") size.characters += item.length;
      else if (Array.isArray(item)) for (const child of item) next.push(child);
      else if (isObject(item))
        for (const child of Object.values(item)) next.push(child);
    }
    level = next;
  }
  return size;
}
