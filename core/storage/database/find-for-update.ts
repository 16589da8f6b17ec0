import type { EntityManager, EntityTarget, FindOptionsWhere } from "typeorm";

/**
 * Reads one row that the unit of work is going to change, and keeps others from changing it meanwhile; null when there
 * is none. On SQLite the unit of work is the only writer anyway.
 */
export async function findForUpdate<T extends object>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  where: FindOptionsWhere<T>,
): Promise<T | null> {
  const isSqlite = tx.dataSource.options.type === "better-sqlite3";
  return tx.findOne(entity, {
    where,
    ...(!isSqlite && { lock: { mode: "pessimistic_write" } }),
  });
}
