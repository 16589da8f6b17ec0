import type { DataCollection } from "../../schema/data-schema.js";
import { recordTypes, UNDECLARED, type RecordType } from "./record-type.js";

/** What is known before any data: the scopes around an element, innermost first, and their declared fields. */
export interface ScopeTypes {
  readonly id: string;
  readonly parent: ScopeTypes | null;
  readonly record: RecordType;
  readonly isGrouped: boolean;
}

/** The scope of the root record; the collection with the id `root` declares its fields. */
export function rootTypes(schema: readonly DataCollection[]): ScopeTypes {
  const record = recordTypes(schema).get("root") ?? UNDECLARED;
  return { id: "root", parent: null, record, isGrouped: false };
}

/** From the innermost scope outward. */
export function* scopesOutward(types: ScopeTypes): Iterable<ScopeTypes> {
  for (let scope: ScopeTypes | null = types; scope; scope = scope.parent) {
    yield scope;
  }
}

/** The scope that a path's first word means: its id, or `group` for the innermost grouped one. */
export function scopeNamed(name: string, types: ScopeTypes): ScopeTypes | null {
  for (const scope of scopesOutward(types)) {
    if (scope.id === name) return scope;
    if (name === "group" && scope.isGrouped) return scope;
  }
  return null;
}
