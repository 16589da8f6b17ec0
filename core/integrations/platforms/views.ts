import type { Field, FieldType } from "../../plugin-api/definition.js";
import type { Problem } from "../../plugin-api/errors.js";
import type { DateOrder, TableColumn } from "../../plugin-api/file-reader.js";
import type { DecimalMark } from "../../plugin-api/number-text.js";
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

/** What pasted rows become: entries of a list of the record, the record, or a new list. */
export type RowsTarget = `list:${string}` | "record" | "new";

/** Pasted rows, as a batch of the same file would have them. */
export interface ReadRows {
  target: RowsTarget;
  /** The number of the row that names the columns, from 1; 0 when none does, null for JSON. */
  headerRow: number | null;
  isHeaderUnclear: boolean;
  columns: PastedColumn[];
  /** The names of columns that are left out, since the template calculates their fields. */
  calculated: string[];
  /** The decimal mark, and the order of dates, by which texts are read; null for one that must be given. */
  decimal: DecimalMark | null;
  dateFormat: DateOrder | null;
  records: Record<string, unknown>[];
  /** Why the rows cannot be used. */
  problems: TableProblem[];
}

/** What can be wrong with a table: its columns, its rows, the values of its cells, and the rows of a list. */
export const TABLE_PROBLEM_CODES = [
  "no_column",
  "missing_column",
  "unknown_column",
  "unclear_column",
  "linked_field",
  "repeated_column",
  "unclear_header",
  "repeated_header",
  "too_many_values",
  "merged_cells",
  "missing_value",
  "no_value",
  "formula_error",
  "uncalculated_formula",
  "unusable_number",
  "not_a_number",
  "ambiguous_number",
  "mixed_decimal_marks",
  "mixed_percentages",
  "mixed_currencies",
  "looks_like_code",
  "number_with_unit",
  "not_a_date",
  "ambiguous_date",
  "mixed_date_orders",
  "not_a_boolean",
  "ambiguous_boolean",
  "wrong_type",
  "no_key",
  "similar_keys",
  "total_row",
  "note_row",
  "conflicting_values",
  "list_in_rows",
  "list_in_sheet",
  "documents_in_sheet",
  "line_without_row",
  "repeated_key",
] as const;
export type TableProblemCode = (typeof TABLE_PROBLEM_CODES)[number];

/** Where a problem is, and what its sentence says; each code has those that it needs. */
export interface TableProblemValues {
  /** That of line items, or one that has the documents; the sheet that is read has no name here. */
  sheet?: string;
  row?: number;
  column?: string;
  /** The path of the field, or of the list. */
  field?: string;
  /** The value, or its first 60 characters; or the name that columns share. */
  text?: string;
  /** What it differs from, and the row that has it; or the unit of a number. */
  other?: string;
  otherRow?: number;
  /** The numbers, or the orders of dates, that the text may be. */
  readings?: string[];
  /** The fields that the column fits or of the linked record, or the lists. */
  fields?: string[];
  /** The columns that fit the list, or fields of the documents. */
  columns?: string[];
  /** How many values a row has, or how many rows look like documents. */
  count?: number;
  documentCount?: number;
  /** The cells that are merged. */
  range?: string;
}

export interface TableProblem extends Problem {
  code: TableProblemCode;
  values: TableProblemValues;
}

interface PastedColumn extends Pick<
  TableColumn,
  "name" | "decimal" | "dateOrder"
> {
  /** The keys of its values in a record. */
  path: readonly string[];
  /** Null for JSON that has no field, which has types of its own. */
  field: Field | null;
  /** Whether the field has to be added. */
  isNew: boolean;
}
