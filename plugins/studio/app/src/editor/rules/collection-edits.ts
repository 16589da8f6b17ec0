import type {
  Collection,
  Component,
  ProjectData,
} from "../../../../../../core/plugin-api/definition.js";
import { getCatalogEntry } from "../model/catalog.js";
import type { Editor } from "../model/editor.js";
import { updateComponent } from "../model/edits.js";
import { withUniqueNames } from "../model/rename-collections.js";
import { withNewIds } from "../model/tree.js";
import { KEYWORDS, keysOf, toCamelCase } from "../scope/path-text.js";
import { t } from "../../messages/index.js";

/** Repeats a component for each element of a list. */
export function repeatForEach(editor: Editor, id: string, path: string): void {
  const component = editor.tree.peek().entries.get(id)?.component;
  const old = component?.collection;
  const { schema } = editor.definition.peek();
  if (component && old && countNameUses(component, schema) > 0) {
    changeRepeat(editor, id, t("rules.repeatOverAnotherList"), { path });
    return;
  }
  const collectionId = proposeCollectionName(editor, path);
  const name = t("rules.repeatForEachCollectionId", { collectionId });
  replaceCollection(editor, id, name, { ...old, collectionId, path });
}

/** Stops repeating a component. */
export function stopRepeating(editor: Editor, id: string): void {
  replaceCollection(editor, id, t("rules.doNotRepeat"), undefined);
}

/** Changes properties of the collection; undefined deletes one. */
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

/** Creates an alternative to a component: a text, or the same type where no other is allowed. */
export function createAlternative(
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
      components: [
        { type: "table-cell", text: words, colspan: countCells(of) },
      ],
    });
  const made = getCatalogEntry(of.type).make();
  return withNewIds("text" in made ? { ...made, text: words } : made);
}

function countCells({ components }: Extract<Component, { type: "table-row" }>) {
  const spans = components.map((one) =>
    one.type === "table-cell" ? (one.colspan ?? 1) : 1,
  );
  return Math.max(
    1,
    spans.reduce((sum, span) => sum + span, 0),
  );
}

/**
 * Changes the collection under a new component id when its name changes: the server allows no collection to be renamed
 * because other components may refer to it.
 */
function replaceCollection(
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
  ...KEYWORDS,
  "root",
  "group",
  "item",
  "__proto__",
  "constructor",
  "prototype",
]);

/** Proposes an unused name for the elements of a list: `root.orderLines` makes `orderLine`. */
export function proposeCollectionName(editor: Editor, path: string): string {
  const last = keysOf(path)?.findLast((key) => !/^\d+$/.test(key)) ?? "item";
  // The items of a group are elements of the grouped list and get its name.
  const word =
    last === "items" ? (findGroupedList(editor, path) ?? last) : last;
  const name = toIdentifier(singularize(word));
  const taken = listTakenNames(editor);
  let free = name;
  for (let count = 2; taken.has(free) || RESERVED.has(free); count++)
    free = `${name}${count}`;
  return free;
}

/** The last key of the path of the list that was grouped. */
function findGroupedList(editor: Editor, path: string): string | undefined {
  const [owner] = keysOf(path) ?? [];
  const { repeats } = editor.scopes.peek();
  const scope = [...repeats.values()].find(
    ({ id, collection }) => id === owner && collection.groupBy,
  );
  return scope && keysOf(scope.collection.path)?.at(-1);
}

/** Guesses the English singular; other words stay. */
function singularize(word: string): string {
  if (/ies$/i.test(word)) return word.replace(/ies$/i, "y");
  if (/(?:ss|us|is)$/i.test(word)) return word;
  if (/(?:[sxz]|ch|sh)es$/i.test(word)) return word.replace(/es$/i, "");
  return word.replace(/s$/i, "");
}

function toIdentifier(word: string): string {
  const camelCase = toCamelCase(word) || "item";
  return /^[\p{L}_]/u.test(camelCase) ? camelCase : `item${camelCase}`;
}

/** Names of collections and fields; a collection with a field's name would shadow it. */
function listTakenNames(editor: Editor): Set<string> {
  const { schema } = editor.definition.peek();
  const { repeats } = editor.scopes.peek();
  return new Set([
    ...[...repeats.values()].map(({ id }) => id),
    ...schema.flatMap(({ fields }) => fields.map(({ name }) => name)),
  ]);
}

/** How many places in a component refer to its collection by name. */
export function countNameUses(
  component: Component,
  schema: ProjectData["schema"],
): number {
  const { collection } = component;
  if (!collection) return 0;
  const taken = new Set([collection.collectionId]);
  const [renamed] = withUniqueNames([component], taken, schema);
  const groups = collection.groupBy ? countGroupUses(component) : 0;
  // One of the differences is the collection's own name.
  return countDifferences(component, renamed) - 1 + groups;
}

function countDifferences(one: unknown, other: unknown): number {
  if (one === other) return 0;
  const isBranch = typeof one === "object" && one !== null;
  if (!isBranch || typeof other !== "object" || other === null) return 1;
  return Object.keys(one)
    .map((key) =>
      countDifferences(Reflect.get(one, key), Reflect.get(other, key)),
    )
    .reduce((sum, count) => sum + count, 0);
}

function countGroupUses({ collection: _own, ...rest }: Component): number {
  return JSON.stringify(rest).match(/\bgroup\s*[.[]/g)?.length ?? 0;
}
