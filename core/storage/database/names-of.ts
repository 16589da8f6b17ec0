import { type EntityManager, In, type EntityTarget } from "typeorm";

interface Named {
  id: string;
  name: string;
}

/** What rows are called, by their ids; those that are gone are not in it. @param ids null for what names nothing */
export async function namesOf<T extends Named>(
  read: EntityManager,
  entity: EntityTarget<T>,
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const sought = new Set(ids.filter((id) => id !== null));
  const rows = await read
    .createQueryBuilder(entity, "one")
    .select(["one.id", "one.name"])
    .where({ id: In([...sought]) })
    .getMany();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
