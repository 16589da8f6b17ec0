import { keysOf } from "../scope/path-text.js";
import type { Editor } from "../model/editor.js";

const RESERVED: ReadonlySet<string> = new Set([
  "root",
  "group",
  "item",
  "__proto__",
  "constructor",
  "prototype",
  "and",
  "or",
  "not",
  "if",
  "else",
  "true",
  "false",
  "null",
]);

/** What one of a list is called: `root.orderLines` makes `orderLine`. Free in the template, and a name that paths may begin with. */
export function proposeName(editor: Editor, path: string): string {
  const last = keysOf(path)?.findLast((key) => !/^\d+$/.test(key)) ?? "item";
  // The elements of a group are the list's own: they are called as one of them.
  const word = last === "items" ? (listBehind(editor, path) ?? last) : last;
  const name = identifier(singular(word));
  const taken = takenNames(editor);
  let free = name;
  for (let count = 2; taken.has(free) || RESERVED.has(free); count++)
    free = `${name}${count}`;
  return free;
}

/** The last word of the path that a group was made of. */
function listBehind(editor: Editor, path: string): string | undefined {
  const [owner] = keysOf(path) ?? [];
  const { repeats } = editor.scopes.peek();
  const scope = [...repeats.values()].find(
    ({ id, collection }) => id === owner && collection.groupBy,
  );
  return scope && keysOf(scope.collection.path)?.at(-1);
}

/** An English guess; whatever is no plural stays. */
function singular(word: string): string {
  if (/ies$/i.test(word)) return word.replace(/ies$/i, "y");
  if (/(?:ss|us|is)$/i.test(word)) return word;
  if (/(?:[sxz]|ch|sh)es$/i.test(word)) return word.replace(/es$/i, "");
  return word.replace(/s$/i, "");
}

function identifier(word: string): string {
  const [first = "item", ...rest] = word.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  const joined = rest.reduce(
    (text, part) => text + part.charAt(0).toUpperCase() + part.slice(1),
    first.charAt(0).toLowerCase() + first.slice(1),
  );
  return /^[\p{L}_]/u.test(joined) ? joined : `item${joined}`;
}

/** A collection of a field's name would hide it. */
function takenNames(editor: Editor): Set<string> {
  const { schema } = editor.definition.peek();
  const { repeats } = editor.scopes.peek();
  return new Set([
    ...[...repeats.values()].map(({ id }) => id),
    ...schema.flatMap(({ fields }) => fields.map(({ name }) => name)),
  ]);
}
