// The database: tables, migrations, and the one way to write. Knows no rule of the service: rooms bring those.
export * from "./entities/index.js";
export { changeRows, instantText, marks } from "./change-rows.js";
export { databaseNow } from "./database-now.js";
export { findForUpdate } from "./find-for-update.js";
export { GroupCommit, type GroupSize, type GroupWork } from "./group-commit.js";
export { isDuplicate } from "./faults.js";
export { isId, newId } from "./ids.js";
export { insertRow, insertRows } from "./insert-row.js";
export {
  type ListQuery,
  listPage,
  listSlice,
  type Page,
  type PageRequest,
  type SliceRequest,
} from "./list-page.js";
export { LongListCount } from "./long-list-count.js";
export { type MigrationState, migrationState } from "./migrate.js";
export {
  type DatabaseLocation,
  openStore,
  type StoreOptions,
} from "./open-store.js";
export { namesOf } from "./names-of.js";
export { type ServerVersion, serverVersion } from "./server-version.js";
export { schemaDrift } from "./schema-drift.js";
export type { Store } from "./store.js";
export type { UnitOfWork, Work } from "./unit-of-work.js";
