import type {
  Collection,
  Component,
  ProjectData,
} from "../../../../../../core/plugin-api/definition.js";
import { catalogEntry } from "../model/catalog.js";
import type { Editor } from "../model/editor.js";
import { updateComponent } from "../model/edits.js";
import { withFreeNames } from "../model/rename-collections.js";
import { withNewIds } from "../model/tree.js";
import { keysOf } from "../scope/path-text.js";

// What a person does to the collection of a component, each one step.

/** Repeats a component for each element of a list, or over another list. */
export function repeatOver(editor: Editor, id: string, path: string): void {
  const component = editor.tree.peek().entries.get(id)?.component;
  const old = component?.collection;
  const { schema } = editor.definition.peek();
  if (component && old && nameUses(component, schema) > 0) {
    changeRepeat(editor, id, "Repeat over another list", { path });
    return;
  }
  const collectionId = proposeName(editor, path);
  const name = `Repeat for each ${collectionId}`;
  withoutPast(editor, id, name, { ...old, collectionId, path });
}

/** The component is there once again, or not at all where its list is its only reason. */
export function repeatNoMore(editor: Editor, id: string): void {
  withoutPast(editor, id, "Do not repeat", undefined);
}

/** Changes parts of the collection; what is undefined is taken away. */
export function changeRepeat(
  editor: Editor,
  id: string,
  name: string,
  part: Partial<Collection>,
  thread: string | null = null,
): void {
  updateComponent(
    editor,
    id,
    name,
    (draft) => {
      if (!draft.collection) return;
      for (const [key, value] of Object.entries(part))
        if (value === undefined) Reflect.deleteProperty(draft.collection, key);
        else Reflect.set(draft.collection, key, value);
    },
    thread,
  );
}

/** What stands in for a component, ready to be changed: of its kind where nothing else may stand there. */
export function standIn(
  editor: Editor,
  of: Component,
  words: string,
): Component {
  const { requiredParents, topLevel } = editor.design;
  const isBound = of.type in requiredParents || topLevel.includes(of.type);
  if (!isBound) return withNewIds({ type: "text", text: words });
  if (of.type === "table-row")
    return withNewIds({
      type: "table-row",
      components: [{ type: "table-cell", text: words, colspan: cellsOf(of) }],
    });
  const made = catalogEntry(of.type).make();
  return withNewIds("text" in made ? { ...made, text: words } : made);
}

function cellsOf({ components }: Extract<Component, { type: "table-row" }>) {
  const spans = components.map((one) =>
    one.type === "table-cell" ? (one.colspan ?? 1) : 1,
  );
  return Math.max(
    1,
    spans.reduce((sum, span) => sum + span, 0),
  );
}

/**
 * A component that repeats under another name, or no more, is another component to the service, which lets nobody
 * rename a collection: others may read it by its name.
 */
function withoutPast(
  editor: Editor,
  id: string,
  name: string,
  collection: Collection | undefined,
): void {
  const old = editor.tree.peek().entries.get(id)?.component.collection;
  const isSame = old?.collectionId === collection?.collectionId;
  const next = old && !isSame ? crypto.randomUUID() : id;
  updateComponent(editor, id, name, (draft) => {
    draft.id = next;
    if (collection) draft.collection = collection;
    else delete draft.collection;
  });
  if (editor.mayEdit && editor.selected.peek() === id)
    editor.selected.value = next;
}

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

/** How many places in a component read the elements of its collection by their name. */
export function nameUses(
  component: Component,
  schema: ProjectData["schema"],
): number {
  const { collection } = component;
  if (!collection) return 0;
  const taken = new Set([collection.collectionId]);
  const [renamed] = withFreeNames([component], taken, schema);
  const groups = collection.groupBy ? groupUses(component) : 0;
  // The collection's own name is one of the differences.
  return differences(component, renamed) - 1 + groups;
}

function differences(one: unknown, other: unknown): number {
  if (one === other) return 0;
  const isBranch = typeof one === "object" && one !== null;
  if (!isBranch || typeof other !== "object" || other === null) return 1;
  return Object.keys(one)
    .map((key) => differences(Reflect.get(one, key), Reflect.get(other, key)))
    .reduce((sum, count) => sum + count, 0);
}

function groupUses({ collection: _own, ...rest }: Component): number {
  return JSON.stringify(rest).match(/\bgroup\s*[.[]/g)?.length ?? 0;
}
