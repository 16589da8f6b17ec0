import type {
  DataCollection,
  Field,
  Repeat,
  ValueType,
} from "../schema/data-schema.js";
import { type PathNode, parsePath } from "./parse.js";
import { suggestScope } from "./foreign-syntax.js";
import { type BindingProblem, didYouMean } from "./problem.js";
import type { Translations } from "./translations.js";

// Resolves which value a path means. The checker and the compiler share it, so that they always agree.

export type PathStart =
  /** The element of the scope with this id. */
  | { readonly from: "scope"; readonly id: string }
  /** A property of the scope itself: `line.number`. */
  | {
      readonly from: "own";
      readonly id: string;
      readonly property: OwnProperty;
    }
  /** The innermost element, for the fields of sort, filter and groupBy. */
  | { readonly from: "item" }
  /** A bare name that is the id of a scope: the element, or its field of that name if it is a record. */
  | {
      readonly from: "itself";
      readonly id: string;
      readonly reach: "scope" | "item";
    }
  /** A bare name: read from the innermost of these scopes that has it. */
  | {
      readonly from: "name";
      readonly name: string;
      readonly scopes: readonly string[];
    };

export interface ResolvedPath {
  readonly start: PathStart;
  /** The declared shape at the start. */
  readonly shape: Shape;
  /** The keys to read from there. */
  readonly keys: readonly string[];
  /** True when every scope declares fields and none has this name. */
  readonly isUndeclaredName?: boolean;
  /** For a bare name, the scope whose record declares it. */
  readonly declaredIn?: ScopeTypes;
}

const OWN_PROPERTIES = ["index", "number", "first", "last"] as const;
export type OwnProperty = (typeof OWN_PROPERTIES)[number];

/**
 * - `reach: "scope"`: a dotted path begins with `root`, a collectionId in scope or `group`; a bare name
 *   is looked for outward.
 * - `reach: "item"`: a path begins at the innermost element, unless its first word is a scope's.
 *
 * `<id>.index`, `.number`, `.first` and `.last` are the scope's own, except where the schema declares a field
 * of that name, and except for the root, which is no element of anything. A bare name never means them.
 * Null when the first word of a dotted path is no scope.
 */
export function resolvePath(
  node: PathNode,
  types: ScopeTypes,
  reach: "scope" | "item",
): ResolvedPath | null {
  const { keys } = node;
  const first = keys[0];
  if (reach === "item" && types.record.getShape(first)) {
    return { start: { from: "item" }, shape: toRecordShape(types), keys };
  }
  const scope = findScopeTypes(first, types);
  if (keys.length > 1 && scope) return fromScope(scope, keys);
  if (reach === "item" && scope !== types) {
    return { start: { from: "item" }, shape: toRecordShape(types), keys };
  }
  if (keys.length > 1) return null;
  return reach === "item"
    ? itself(types, reach)
    : resolveName(first, types, scope);
}

function fromScope(scope: ScopeTypes, keys: readonly string[]): ResolvedPath {
  const property = OWN_PROPERTIES.find((name) => name === keys[1]);
  const isOwn = scope.id !== "root" && property !== undefined;
  if (isOwn && !scope.record.getShape(property)) {
    const start = { from: "own", id: scope.id, property } as const;
    return { start, shape: ANY, keys: keys.slice(2) };
  }
  const start = { from: "scope", id: scope.id } as const;
  return { start, shape: toRecordShape(scope), keys: keys.slice(1) };
}

/**
 * Declared fields take precedence over scopes of that name. Scopes without declared fields are searched at merge time.
 */
function resolveName(
  name: string,
  types: ScopeTypes,
  scope: ScopeTypes | null,
): ResolvedPath {
  const scopes: string[] = [];
  for (const outer of listScopes(types)) {
    const declared = outer.record.getShape(name);
    if (declared || isOpen(outer.record)) scopes.push(outer.id);
    if (!declared) continue;
    const shape = scopes.length === 1 ? toRecordShape(outer) : ANY;
    const start = { from: "name", name, scopes } as const;
    return { start, shape, keys: [name], declaredIn: outer };
  }
  if (scope) return itself(scope, "scope");
  const all = Array.from(listScopes(types), ({ id }) => id);
  const isUndeclaredName = scopes.length === 0;
  return {
    start: { from: "name", name, scopes: all },
    shape: ANY,
    keys: [name],
    isUndeclaredName,
  };
}

function itself(scope: ScopeTypes, reach: "scope" | "item"): ResolvedPath {
  const start = { from: "itself", id: scope.id, reach } as const;
  return { start, shape: toRecordShape(scope), keys: [] };
}

function toRecordShape({ record }: ScopeTypes): Shape {
  return { kind: "one", record };
}

