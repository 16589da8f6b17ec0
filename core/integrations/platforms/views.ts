import type { FieldType } from "../../plugin-api/definition.js";
import type {
  FieldInfo,
  ViewInfo,
  WriteMode,
} from "../../plugin-api/platform-plugin.js";

// What the studio shows of this capability: types and lists alone, since its pages import this file.

/** A table of a platform, reached through a connection of the organization. */
export interface TableLocation {
  connectionId: string;
  /** Null when the platform has no bases. */
  baseId: string | null;
  tableId: string;
}

export interface ShownTable {
  id: string;
  name: string;
  fields: FieldInfo[];
}

/** A table, and where its documents can be stored. */
export interface OpenedTable extends ShownTable {
  connectionName: string;
  platform: { id: string; title: string };
  /** The field that names a record; null when there is none. */
  primaryFieldId: string | null;
  /** The fields that accept files. */
  fileFieldIds: string[];
  /** How long the links in fields that store an `expiring-link` work. */
  linkLifetimeHours: number;
  /** What can happen to the files that a cell already contains. */
  modes: readonly WriteMode[];
  /** The views whose records a button can take. */
  views: ViewInfo[];
  /** Whether a button can take all records without a file. */
  listsRows: boolean;
}

export interface TableRecord {
  id: string;
  /** From the primary field; its id without one. */
  name: string;
}

/** A field of a template, and the field of the table that fills it. */
export interface MappedField {
  name: string;
  label: string;
  type: FieldType;
  /** The collection that a link leads to. */
  target: string | null;
  /** The id of the table's field; "": the field remains empty; null: no field matches, and the user has to choose. */
  source: string | null;
}

/** A collection of a template, and the table that fills it. */
export interface MappedCollection {
  id: string;
  label: string;
  table: ShownTable;
  fields: MappedField[];
  /** The values of the first record as text, by the id of the table's field. */
  samples: Record<string, string>;
}

/** The user's choices of table fields, by `collection.field`; `""` for fields that remain empty. */
export type ChosenSources = Readonly<Record<string, string>>;
