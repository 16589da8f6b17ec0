import type { Problem } from "../../../core/plugin-api/index.js";
import { checkDefinition, pathKeys } from "../../../core/definition/index.js";

// What a reader of the problems alone can do: apply the fix that a problem names at the path that it names.

type Keys = readonly (string | number)[];
type Json = Record<string | number, unknown>;

/** Fixes a definition in a few rounds; null when the problems do not say enough. */
export function fixDefinition(input: unknown): unknown {
  const definition: unknown = JSON.parse(JSON.stringify(input));
  for (let round = 0; round < 4; round += 1) {
    const { problems } = checkDefinition(definition, "document");
    if (problems.length === 0) return definition;
    for (const problem of problems.toReversed()) applyFix(definition, problem);
  }
  return null;
}

/** Applies the fix that one problem names. */
function applyFix(definition: unknown, problem: Problem): void {
  const keys = pathKeys(problem.path);
  const owner = at(definition, keys.slice(0, -1));
  const key = keys.at(-1) ?? "";
  const value = owner[key];
  const meant = /^Did you mean "?(.+?)"?\?$/.exec(problem.hint ?? "")?.[1];
  if (problem.code === "unknown_property") {
    if (meant === undefined) delete owner[key];
    else renameKey(owner, String(key), meant);
  } else if (meant === undefined) owner[key] = applyHint(value, problem);
  else owner[key] = replaced(value, problem, meant);
}

/** Renames a key in place, because the order of styles matters. */
function renameKey(
  owner: Record<string, unknown>,
  from: string,
  to: string,
): void {
  const entries = Object.entries(owner);
  for (const [key] of entries) delete owner[key];
  for (const [key, value] of entries) owner[key === from ? to : key] = value;
}

/** A word of an expression, a word of a text, or the whole value. */
function replaced(value: unknown, problem: Problem, meant: string): unknown {
  const { expression, column = 1, message } = problem;
  if (typeof value !== "string") return meant;
  if (expression === undefined) {
    const wrong = /"(.*?)"/.exec(message)?.[1] ?? value;
    return value.includes(wrong) ? value.replace(wrong, meant) : meant;
  }
  const before = expression.slice(0, column - 1);
  const word = meant.includes(".") ? /^[\w.]+/ : /^\w+/;
  const after = expression.slice(column - 1).replace(word, meant);
  return value.replace(expression, before + after);
}

/** The value that the message or the hint asks for. */
function applyHint(value: unknown, { message, hint = "" }: Problem): unknown {
  const text = `${message} ${hint}`;
  const [parent] = /(?<=into (?:the components of )?a )[\w-]+/.exec(hint) ?? [];
  if (parent !== undefined) return { type: parent, components: [value] };
  const example =
    /(?<=such as )"(.*?)"/.exec(message)?.[1] ??
    /(?<=(?:Write|name it) )([\w-]+)(?=[,.])/.exec(hint)?.[1] ??
    /(?:one of )([\w-]+)/.exec(text)?.[1];
  if (example !== undefined) return example;
  const [number] =
    /(?<=at (?:least|most) |version )\d+(?=[ ,.;])/.exec(text) ?? [];
  if (number !== undefined) return Number(number);
  if (hint.includes("unique name")) return `${String(value)}2`;
  if (hint.startsWith("Use letters"))
    return String(value).replaceAll(/\W/g, "_");
  const wrong = /: "(.)" is not allowed in it/.exec(message)?.[1];
  if (wrong !== undefined) return String(value).replaceAll(wrong, "");
  if (/a string/.test(text)) return "a";
  return /an array/.test(text) ? [] : {};
}

function at(root: unknown, keys: Keys): Json {
  // Paths lead to objects and arrays.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return keys.reduce((value, key) => (value as Json)[key], root) as Json;
}
