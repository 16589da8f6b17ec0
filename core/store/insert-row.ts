import type { EntityManager, EntityTarget } from "typeorm";

/** Inserts a whole row: unlike TypeORM's own `insert`, the compiler asks for every column. */
export async function insertRow<T extends object>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  row: T,
): Promise<void> {
  await tx.insert(entity, row);
}
