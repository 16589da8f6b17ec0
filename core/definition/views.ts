// What the studio shows of this capability: types and lists alone, since its pages import this file.

/** The keys that lead from a definition to a value in it. */
export type KeyPath = readonly (string | number)[];

export interface FieldReference {
  definition: unknown;
  collectionId: string;
  /** The field's name in the data. */
  name: string;
}

/** A value to set in a definition. */
export interface ValueChange {
  path: KeyPath;
  value: unknown;
}

/** Where a definition prints a field. */
export interface FieldPlace {
  /** The id of the component. */
  component: string;
  /** The trimmed text between the braces; null where a field is read outside of a Template, such as a collection. */
  expression: string | null;
}

/** A value of the sample that does not fit the schema, or a field that has none. */
export interface SampleProblem {
  /** The keys that lead to the value in the sample. */
  keys: KeyPath;
  code:
    | "missing_value"
    | "wrong_type"
    | "invalid_date"
    | "unknown_field"
    /** No problem: the field is not required. */
    | "empty_value";
  message: string;
  places: readonly FieldPlace[];
}