/** What the schema declares along a path. */
export interface Traversal {
  /** The declared shape of the value; a list when the path crosses one. */
  readonly shape: Shape;
  /** Index of the first key that reads a field of every element of a collection; -1 for none. */
  readonly crossing: number;
  readonly crossed: RecordType | null;
  /** Index of the first key that is not a declared field; -1 for none. */
  readonly undeclared: number;
  /** The fields that are declared at that point. */
  readonly declared: ReadonlySet<string>;
  /** The record type that declares each key. */
  readonly owners: readonly (RecordType | null)[];
}

const INDEX = /^\d+$/;
const NO_NAMES = new Set<string>();

export function traverseShape(path: ResolvedPath): Traversal {
  let { shape } = path;
  let crossing = -1;
  let crossed: RecordType | null = null;
  const owners: (RecordType | null)[] = [];
  for (const [at, key] of path.keys.entries()) {
    if (shape.kind === "many" && !INDEX.test(key)) {
      if (crossing < 0) [crossing, crossed] = [at, shape.record];
    }
    owners.push(findOwner(shape, key));
    const next = step(shape, key);
    if (next === null) {
      const declaredFields = "record" in shape ? shape.record.fields : NO_NAMES;
      return {
        shape: ANY,
        crossing,
        crossed,
        undeclared: at,
        declared: declaredFields,
        owners,
      };
    }
    shape = next;
  }
  const whole = crossing < 0 ? shape : asList(shape);
  return {
    shape: whole,
    crossing,
    crossed,
    undeclared: -1,
    declared: NO_NAMES,
    owners,
  };
}

function findOwner(shape: Shape, key: string): RecordType | null {
  return "record" in shape && shape.record.getShape(key) ? shape.record : null;
}

/** Null when the record declares its fields and this is not one of them. */
function step(shape: Shape, key: string): Shape | null {
  if (shape.kind === "any") return ANY;
  if (shape.kind === "scalar") return null;
  const { kind, record } = shape;
  if (kind === "many" && INDEX.test(key)) return { kind: "one", record };
  return record.getShape(key) ?? (isOpen(record) ? ANY : null);
}

function asList(shape: Shape): Shape {
  if (shape.kind !== "one") return shape;
  return { kind: "many", record: shape.record };
}

/** The types inside the elements of the collection at a path. */
export function elementTypes(
  path: PathNode,
  types: ScopeTypes,
  reach: "scope" | "item",
  id: string,
): ScopeTypes {
  const resolved = resolvePath(path, types, reach);
  const shape = resolved && traverseShape(resolved).shape;
  const record = shape && "record" in shape ? shape.record : UNDECLARED;
  return { id, parent: types, record, isGrouped: false };
}

/** A collection, before it is grouped. */
type Listing = Pick<Repeat, "path" | "entries" | "collectionId">;

/** The types of the elements of a collection, before they are grouped. @throws for a path that does not parse */
export function listTypes(repeat: Listing, types: ScopeTypes): ScopeTypes {
  const { path, entries, collectionId } = repeat;
  const { node } = parsePath(path);
  const inside = elementTypes(node, types, "scope", collectionId);
  return entries ? { ...inside, record: ENTRY } : inside;
}

/** The types of the elements or groups of a collection. @throws for a path that does not parse */
export function repeatTypes(
  repeat: Listing & Pick<Repeat, "groupBy">,
  types: ScopeTypes,
): ScopeTypes {
  const inside = listTypes(repeat, types);
  if (!repeat.groupBy) return inside;
  const record = groupType(inside.record, ANY);
  return { ...inside, record, isGrouped: true };
}

/**
 * The declared type of a field of the elements of a collection, as values are compared by it; undefined for undeclared ones.
 * @throws for a path that does not parse
 */
export function findFieldType(
  field: string,
  repeat: Listing,
  types: ScopeTypes,
): ValueType | undefined {
  const inside = listTypes(repeat, types);
  const resolved = resolvePath(parsePath(field).node, inside, "item");
  const shape = resolved && traverseShape(resolved).shape;
  if (shape?.kind !== "scalar") return undefined;
  const { type } = shape;
  return type === "Number" || type === "Date" ? type : "String";
}

/** The problem of a dotted path whose first word is not a scope. */
export function unknownScope(
  node: PathNode,
  source: string,
  types: ScopeTypes,
): BindingProblem {
  const first = node.keys[0];
  const scopes = namesAround(types);
  const text = source.slice(node.start, node.end);
  const owner = [...listScopes(types)].find(({ record }) =>
    record.getShape(first),
  );
  return {
    code: "unknown_scope",
    message:
      `"${first}" is not an enclosing collection. A dotted path starts ` +
      `with ${scopes.toReversed().join(", ")}.`,
    expression: source,
    column: node.start + 1,
    hint: owner
      ? `Did you mean ${owner.id}.${text}?`
      : (suggestScope(text) ??
        didYouMean(first, scopes).hint ??
        `Start the path with root, or move it into a component whose collectionId is "${first}".`),
  };
}

