import {
  checkDefinition,
  type ProjectData,
  type TemplateType,
} from "../../../core/definition/index.js";

/**
 * What is left of a definition when everything that the checker points at is taken out of it, again and again.
 * Null when that fails: then the path of a problem led to nothing that could be fixed.
 */
export function repaired(
  input: unknown,
  type: TemplateType,
): ProjectData | null {
  let rest = structuredClone(input);
  for (let round = 0; round < 100; round += 1) {
    const { definition, problems } = checkDefinition(rest, type);
    if (definition !== null) return definition;
    const paths = outermost(problems.map(({ path }) => path)).map(keysOf);
    for (const keys of paths.toSorted(lastFirst)) rest = without(rest, keys);
  }
  return null;
}

/** What stands inside of something that is taken out goes with it. */
function outermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => isInside(path, other)));
}

function isInside(path: string, other: string): boolean {
  const next = path[other.length] ?? "";
  return path !== other && path.startsWith(other) && /[.[]/.test(next);
}

/** What is taken out of a list moves all that stands after it. */
function lastFirst(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((key, index) => key !== other[index]);
  const [key = "", next = ""] = [one[at], other[at]];
  return Number(next) - Number(key) || (key < next ? -1 : 1);
}

/** `$.components[0]["x-a"]` as keys. */
function keysOf(path: string): string[] {
  const steps = path.matchAll(/\.([\w-]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/g);
  return Array.from(
    steps,
    ([, name, index, quoted]) =>
      name ?? index ?? String(JSON.parse(`"${quoted ?? ""}"`)),
  );
}

/** Without what stands there; where nothing does, something is missing, and its owner goes. */
function without(value: unknown, keys: readonly string[]): unknown {
  const [key, ...rest] = keys;
  if (key === undefined || typeof value !== "object" || value === null)
    return value;
  const entries = Object.entries(value);
  const child = entries.find(([name]) => name === key)?.[1];
  const isOwner = rest.length === 1 && !has(child, rest[0]);
  const kept = entries.flatMap(([name, one]) => {
    if (name !== key) return [[name, one] as const];
    if (rest.length === 0 || isOwner) return [];
    return [[name, without(one, rest)] as const];
  });
  return Array.isArray(value)
    ? kept.map(([, one]) => one)
    : Object.fromEntries(kept);
}

function has(value: unknown, key = ""): boolean {
  return (
    typeof value === "object" && value !== null && Object.hasOwn(value, key)
  );
}
