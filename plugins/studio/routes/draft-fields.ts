import { PlatenError } from "../../../core/plugin-api/index.js";
import { valueOf } from "./field.js";

// What the editor sends beside definitions.

const longestNote = 10_000;

/** @throws PlatenError `invalid_request`, as all here do. */
export function text(body: unknown, name: string): string {
  const value = valueOf(body, name);
  if (typeof value === "string") return value;
  throw refused(`$.${name}: must be a text.`);
}

/** Null for nothing. */
export function optional(body: unknown, name: string): string | null {
  const value = valueOf(body, name);
  return value === undefined || value === null ? null : text(body, name);
}

/** What an author says of a version, as long as the public API lets it be; null for nothing. */
export function note(body: unknown, name: string): string | null {
  const said = optional(body, name);
  if (said === null || said.length <= longestNote) return said;
  throw refused(
    `$.${name}: must be at most ${longestNote} characters long; it has ${said.length}.`,
  );
}

/** False when it is not said. */
export function flag(body: unknown, name: string): boolean {
  const value = valueOf(body, name) ?? false;
  if (typeof value === "boolean") return value;
  throw refused(`$.${name}: must be true or false.`);
}

/** A draft's revision, of a body or of a query. */
export function whole(value: unknown): number {
  const isText = typeof value === "string" && /^\d{1,9}$/.test(value);
  const number = isText ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0)
    return number;
  throw refused("expectedRevision: must be the draft's revision, such as 3.");
}

/** One of these words; undefined when it is not said. */
export function choice<T extends string>(
  body: unknown,
  name: string,
  words: readonly T[],
): T | undefined {
  const value = valueOf(body, name);
  if (value === undefined) return undefined;
  const chosen = words.find((word) => word === value);
  if (chosen !== undefined) return chosen;
  throw refused(`$.${name}: must be ${words.join(" or ")}.`);
}

/** Pixels from 200 to 2000; undefined when they are not said. */
export function width(body: unknown, name: string): number | undefined {
  const value = valueOf(body, name);
  if (value === undefined) return undefined;
  if (typeof value === "number" && value >= 200 && value <= 2000)
    return Math.round(value);
  throw refused(`$.${name}: must be a number of pixels from 200 to 2000.`);
}

function refused(message: string): PlatenError {
  return new PlatenError("invalid_request", message);
}
