import type { Store } from "./store.js";

/** The statements that would make the migrated tables what the entities say; empty when both agree. */
export async function schemaDrift(store: Store): Promise<string[]> {
  const { upQueries } = await store.dataSource.driver
    .createSchemaBuilder()
    .log();
  return upQueries.map(({ query }) => query);
}
