import type {
  Collection,
  DataCollection,
  Field,
  ProjectData,
} from "../../../../core/plugin-api/definition.js";
import { lineage, type Tree } from "../model/tree.js";
import { asWords, keysOf } from "./path-text.js";

/** What the schema declares for a path; null for nothing. */
export type Shape =
  | { kind: "value"; field: Field }
  | { kind: "record" | "list"; of: DataCollection | null }
  | null;

/** The scope that a component's collection opens for its children. */
export interface RepeatScope {
  /** The collectionId. */
  id: string;
  ownerId: string;
  collection: Collection;
  parent: RepeatScope | null;
  /** The type of its elements before grouping; null when nothing is declared. */
  element: DataCollection | null;
}

/** The collection scopes of a definition; the same object until one of them changes. */
export interface SymbolTable {
  schema: readonly DataCollection[];
  /** By the component's id. */
  repeats: ReadonlyMap<string, RepeatScope>;
}

/** @param before the table before the change, which is returned when it is still valid */
export function buildSymbolTable(
  { schema }: ProjectData,
  tree: Tree,
  before: SymbolTable | null,
): SymbolTable {
  const repeats = new Map<string, RepeatScope>();
  for (const { id: ownerId, component } of tree.entries.values()) {
    const { collection } = component;
    if (!collection) continue;
    const parent = findNearestRepeat(tree, repeats, ownerId, false);
    const { collectionId: id, path, entries } = collection;
    const shape = getShapeAt({ schema }, parent, keysOf(path) ?? []);
    const element = !entries && shape && "of" in shape ? shape.of : null;
    repeats.set(ownerId, { id, ownerId, collection, parent, element });
  }
  const isSame = before?.schema === schema && areEqual(before.repeats, repeats);
  return isSame ? before : { schema, repeats };
}

function areEqual(
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

/** The innermost collection around a component. A component's alternative is outside of its collection. */
export function findNearestRepeat(
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
    const repeat = entry && isAround ? repeats.get(entry.id) : undefined;
    if (repeat) return repeat;
  }
  return null;
}

/** From the innermost collection outward. */
export function outward(scope: RepeatScope | null): RepeatScope[] {
  const scopes: RepeatScope[] = [];
  for (let current = scope; current; current = current.parent)
    scopes.push(current);
  return scopes;
}

/** The collection that the first name of a path refers to; `group` is the innermost grouped one. */
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

export function getShapeAt(
  book: Pick<SymbolTable, "schema">,
  scope: RepeatScope | null,
  keys: readonly string[],
): Shape {
  const [first, ...rest] = keys;
  if (first === undefined) return null;
  const owner = scopeNamed(first, scope);
  if (!owner && first !== "root") return findShapeByBareName(book, scope, keys);
  return findShapeBelow(
    book,
    owner ? getElementShape(owner) : getRootShape(book),
    rest,
  );
}

function findShapeByBareName(
  book: Pick<SymbolTable, "schema">,
  scope: RepeatScope | null,
  keys: readonly string[],
): Shape {
  const starts = [...outward(scope).map(getElementShape), getRootShape(book)];
  for (const start of starts) {
    const shape = findShapeBelow(book, start, keys);
    if (shape) return shape;
  }
  return null;
}

export function getRootShape({ schema }: Pick<SymbolTable, "schema">): Shape {
  const root = schema.find(({ id }) => id === "root") ?? null;
  return { kind: "record", of: root };
}

/** The shape of one iteration: an element, or a group of elements. */
export function getElementShape(scope: RepeatScope): Shape {
  const { collection, element } = scope;
  if (!collection.groupBy) return { kind: "record", of: element };
  return { kind: "record", of: createGroupCollection(scope) };
}

/** A group as a collection with its key and its elements. */
function createGroupCollection({
  element,
  collection,
  id,
}: RepeatScope): DataCollection {
  const keys = keysOf(collection.groupBy?.field ?? "") ?? [];
  const field = element?.fields.find(({ name }) => name === keys.at(-1));
  const label = field && (field.label ?? asWords(field.name));
  const type = field && !("target" in field) ? field.type : "String";
  const key: Field = { name: "key", type, ...(label && { label }) };
  const target = element?.id ?? "";
  const items: Field = { name: "items", type: "OneToManyLink", target };
  return { id, fields: [key, items] };
}

/** A path through a list leads to a list. */
function findShapeBelow(
  book: Pick<SymbolTable, "schema">,
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
    shape = field ? getFieldShape(book, field) : null;
  }
  return isList && shape?.kind === "record"
    ? { ...shape, kind: "list" }
    : shape;
}

export function getFieldShape(
  { schema }: Pick<SymbolTable, "schema">,
  field: Field,
): Shape {
  if (!("target" in field)) return { kind: "value", field };
  const of = schema.find(({ id }) => id === field.target) ?? null;
  return { kind: field.type === "OneToManyLink" ? "list" : "record", of };
}