/** The words that a dotted path may start with, innermost first. */
function namesAround(types: ScopeTypes): string[] {
  const scopes = [...listScopes(types)];
  const names = scopes.map(({ id }) => id);
  const isGrouped = scopes.some((scope) => scope.isGrouped);
  return [...new Set(isGrouped ? ["group", ...names] : names)];
}

/** A symbol table: the scopes around a component, innermost first, and their declared fields. */
export interface ScopeTypes {
  readonly id: string;
  readonly parent: ScopeTypes | null;
  readonly record: RecordType;
  readonly isGrouped: boolean;
  /** Of the root: the texts that `t` may print, where they are checked. */
  readonly translations?: Translations;
  /** Of the root: the locale of the definition, unless it is taken from the record. */
  readonly locale?: string;
}

/** What all documents of a definition have in common. */
export interface SharedLanguage {
  readonly translations: Translations;
  /** Absent when the record brings it. */
  readonly locale?: string;
}

/** The scope of the root record, whose fields the collection `root` declares. */
export function rootTypes(
  schema: readonly DataCollection[],
  language?: SharedLanguage,
): ScopeTypes {
  const record = recordTypes(schema).get("root") ?? UNDECLARED;
  return {
    id: "root",
    parent: null,
    record,
    isGrouped: false,
    ...language,
  };
}

/** The scope of the records of each collection, inside of the root's: what a computed field of the collection can read. */
export function collectionTypes(
  schema: readonly DataCollection[],
  language?: SharedLanguage,
): ReadonlyMap<string, ScopeTypes> {
  const records = recordTypes(schema);
  const record = records.get("root") ?? UNDECLARED;
  const root = { ...rootTypes([], language), record };
  const scopes = new Map<string, ScopeTypes>();
  for (const [id, recordType] of records)
    scopes.set(
      id,
      id === "root"
        ? root
        : { id, parent: root, record: recordType, isGrouped: false },
    );
  return scopes;
}

/** Lists the scopes from the innermost outward. */
export function* listScopes(types: ScopeTypes): Iterable<ScopeTypes> {
  for (let scope: ScopeTypes | null = types; scope; scope = scope.parent) {
    yield scope;
  }
}

/** Finds the scope that the first word of a path means: an id, or `group` for the innermost grouped scope. */
function findScopeTypes(name: string, types: ScopeTypes): ScopeTypes | null {
  for (const scope of listScopes(types)) {
    if (scope.id === name) return scope;
    if (name === "group" && scope.isGrouped) return scope;
  }
  return null;
}

/** The declared shape of a value; `any` for undeclared data. */
export type Shape =
  | { readonly kind: "any" }
  | { readonly kind: "scalar"; readonly type: string }
  | { readonly kind: "one"; readonly record: RecordType }
  | { readonly kind: "many"; readonly record: RecordType };

/** The declared fields of one kind of record. */
interface RecordType {
  readonly name: string;
  /** Empty when nothing is declared; any field may then exist. */
  readonly fields: ReadonlySet<string>;
  getShape(field: string): Shape | null;
}

export const ANY: Shape = { kind: "any" };

/** A record without declared fields. */
export const UNDECLARED: RecordType = {
  name: "",
  fields: NO_NAMES,
  getShape: () => null,
};

export function isOpen(record: RecordType): boolean {
  return record.fields.size === 0;
}

/** The record type of each collection by id. Links may be circular. */
function recordTypes(
  schema: readonly DataCollection[],
): ReadonlyMap<string, RecordType> {
  const types = new Map<string, RecordType>();
  for (const { id, fields } of schema) {
    const byName = new Map(fields.map((field) => [field.name, field]));
    types.set(id, {
      name: id,
      fields: new Set(byName.keys()),
      getShape(name) {
        const field = byName.get(name);
        return field ? fieldShape(field, types) : null;
      },
    });
  }
  return types;
}

function fieldShape(
  field: Field,
  types: ReadonlyMap<string, RecordType>,
): Shape {
  switch (field.type) {
    case "OneToOneLink":
      return { kind: "one", record: types.get(field.target) ?? UNDECLARED };
    case "OneToManyLink":
      return { kind: "many", record: types.get(field.target) ?? UNDECLARED };
    default:
      return { kind: "scalar", type: field.type };
  }
}

/** The record type of a group: its key and its records. */
export function groupType(of: RecordType, key: Shape): RecordType {
  return createType("group", { key, items: { kind: "many", record: of } });
}

/** The record type of a key of an object with its value, which no collection of the schema declares. */
export const ENTRY = createType("", {
  key: { kind: "scalar", type: "String" },
  value: ANY,
});

function createType(
  name: string,
  fields: Readonly<Record<string, Shape>>,
): RecordType {
  return {
    name,
    fields: new Set(Object.keys(fields)),
    getShape: (field) =>
      Object.hasOwn(fields, field) ? (fields[field] ?? null) : null,
  };
}
