// The fields of a definition's schema, and where they are read.

/** Keys from the definition inward. */
export type KeyPath = readonly (string | number)[];

export interface FieldQuestion {
  definition: unknown;
  /** Of the schema. */
  collectionId: string;
  /** The field's name in the data. */
  name: string;
}

/** A value that stands at a place of the definition from now on. */
export interface ValueChange {
  path: KeyPath;
  value: unknown;
}

/** Whatever the definition's problems are: what is ill-formed reads nothing. */
export interface AppFields {
  /** Where the strings stand that read the field, once for each time. */
  uses(question: FieldQuestion): KeyPath[];
  /**
   * What to change so that the field has another name wherever it is read, and in the sample.
   * @throws PlatenError `invalid_request` for a name that is taken, or that would mean something else somewhere.
   */
  rename(question: FieldQuestion, to: string): ValueChange[];
}
