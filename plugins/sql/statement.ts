import type { SqlColumn } from "./catalog.js";
import type { Engine } from "./credentials.js";
import type { Database } from "./database.js";

/** A name from the catalog as SQL. */
export function quoted(engine: Engine, name: string): string {
  return engine === "mysql"
    ? `\`${name.replaceAll("`", "``")}\``
    : `"${name.replaceAll('"', '""')}"`;
}

/** A table as SQL, in the connection's schema. */
export function from({ engine, settings }: Database, table: string): string {
  const name = quoted(engine, table);
  return settings.engine === "postgres"
    ? `${quoted(engine, settings.schema)}.${name}`
    : name;
}

/** A key, or a text, as drivers hand it over. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  return Buffer.isBuffer(value)
    ? value.toString("hex")
    : (JSON.stringify(value) ?? "");
}

/** The place of the `at`th value, from 1; `column` says what it is compared with, where PostgreSQL must know. */
export function place(engine: Engine, at: number, column?: SqlColumn): string {
  if (engine !== "postgres") return "?";
  if (column && isNumber(column)) return `$${at}::bigint`;
  return column?.type === "uuid" ? `$${at}::uuid` : `$${at}`;
}

/** Places for a list of values, from the first on. */
export function places(
  engine: Engine,
  count: number,
  column: SqlColumn,
): string {
  const all = Array.from({ length: count }, (_, at) =>
    place(engine, at + 1, column),
  );
  return all.join(", ");
}

const numbers =
  /^((tiny|small|medium|big)?int|integer|(small|big)?serial|numeric|decimal|float|double|real|money|year)/;

export function isNumber({ type }: SqlColumn): boolean {
  return numbers.test(type) && type !== "tinyint(1)";
}

const integer = /^-?\d{1,18}$/;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether a key could be this id. MySQL would take `1 or so` for 1, PostgreSQL would refuse the whole statement. */
export function couldBe(key: SqlColumn, id: string): boolean {
  if (isNumber(key)) return integer.test(id);
  if (key.type === "uuid") return uuid.test(id);
  return id.length <= 255 && !id.includes("\0");
}
