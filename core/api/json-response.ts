import { Readable } from "node:stream";
import { findOwningOrganization } from "../lib/event-loop.js";
import { answeringTurns } from "../lib/fair-turns.js";

// Writing a document of many megabytes as JSON takes long, and nobody else is answered meanwhile. So long texts are
// written part by part, as fast as the connection takes them, and others are answered between two parts.

const MAX_CHARACTERS_AT_ONCE = 256 * 1024;

/**
 * What an answer is sent as: an object as its JSON, part by part when it contains a long text; anything else as it is. The
 * JSON is bytes, since a text would be converted twice: for its length, and to be sent.
 */
export function toResponseBody(answer: unknown): unknown {
  if (!isLiteral(answer)) return answer;
  return hasLongText(answer)
    ? Readable.from(takeTurns(writeObject(answer), findOwningOrganization()))
    : Buffer.from(JSON.stringify(answer));
}

async function* takeTurns(
  parts: Iterable<string>,
  organization: string | undefined,
): AsyncGenerator<string> {
  for (const part of parts) {
    yield part;
    if (part.length >= MAX_CHARACTERS_AT_ONCE)
      await answeringTurns.take(organization);
  }
}

/** Whether it is an object without a class: streams and bytes are sent as they are. */
function isLiteral(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype
  );
}

/** Looks into objects only: answers have no long texts in lists. */
function hasLongText(value: Record<string, unknown>): boolean {
  return Object.values(value).some((part) =>
    typeof part === "string"
      ? part.length > MAX_CHARACTERS_AT_ONCE
      : isLiteral(part) && hasLongText(part),
  );
}

function* writeObject(value: Record<string, unknown>): Generator<string> {
  let before = "{";
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    if (typeof part === "string") yield* writeText(part);
    else if (isLiteral(part) && hasLongText(part)) yield* writeObject(part);
    else yield JSON.stringify(part) ?? "null";
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}

function* writeText(text: string): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length;) {
    const end = findEnd(text, start);
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
  yield '"';
}

/** Where a part ends: not between the halves of a surrogate pair, which would be written as two escapes. */
function findEnd(text: string, start: number): number {
  const end = start + MAX_CHARACTERS_AT_ONCE;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
