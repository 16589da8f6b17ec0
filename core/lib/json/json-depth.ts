import { PlatenError } from "../../plugin-api/index.js";

/** A definition may be nested 256 levels deep, and a request says something around it. */
export const deepestJson = 300;

/**
 * Refuses JSON nested so deep that walking it by recursion could end the stack. Walks level by level itself.
 * @param what it is, as a sentence begins. @throws PlatenError `invalid_request`.
 */
export function checkDepth(value: unknown, what = "The body is"): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === deepestJson) throw tooDeep(what);
    level = level.flatMap(children);
  }
}

/** @param what it is, as a sentence begins. */
export function tooDeep(what: string): PlatenError {
  return new PlatenError(
    "invalid_request",
    `${what} nested deeper than ${deepestJson} levels. Flatten what is in it.`,
  );
}

function children(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).filter(
    (child) => typeof child === "object" && child !== null,
  );
}
