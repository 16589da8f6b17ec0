import type { EntityManager } from "typeorm";

/**
 * Runs a statement that changes rows, with `?` for each value, and says how many it found. For what is done so often
 * that TypeORM's query builder would cost more than the database.
 */
export async function changeRows(
  tx: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<number> {
  const { queryRunner } = tx;
  if (!queryRunner) throw new Error("changeRows wants a unit of work");
  const { affected } = await queryRunner.query(text, [...values], true);
  return affected ?? 0;
}

/** A moment as all databases write it. */
export function instantText(date: Date): string {
  return date.toISOString().replace("T", " ").replace("Z", "");
}

/** Question marks for a list of values. */
export function marks(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}
