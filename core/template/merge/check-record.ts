import { PlatenError } from "../../contract/index.js";

const REFUSED_KEYS = new Set(["__proto__", "constructor", "prototype"]);
const DEEPEST = 200;

interface Part {
  value: object;
  path: string;
  depth: number;
}

/**
 * A record is a JSON object; keys that could reach an object's prototype are refused by name, wherever they are.
 * @throws PlatenError `merge_failed`
 */
export function checkRecord(data: unknown): void {
  if (!isObject(data) || Array.isArray(data))
    throw refused(
      "The data of a document must be a JSON object: one record becomes one document.",
    );
  const stack: Part[] = [{ value: data, path: "$", depth: 0 }];
  for (let part = stack.pop(); part !== undefined; part = stack.pop())
    pushParts(part, stack);
}

function pushParts({ value, path, depth }: Part, stack: Part[]): void {
  if (depth > DEEPEST)
    throw refused(`The data is nested more than ${DEEPEST} deep.`);
  const isList = Array.isArray(value);
  for (const [key, child] of Object.entries(value)) {
    if (!isList && REFUSED_KEYS.has(key))
      throw refused(
        `The data has the key "${key}" at ${path}, which is not accepted. Rename it.`,
      );
    if (isObject(child))
      stack.push({
        value: child,
        path: isList ? `${path}[${key}]` : `${path}.${key}`,
        depth: depth + 1,
      });
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function refused(message: string): PlatenError {
  return new PlatenError("merge_failed", message);
}
