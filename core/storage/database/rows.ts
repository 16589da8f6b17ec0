import {
  type EntityManager,
  type EntityTarget,
  type FindOperator,
  type FindManyOptions,
  type FindOptionsWhere,
  In,
  Raw,
} from "typeorm";
import { chunksOf } from "../../lib/chunks.js";
import { clock } from "../../lib/clock.js";

/** Long statements delay others. */
const maxRowsPerStatement = 500;
/** SQLite's own limit is 32,766. */
const maxValuesPerStatement = 30_000;

/** Inserts a whole row: unlike TypeORM's own `insert`, the compiler requires every column. */
export function insertRow<T extends object>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  row: T,
): Promise<void> {
  return insertRows(tx, entity, [row]);
}

/**
 * Inserts whole rows, hundreds per statement. The statement is built here from the entity's columns: TypeORM's query
 * builder takes nearly twice the time per row.
 */
export async function insertRows<T extends object>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  rows: readonly T[],
): Promise<void> {
  const { driver } = tx.dataSource;
  const { tableName, columns } = tx.dataSource.getMetadata(entity);
  const names = columns.map(({ databaseName }) => driver.escape(databaseName));
  const insert = `INSERT INTO ${driver.escape(tableName)} (${names.join(",")}) VALUES`;
  const maxRows = Math.floor(maxValuesPerStatement / columns.length);
  const chunk = Math.min(maxRowsPerStatement, maxRows);
  for (const some of chunksOf(rows, chunk)) {
    const values = some.flatMap((row) =>
      columns.map((column): unknown =>
        driver.preparePersistentValue(column.getEntityValue(row), column),
      ),
    );
    const places = some.map(() => `(${marks(columns)})`).join(",");
    await tx.query(`${insert} ${places}`, values);
  }
}

/**
 * Runs an UPDATE or DELETE with `?` for each value and returns the number of affected rows. For frequent statements,
 * where TypeORM's query builder would cost more than the database.
 */
export async function changeRows(
  tx: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<number> {
  const { queryRunner } = tx;
  if (!queryRunner) throw new Error("changeRows requires a unit of work");
  const { affected } = await queryRunner.query(text, [...values], true);
  return affected ?? 0;
}

/** A timestamp as all databases write it. */
export function formatDatetime(date: Date): string {
  return date.toISOString().replace("T", " ").replace("Z", "");
}

/** Placeholders for a list of values. */
export function marks(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}

/**
 * Reads one row that the unit of work is about to change and locks it until the end of the transaction; null when it
 * does not exist. On SQLite the unit of work is the only writer anyway.
 */
export async function findForUpdate<T extends object>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  where: FindOptionsWhere<T>,
): Promise<T | null> {
  return tx.findOne(entity, {
    where,
    ...(!isSqlite(tx) && { lock: { mode: "pessimistic_write" } }),
  });
}

/** As `findForUpdate`, for several rows, of which only some columns are read. They are locked in the order of their ids. */
export async function findAllForUpdate<T extends { id: string }>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  options: Pick<FindManyOptions<T>, "where" | "select">,
): Promise<T[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const order = { id: "ASC" } as NonNullable<FindManyOptions<T>["order"]>;
  return tx.find(entity, {
    ...options,
    order,
    ...(!isSqlite(tx) && { lock: { mode: "pessimistic_write" } }),
  });
}

/**
 * Matches rows whose JSON object has all of these values. Numbers, booleans and null are compared as JSON writes them.
 */
export function hasJsonValues(
  read: EntityManager,
  values: Readonly<Record<string, string>>,
): FindOperator<unknown> {
  const entries = Object.entries(values);
  return Raw(
    (column) =>
      entries
        .map((_, index) =>
          isSqlite(read)
            ? `EXISTS (SELECT 1 FROM json_each(${column}) WHERE key = :jsonKey${index} AND
                 CASE type WHEN 'text' THEN value ELSE ${column} -> fullkey END = :jsonValue${index})`
            : `CAST(JSON_UNQUOTE(JSON_EXTRACT(${column}, :jsonPath${index})) AS BINARY) = CAST(:jsonValue${index} AS BINARY)`,
        )
        .join(" AND "),
    Object.fromEntries(
      entries.flatMap(([key, value], index) => [
        [`jsonKey${index}`, key],
        [`jsonPath${index}`, `$.${JSON.stringify(key)}`],
        [`jsonValue${index}`, value],
      ]),
    ),
  );
}

/** The names of rows by id, without rows that no longer exist. */
export async function namesOf<T extends { id: string; name: string }>(
  read: EntityManager,
  entity: EntityTarget<T>,
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const distinct = new Set(ids.filter((id) => id !== null));
  const rows = await read
    .createQueryBuilder(entity, "one")
    .select(["one.id", "one.name"])
    .where({ id: In([...distinct]) })
    .getMany();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The time of the database's clock, which all processes share, even when their own clocks differ. */
export async function getDatabaseTime(tx: EntityManager): Promise<Date> {
  const milliseconds = isSqlite(tx)
    ? "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    : "CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)";
  const [row] = await tx.query<[{ now: number | string }]>(
    `SELECT ${milliseconds} AS now`,
  );
  return new Date(Number(row.now));
}

/** A row that is due later than this is early: its job was woken for another reason. */
const dueToleranceMs = 1000;

/** Reads the database's clock only when the local clock, which may be wrong, says that it is early. */
export async function getTimeUntilDue(
  read: EntityManager,
  { nextAttemptAt }: { nextAttemptAt: Date | null },
): Promise<number> {
  const due = nextAttemptAt?.getTime() ?? 0;
  if (due <= clock.now() + dueToleranceMs) return 0;
  const early = due - (await getDatabaseTime(read)).getTime();
  return early > dueToleranceMs ? early : 0;
}

/** Whether the database is SQLite; otherwise it is MySQL or MariaDB. */
export function isSqlite(tx: EntityManager): boolean {
  return tx.dataSource.options.type === "better-sqlite3";
}

/** Matches texts that contain this one; requires `ESCAPE '!'`. */
export function toLikePattern(text: string): string {
  return `%${text.replaceAll(/[!%_]/g, "!$&")}%`;
}
