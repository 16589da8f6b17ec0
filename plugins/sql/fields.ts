import {
  type FieldInfo,
  type FieldKind,
  PlatformError,
  type TableInfo,
} from "../../core/plugin-api/index.js";
import type { Catalog, SqlColumn, SqlReference, SqlTable } from "./catalog.js";
import type { SqlSettings } from "./credentials.js";
import { isNumber } from "./statement.js";

export function isBlob({ type }: SqlColumn): boolean {
  return /blob|^bytea|binary/.test(type);
}

export function takesLinks(
  { linkColumns }: SqlSettings,
  table: SqlTable,
  column: SqlColumn,
): boolean {
  return linkColumns.includes(`${table.name}.${column.name}`);
}

const kinds: readonly (readonly [RegExp, FieldKind])[] = [
  [/^bool|^tinyint\(1\)|^bit\(1\)/, "boolean"],
  [/^date|^timestamp/, "date"],
  [/^json/, "json"],
  [/^enum|^set\(/, "select"],
];

export function columnKind(
  settings: SqlSettings,
  table: SqlTable,
  column: SqlColumn,
): FieldKind {
  if (isBlob(column) || takesLinks(settings, table, column))
    return "attachment";
  const [, kind] = kinds.find(([type]) => type.test(column.type)) ?? [];
  return kind ?? (isNumber(column) ? "number" : "text");
}

/** The references of a table to others, by the column that is their field. */
export function linksOut(
  { references }: Catalog,
  { name }: SqlTable,
): Map<string, SqlReference> {
  return new Map(
    references
      .filter(({ table }) => table === name)
      .map((reference) => [reference.column, reference]),
  );
}

/** The references of others to a table, by the id of their field. Others need a key by which their rows are named. */
export function linksIn(
  { references, tables }: Catalog,
  { name }: SqlTable,
): Map<string, SqlReference> {
  return new Map(
    references
      .filter(({ to, table }) => to === name && tables.get(table)?.key)
      .map((reference) => [
        `${reference.table}.${reference.column}`,
        reference,
      ]),
  );
}

export function tableInfo(
  catalog: Catalog,
  settings: SqlSettings,
  table: SqlTable,
): TableInfo {
  const out = linksOut(catalog, table);
  const columns = table.columns.map((column) =>
    columnField(settings, table, column, out.get(column.name)),
  );
  const backwards = Array.from(linksIn(catalog, table), ([id, reference]) =>
    backwardField(catalog, table, id, reference),
  );
  return {
    id: table.name,
    name: table.name,
    ...(table.key ? { primaryFieldId: table.key.name } : {}),
    fields: [...columns, ...backwards],
  };
}

function columnField(
  settings: SqlSettings,
  table: SqlTable,
  column: SqlColumn,
  reference?: SqlReference,
): FieldInfo {
  const kind = reference ? "link" : columnKind(settings, table, column);
  return {
    id: column.name,
    name: column.name,
    kind,
    native: column.type,
    writable: settings.writable && !column.isGenerated,
    ...(reference ? { link: { tableId: reference.to, many: false } } : {}),
  };
}

/** Called like the other table, unless that name is taken. */
function backwardField(
  { references }: Catalog,
  table: SqlTable,
  id: string,
  reference: SqlReference,
): FieldInfo {
  const same = references.filter(
    (other) => other.table === reference.table && other.to === table.name,
  );
  const isTaken =
    same.length > 1 ||
    table.columns.some(({ name }) => name === reference.table);
  return {
    id,
    name: isTaken ? id : reference.table,
    kind: "link",
    native: "foreign key of another table",
    writable: false,
    link: { tableId: reference.table, many: true },
  };
}

/** @throws PlatformError `not_found`. */
export function tableNamed({ tables }: Catalog, name: string): SqlTable {
  const table = tables.get(name);
  if (table) return table;
  throw new PlatformError(
    "not_found",
    `The database has no table "${name}" that this user may see.`,
  );
}

/** @throws PlatformError `unsupported` for a table whose rows no single column names. */
export function keyOf({ key, name }: SqlTable): SqlColumn {
  if (key) return key;
  throw new PlatformError(
    "unsupported",
    `The table "${name}" has no primary key of one column, by which its rows are found.`,
  );
}
