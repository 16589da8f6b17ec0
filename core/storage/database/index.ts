// The database: entities, migrations, transactions and helpers for queries. Contains no business rules.
export * from "./entities/index.js";
export { GroupCommit } from "./group-commit.js";
export {
  listPage,
  listSlice,
  LongListCount,
  type Page,
  type PageRequest,
  type SliceRequest,
} from "./list-page.js";
export { migrationState, schemaDrift } from "./migrate.js";
export {
  changeRows,
  databaseNow,
  findForUpdate,
  insertRow,
  insertRows,
  instantText,
  isId,
  marks,
  namesOf,
  newId,
} from "./rows.js";
export {
  type DatabaseLocation,
  openStore,
  serverVersion,
  type Store,
  type StoreOptions,
} from "./store.js";
export { isDuplicate, type UnitOfWork, type Work } from "./transactions.js";
