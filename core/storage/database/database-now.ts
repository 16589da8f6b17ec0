import type { EntityManager } from "typeorm";

/** The time by the database's clock, which all processes share, however wrong their own are. */
export async function databaseNow(tx: EntityManager): Promise<Date> {
  const isSqlite = tx.dataSource.options.type === "better-sqlite3";
  const milliseconds = isSqlite
    ? "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    : "CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)";
  const [row] = await tx.query<[{ now: number | string }]>(
    `SELECT ${milliseconds} AS now`,
  );
  return new Date(Number(row.now));
}
