import type { PathNode } from "./ast.js";
import type { TokenReader } from "./token-reader.js";
import type { Token } from "./tokens.js";

/** Names that would lead out of the data: refused wherever a key can be written. */
export const FORBIDDEN_KEYS: readonly string[] = [
  "__proto__",
  "constructor",
  "prototype",
];

/** A path from its first word on: `.name`, `.0`, or `["Unit price"]` for a key that is no word. */
export function parseKeys(reader: TokenReader, first: Token): PathNode {
  const { start } = first;
  refuseForbidden(reader, first);
  const keys: [string, ...string[]] = [first.text];
  const starts = [start];
  for (;;) {
    const isBracket = reader.accept("[");
    if (!isBracket && !reader.accept(".")) break;
    const key = takeKey(reader, isBracket);
    keys.push(key.text);
    starts.push(key.start);
  }
  const end = reader.lastEnd;
  return reader.place({ kind: "path", keys, starts, start, end });
}

function takeKey(reader: TokenReader, isBracket: boolean): Token {
  const key = reader.token;
  const kinds = isBracket ? ["string", "number"] : ["name"];
  if (!kinds.includes(key.kind)) {
    reader.fail("The name of a field is missing here.");
  }
  refuseForbidden(reader, key);
  reader.take();
  if (isBracket) reader.expect("]", "after the name of the field");
  return key;
}

function refuseForbidden(reader: TokenReader, { text, start }: Token): void {
  if (!FORBIDDEN_KEYS.includes(text)) return;
  reader.failAt(start, `"${text}" is never a field of the data.`);
}
