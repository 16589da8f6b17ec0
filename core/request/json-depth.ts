import { PlatenError } from "../contract/index.js";

const deepest = 100;

/**
 * Refuses JSON nested so deep that walking it by recursion could end the stack. Walks level by level itself.
 * @throws PlatenError `invalid_request` past 100 levels.
 */
export function checkDepth(value: unknown): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === deepest)
      throw new PlatenError(
        "invalid_request",
        `The body is nested deeper than ${deepest} levels. Flatten its data.`,
      );
    level = level.flatMap(children);
  }
}

function children(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).filter(
    (child) => typeof child === "object" && child !== null,
  );
}
