import type {
  Collection,
  Component,
  ComponentOf,
  GroupBy,
  ProjectData,
} from "../../../../core/plugin-api/definition.js";
import { getCatalogEntry } from "../model/catalog.js";
import type { Editor } from "../model/editor.js";
import { updateComponent } from "../model/edits.js";
import { withUniqueNames } from "../model/rename-collections.js";
import { at, type Entry, withNewIds } from "../model/tree.js";
import {
  getChipKind,
  parseChip,
  serializeChip,
  toElementExpression,
} from "../text/chip.js";
import { isChip } from "../text/template.js";
import { KEYWORDS, keysOf, toCamelCase } from "../scope/path-text.js";
import { t } from "../../messages/index.js";

/** @param isObject whether to repeat for the keys of an object */
export function repeatForEach(
  editor: Editor,
  id: string,
  path: string,
  isObject = false,
): void {
  const component = editor.tree.peek().entries.get(id)?.component;
  const old = component?.collection;
  const { schema } = editor.definition.peek();
  if (component && old && countNameUses(component, schema) > 0) {
    changeRepeat(editor, id, t("rules.repeatOverAnotherList"), {
      path,
      entries: isObject || undefined,
    });
    return;
  }
  const collectionId = proposeCollectionName(editor, path);
  const name = t("rules.repeatForEachCollectionId", { collectionId });
  const { entries: _old, ...rest } = { ...old };
  replaceCollection(editor, id, name, {
    ...rest,
    collectionId,
    path,
    ...(isObject && { entries: true }),
  });
}

export function stopRepeating(editor: Editor, id: string): void {
  replaceCollection(editor, id, t("rules.doNotRepeat"), undefined);
}

/** Undefined deletes a property. */
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

/**
 * Groups the list that a component repeats for, as one step. A table row, and a component that prints fields of its
 * elements, then repeats inside a group with a heading and, for a row with numbers, a subtotal; another one repeats for
 * each group itself.
 */
export function groupList(editor: Editor, id: string, groupBy: GroupBy): void {
  const entry = editor.tree.peek().entries.get(id);
  const collection = entry?.component.collection;
  if (!entry || !collection) return;
  const { component } = entry;
  const { schema } = editor.definition.peek();
  // A row cannot contain the rows of its items.
  const isRow = component.type === "table-row";
  const isUsed = isRow || countNameUses(component, schema) > 0;
  if (collection.groupBy || !isUsed) {
    changeRepeat(editor, id, t("rules.changeGroups"), { groupBy });
    return;
  }
  const groupId = toFreeName(editor, `${collection.collectionId}Group`);
  const { condition, collection: _own, ...plain } = component;
  const { collectionId } = collection;
  // Grouping comes after filtering and sorting, and the alternatives are for the whole list.
  const inner: Component = {
    ...plain,
    collection: { collectionId, path: `${groupId}.items` },
  };
  const heading = createGroupHeading(editor, entry, groupId, groupBy);
  const subtotal = createSubtotal(editor, entry, groupId);
  const group: Component = {
    id: crypto.randomUUID(),
    type: "fragment",
    ...(condition && { condition }),
    collection: { ...collection, collectionId: groupId, groupBy },
    components: [heading, inner, ...(subtotal ? [subtotal] : [])].map(
      (child) => (child === inner ? child : withNewIds(child)),
    ),
  };
  replaceComponent(editor, entry, group, t("rules.changeGroups"));
  if (editor.mayEdit) editor.selected.value = group.id ?? null;
}

/** The group's key in bold, in a row of its own in a table. */
function createGroupHeading(
  editor: Editor,
  { component }: Entry,
  groupId: string,
  { type }: GroupBy,
): Component {
  const format = type === "Date" ? ' | date("medium")' : "";
  const key = `{{ ${groupId}.key${format} }}`;
  const style = { "font-weight": "600" };
  if (component.type === "table-row")
    return {
      type: "table-row",
      components: [
        {
          type: "table-cell",
          text: key,
          colspan: countCells(component),
          style,
        },
      ],
    };
  const { requiredParents, topLevel } = editor.design;
  const { type: componentType } = component;
  if (componentType in requiredParents || topLevel.includes(componentType)) {
    const made = createAlternative(editor, component, key);
    return { ...made, style: { ...made.style, ...style } };
  }
  return { type: "heading", level: 3, text: key };
}

/** A row with the sum of the last column that prints a number of each element; null without such a column. */
function createSubtotal(
  editor: Editor,
  { id, component }: Entry,
  groupId: string,
): Component | null {
  const name = component.collection?.collectionId;
  if (component.type !== "table-row" || name === undefined) return null;
  const sums = component.components.map((child) =>
    child.type === "table-cell"
      ? createSum(editor, id, child, name, groupId)
      : null,
  );
  const last = sums.findLastIndex((sum) => sum !== null);
  if (last < 0) return null;
  return {
    type: "table-row",
    components: component.components.flatMap((child, index): Component[] => {
      if (child.type !== "table-cell") return [];
      const { id: _id, components: _inner, condition: _shown, ...cell } = child;
      const label = index === 0 && last > 0 ? t("rules.subtotal") : "";
      const text = index === last ? (sums[last] ?? "") : label;
      const style = { ...cell.style, "font-weight": "600" };
      return [{ ...cell, text, style }];
    }),
  };
}

/** The sum of what a cell prints of each element; null unless that is one number. */
function createSum(
  editor: Editor,
  owner: string,
  { text }: ComponentOf<"table-cell">,
  name: string,
  groupId: string,
): string | null {
  const source = typeof text === "string" ? text.trim() : "";
  const value = isChip(source) ? parseChip(source) : null;
  if (!value || getChipKind(editor, owner, value.base) !== "Number")
    return null;
  const field = toElementExpression(value.base, name);
  if (field === null) return null;
  const { filters } = value;
  const sum = `SUM(${groupId}.items, ${field})`;
  const keptFilters = filters.filter((filter) => filter.name !== "default");
  return serializeChip({
    base: { kind: "formula", text: sum, parts: null },
    filters: keptFilters,
  });
}

/** Replaces a component by one that contains it. */
function replaceComponent(
  editor: Editor,
  { path }: Entry,
  next: Component,
  name: string,
): void {
  editor.change(name, (draft) => {
    const list: unknown = at(draft, path.slice(0, -1));
    if (Array.isArray(list)) list[Number(path.at(-1))] = next;
  });
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
  const spans = components.map((cell) =>
    cell.type === "table-cell" ? (cell.colspan ?? 1) : 1,
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
  return toFreeName(editor, toIdentifier(singularize(word)));
}

/** The name, with a number appended if it is taken or reserved. */
function toFreeName(editor: Editor, name: string): string {
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

function countDifferences(value: unknown, other: unknown): number {
  if (value === other) return 0;
  const isBranch = typeof value === "object" && value !== null;
  if (!isBranch || typeof other !== "object" || other === null) return 1;
  return Object.keys(value)
    .map((key) =>
      countDifferences(Reflect.get(value, key), Reflect.get(other, key)),
    )
    .reduce((sum, count) => sum + count, 0);
}

function countGroupUses({ collection: _own, ...rest }: Component): number {
  return JSON.stringify(rest).match(/\bgroup\s*[.[]/g)?.length ?? 0;
}
