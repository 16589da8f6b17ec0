// The database: entities, migrations, transactions and helpers for queries. Contains no business rules.
export * from "./entities.js";
export {
  type CreatedCallback,
  GroupCommit,
  isDuplicate,
  type UnitOfWork,
  type Work,
} from "./transactions.js";
export { ListCounts } from "./list-counts.js";
export {
  listAfter,
  listPage,
  listSlice,
  type PageRequest,
  type SliceRequest,
} from "./list-page.js";
export { isId, newId } from "../../lib/ids.js";
export { getMigrationState, findSchemaDrift } from "./migrate.js";
export {
  changeRows,
  getDatabaseTime,
  getTimeUntilDue,
  findAllForUpdate,
  findForUpdate,
  insertRow,
  insertRows,
  formatDatetime,
  hasJsonValues,
  isSqlite,
  marks,
  namesOf,
  toLikePattern,
} from "./rows.js";
export {
  type DatabaseLocation,
  openStore,
  getServerVersion,
  type Store,
  type StoreOptions,
  STORE,
} from "./store.js";
export {
  DOCUMENT_STATUSES,
  type DocumentStatus,
  MEMBER_ROLES,
  type MemberRole,
} from "./views.js";
