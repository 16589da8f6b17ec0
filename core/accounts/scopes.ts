import { nearestWord, PlatenError } from "../plugin-api/index.js";

/** Every permission that a key can hold; later parts add theirs here and nowhere else. */
export const SCOPES = [
  "templates:read",
  "templates:write",
  "documents:read",
  "documents:write",
  "webhooks:read",
  "webhooks:write",
  "connections:read",
  "connections:write",
  "account:read",
] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(word: string): word is Scope {
  return SCOPES.some((scope) => scope === word);
}

/** Checks words from outside; `all` alone stands for every scope there is now. @throws PlatenError `invalid_request` that names each one that is no scope. */
export function parseScopes(words: readonly string[]): Scope[] {
  if (words.length === 1 && words[0] === "all") return [...SCOPES];
  const wrong = words.filter((word) => !isScope(word));
  if (wrong.length > 0)
    throw new PlatenError(
      "invalid_request",
      wrong.map(unknownScope).join(" ") + ` Scopes are: ${SCOPES.join(", ")}.`,
    );
  const scopes = SCOPES.filter((scope) => words.includes(scope));
  if (scopes.length > 0) return scopes;
  throw new PlatenError(
    "invalid_request",
    `A key needs at least one scope of: ${SCOPES.join(", ")}.`,
  );
}

function unknownScope(word: string): string {
  const near = nearestWord(word, SCOPES);
  const hint =
    near === undefined
      ? `known are ${SCOPES.join(", ")}.`
      : `did you mean ${near}?`;
  return `"${word}" is no scope; ${hint}`;
}
