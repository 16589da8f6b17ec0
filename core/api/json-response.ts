import { Readable } from "node:stream";
import { findOwningOrganization } from "../lib/event-loop.js";
import { answeringTurns } from "../lib/fair-queue.js";
import { encodeUtf8 } from "../lib/utf8.js";

// Answers contain whole documents. Their texts are written apart from the rest: as bytes of UTF-8 that are taken for
// characters, in which JSON escapes the same ones, three times faster. Writing many megabytes takes long all the same, and
// nobody else is answered meanwhile. So a long answer is written part by part, as fast as the connection takes it, and
// others are answered between two parts.

/** In characters. Shorter texts are written with the rest. */
const MIN_DOCUMENT = 4096;
const MAX_CHARACTERS_AT_ONCE = 256 * 1024;

/**
 * What an answer is sent as: an object as its JSON, part by part when it contains a long text; anything else as it is. The
 * JSON is bytes, since a text would be converted twice: for its length, and to be sent.
 */
export function toResponseBody(answer: unknown): unknown {
  if (!isLiteral(answer)) return answer;
  const longest = findLongestText(answer);
  if (longest > MAX_CHARACTERS_AT_ONCE)
    return Readable.from(
      takeTurns(writeObject(answer), findOwningOrganization()),
    );
  return longest < MIN_DOCUMENT
    ? encodeUtf8(JSON.stringify(answer))
    : Buffer.concat([...writeObject(answer)]);
}

async function* takeTurns(
  parts: Iterable<Buffer>,
  organization: string | undefined,
): AsyncGenerator<Buffer> {
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

/** Answers have no documents in lists, nor in objects that are further inside than this. */
const MAX_DEPTH = 4;

/** In characters. */
function findLongestText(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length;
  if (!isLiteral(value) || depth > MAX_DEPTH) return 0;
  return Object.values(value).reduce<number>(
    (longest, part) => Math.max(longest, findLongestText(part, depth + 1)),
    0,
  );
}

function* writeObject(
  value: Record<string, unknown>,
  depth = 1,
): Generator<Buffer> {
  let before = "{";
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    yield encodeUtf8(`${before}${JSON.stringify(key)}:`);
    const isShort = findLongestText(part, depth) < MIN_DOCUMENT;
    if (!isShort && typeof part === "string") yield* writeText(part);
    else if (!isShort && isLiteral(part)) yield* writeObject(part, depth + 1);
    else yield encodeUtf8(JSON.stringify(part) ?? "null");
    before = ",";
  }
  yield encodeUtf8(before === "{" ? "{}" : "}");
}

function* writeText(text: string): Generator<Buffer> {
  yield QUOTE;
  for (let start = 0; start < text.length;) {
    const end = findEnd(text, start);
    const bytes = encodeUtf8(text.slice(start, end)).toString("latin1");
    yield Buffer.from(JSON.stringify(bytes).slice(1, -1), "latin1");
    start = end;
  }
  yield QUOTE;
}

const QUOTE = Buffer.from('"');

/** Where a part ends: not between the halves of a surrogate pair, which would be written as two escapes. */
function findEnd(text: string, start: number): number {
  const end = start + MAX_CHARACTERS_AT_ONCE;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
