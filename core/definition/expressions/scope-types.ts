import type { DataCollection, Field } from "../schema/data-schema.js";

/** A symbol table: the scopes around a component, innermost first, and their declared fields. */
export interface ScopeTypes {
  readonly id: string;
  readonly parent: ScopeTypes | null;
  readonly record: RecordType;
  readonly isGrouped: boolean;
}

/** The scope of the root record, whose fields the collection `root` declares. */
export function rootTypes(schema: readonly DataCollection[]): ScopeTypes {
  const record = recordTypes(schema).get("root") ?? UNDECLARED;
  return { id: "root", parent: null, record, isGrouped: false };
}

/** Lists the scopes from the innermost outward. */
export function* listScopes(types: ScopeTypes): Iterable<ScopeTypes> {
  for (let scope: ScopeTypes | null = types; scope; scope = scope.parent) {
    yield scope;
  }
}

/** Finds the scope that the first word of a path means: an id, or `group` for the innermost grouped scope. */
export function findScopeTypes(
  name: string,
  types: ScopeTypes,
): ScopeTypes | null {
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
export interface RecordType {
  readonly name: string;
  /** Empty when nothing is declared; any field may then exist. */
  readonly fieldNames: readonly string[];
  getShape(field: string): Shape | null;
}

export const ANY: Shape = { kind: "any" };

/** A record without declared fields. */
export const UNDECLARED: RecordType = {
  name: "",
  fieldNames: [],
  getShape: () => null,
};

export function isOpen(record: RecordType): boolean {
  return record.fieldNames.length === 0;
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
      fieldNames: [...byName.keys()],
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
  const fields: Record<string, Shape> = {
    key,
    items: { kind: "many", record: of },
  };
  return {
    name: "group",
    fieldNames: Object.keys(fields),
    getShape: (name) =>
      Object.hasOwn(fields, name) ? (fields[name] ?? null) : null,
  };
}
