import type {
  Collection,
  DataCollection,
  Field,
  ProjectData,
} from "../../../../../../core/plugin-api/definition.js";
import { lineage, type Tree } from "../model/tree.js";
import { asWords, keysOf } from "./path-text.js";

/** What a path leads to, as the schema has it; null where nothing is declared. */
export type Shape =
  | { kind: "value"; field: Field }
  | { kind: "record" | "list"; of: DataCollection | null }
  | null;

/** What a component's collection makes known to what stands in it. */
export interface RepeatScope {
  /** The collectionId. */
  id: string;
  ownerId: string;
  collection: Collection;
  parent: RepeatScope | null;
  /** What its elements are, before they are grouped; null where nothing is declared. */
  element: DataCollection | null;
}

/** The collections of a definition and what is known in them; the same object as long as nothing of that changes. */
export interface ScopeBook {
  schema: readonly DataCollection[];
  /** By the component's id. */
  repeats: ReadonlyMap<string, RepeatScope>;
}

/** @param before what it was before the change, which is kept where it still holds */
export function scopeBook(
  { schema }: ProjectData,
  tree: Tree,
  before: ScopeBook | null,
): ScopeBook {
  const repeats = new Map<string, RepeatScope>();
  for (const { id: ownerId, component } of tree.entries.values()) {
    const { collection } = component;
    if (!collection) continue;
    const parent = nearestRepeat(tree, repeats, ownerId, false);
    const { collectionId: id, path } = collection;
    const shape = shapeAt({ schema }, parent, keysOf(path) ?? []);
    const element = shape && "of" in shape ? shape.of : null;
    repeats.set(ownerId, { id, ownerId, collection, parent, element });
  }
  const isSame = before?.schema === schema && areSame(before.repeats, repeats);
  return isSame ? before : { schema, repeats };
}

function areSame(
  a: ReadonlyMap<string, RepeatScope>,
  b: ReadonlyMap<string, RepeatScope>,
): boolean {
  if (a.size !== b.size) return false;
  return [...b].every(([id, { collection, parent }]) => {
    const other = a.get(id);
    return (
      other?.collection === collection &&
      other.parent?.ownerId === parent?.ownerId
    );
  });
}

/** The innermost collection around a component. What stands in for a component is outside of that one's collection. */
export function nearestRepeat(
  tree: Tree,
  repeats: ReadonlyMap<string, RepeatScope>,
  id: string,
  countsItself: boolean,
): RepeatScope | null {
  const line = lineage(tree, id);
  for (let at = line.length - 1; at >= 0; at--) {
    const entry = line[at];
    const inner = line[at + 1];
    const isAround = inner ? inner.slot === "components" : countsItself;
    const found = entry && isAround ? repeats.get(entry.id) : undefined;
    if (found) return found;
  }
  return null;
}

/** From the innermost collection outward. */
export function outward(scope: RepeatScope | null): RepeatScope[] {
  const found: RepeatScope[] = [];
  for (let one = scope; one; one = one.parent) found.push(one);
  return found;
}

/** The collection that a path's first word means; `group` is the innermost grouped one. */
export function scopeNamed(
  name: string,
  scope: RepeatScope | null,
): RepeatScope | null {
  const around = outward(scope);
  return (
    around.find(
      ({ id, collection }) =>
        id === name || (name === "group" && collection.groupBy),
    ) ?? null
  );
}

/** What the schema says of the value at a path. */
export function shapeAt(
  book: Pick<ScopeBook, "schema">,
  scope: RepeatScope | null,
  keys: readonly string[],
): Shape {
  const [first, ...rest] = keys;
  if (first === undefined) return null;
  const owner = scopeNamed(first, scope);
  if (!owner && first !== "root") return shapeOfName(book, scope, keys);
  return shapeBelow(book, owner ? elementShape(owner) : rootShape(book), rest);
}

function shapeOfName(
  book: Pick<ScopeBook, "schema">,
  scope: RepeatScope | null,
  keys: readonly string[],
): Shape {
  const starts = [...outward(scope).map(elementShape), rootShape(book)];
  for (const start of starts) {
    const found = shapeBelow(book, start, keys);
    if (found) return found;
  }
  return null;
}

export function rootShape({ schema }: Pick<ScopeBook, "schema">): Shape {
  const root = schema.find(({ id }) => id === "root") ?? null;
  return { kind: "record", of: root };
}

/** What one round is: an element, or a group of them. */
export function elementShape(scope: RepeatScope): Shape {
  const { collection, element } = scope;
  if (!collection.groupBy) return { kind: "record", of: element };
  return { kind: "record", of: groupOf(scope) };
}

/** A group as a collection of its own, with a key and the elements of the group. */
function groupOf({ element, collection, id }: RepeatScope): DataCollection {
  const keys = keysOf(collection.groupBy?.field ?? "") ?? [];
  const field = element?.fields.find(({ name }) => name === keys.at(-1));
  const label = field && (field.label ?? asWords(field.name));
  const type = field && !("target" in field) ? field.type : "String";
  const key: Field = { name: "key", type, ...(label && { label }) };
  const target = element?.id ?? "";
  const items: Field = { name: "items", type: "OneToManyLink", target };
  return { id, fields: [key, items] };
}

/** A path goes through lists as well: then it is a list of what it leads to. */
function shapeBelow(
  book: Pick<ScopeBook, "schema">,
  start: Shape,
  keys: readonly string[],
): Shape {
  let shape = start;
  let isList = false;
  for (const key of keys) {
    if (!shape || !("of" in shape)) return null;
    if (shape.kind === "list" && /^\d+$/.test(key)) {
      shape = { kind: "record", of: shape.of };
      continue;
    }
    isList ||= shape.kind === "list";
    const field = shape.of?.fields.find(({ name }) => name === key);
    shape = field ? fieldShape(book, field) : null;
  }
  return isList && shape?.kind === "record"
    ? { ...shape, kind: "list" }
    : shape;
}

export function fieldShape(
  { schema }: Pick<ScopeBook, "schema">,
  field: Field,
): Shape {
  if (!("target" in field)) return { kind: "value", field };
  const of = schema.find(({ id }) => id === field.target) ?? null;
  return { kind: field.type === "OneToManyLink" ? "list" : "record", of };
}
