import type { AppVisitor } from "./app-plugin.js";
import type { FieldType, ProjectData } from "./definition.js";
import type { FieldInfo, WriteMode } from "./platform-plugin.js";

// What it takes to lay a button into somebody's table: the table as it is, its first records, a template made of it, and
// which of its fields fill a template.

/** A table of a platform, through one of the organization's connections. */
export interface TablePlace {
  connectionId: string;
  /** Null where the platform has no bases. */
  baseId: string | null;
  tableId: string;
}

export interface ShownTable {
  id: string;
  name: string;
  fields: FieldInfo[];
}

/** A table, and where its documents can go. */
export interface OpenedTable extends ShownTable {
  connectionName: string;
  platform: { id: string; title: string };
  /** By which people know a record; null when none does. */
  primaryFieldId: string | null;
  /** Ids of the fields that take files. */
  fileFieldIds: string[];
  /** What can be done with a file that a cell holds already. */
  modes: readonly WriteMode[];
}

export interface TableRecord {
  id: string;
  /** As people know it; its id when that is all there is. */
  name: string;
}

/** A field of a template, and what fills it. */
export interface MappedField {
  name: string;
  label: string;
  type: FieldType;
  /** The collection that a link leads to. */
  target: string | null;
  /** Of the table's field; "": it stays empty; null: nothing fits, and somebody has to choose. */
  source: string | null;
}

/** A collection of a template, and the table from which it is filled. */
export interface MappedCollection {
  id: string;
  label: string;
  table: ShownTable;
  fields: MappedField[];
  /** What the fields of the first record hold, by the field's id, as text. */
  samples: Record<string, string>;
}

/** Fields that somebody has chosen, as `collection.field`; `""` for what stays empty. */
export type ChosenSources = Readonly<Record<string, string>>;

/** Steps towards a button in a table. All reject with PlatenError, in the platform's own words where it refuses. */
export interface AppWizard {
  table(visitor: AppVisitor, place: TablePlace): Promise<OpenedTable>;
  /** The first that hold the text in the field by which people know them; null: this platform cannot look for records. */
  records(
    visitor: AppVisitor,
    place: TablePlace,
    text: string,
  ): Promise<TableRecord[] | null>;
  /** A first template of the table's own fields, not saved; its sample is the first record. */
  draft(visitor: AppVisitor, place: TablePlace): Promise<ProjectData>;
  /** Which fields fill the template: those chosen, those it names itself, and for the rest what comes nearest. */
  mapping(
    visitor: AppVisitor,
    place: TablePlace,
    templateId: string,
    chosen: ChosenSources,
  ): Promise<MappedCollection[]>;
}
