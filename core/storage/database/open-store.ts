import type { DataSource } from "typeorm";
import type { Log } from "../../plugin-api/index.js";
import { connect, dialectOf, placeOf } from "./connect.js";
import { mysqlSource, sqliteReader, sqliteWriter } from "./data-source.js";
import { migrateMysql, migrateSqlite } from "./migrate.js";
import { MysqlUnitOfWork } from "./mysql-unit-of-work.js";
import { SqliteSnapshots } from "./sqlite-snapshots.js";
import { SqliteUnitOfWork } from "./sqlite-unit-of-work.js";
import type { Store } from "./store.js";
import type { Work } from "./unit-of-work.js";

/** Where the database is: a file of SQLite, or the URL of a MySQL or MariaDB server with a database's name. */
export type DatabaseLocation =
  { kind: "sqlite"; file: string } | { kind: "mysql"; url: string };

export interface StoreOptions {
  database: DatabaseLocation;
  /** Whether to bring the tables up to date first; safe when several processes start at once. */
  migrate: boolean;
  log: Log;
}

/** Opens the database. @throws PlatenError `unavailable` when it cannot be reached or is newer than this program. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { database } = options;
  return database.kind === "sqlite"
    ? openSqlite(database.file, options)
    : openMysql(database.url, options);
}

async function openSqlite(
  file: string,
  { migrate, log }: StoreOptions,
): Promise<Store> {
  const dataSource = await connect(sqliteWriter(file), file);
  const connectReader = () => connect(sqliteReader(file), file);
  const reader = await orClose(dataSource, async () => {
    if (migrate) report(log, await migrateSqlite(dataSource));
    return connectReader();
  });
  const snapshots = new SqliteSnapshots(connectReader);
  const unitOfWork = new SqliteUnitOfWork(dataSource);
  const close = once(async () => {
    await unitOfWork.idle();
    await snapshots.close();
    await reader.destroy();
    await dataSource.destroy();
  });
  const snapshot = <T>(work: Work<T>) => snapshots.run(work);
  const { manager: read } = reader;
  return { dialect: "sqlite", read, snapshot, unitOfWork, dataSource, close };
}

async function openMysql(
  url: string,
  { migrate, log }: StoreOptions,
): Promise<Store> {
  const dialect = await dialectOf(url);
  const dataSource = await connect(mysqlSource(url, dialect), placeOf(url));
  await orClose(dataSource, async () => {
    if (migrate) report(log, await migrateMysql(dataSource));
  });
  const snapshots = new MysqlUnitOfWork(
    dataSource,
    "REPEATABLE READ",
    "A snapshot",
  );
  const unitOfWork = new MysqlUnitOfWork(
    dataSource,
    "READ COMMITTED",
    "A unit of work",
  );
  const close = once(async () => {
    await Promise.all([unitOfWork.idle(), snapshots.idle()]);
    await dataSource.destroy();
  });
  const snapshot = <T>(work: Work<T>) => snapshots.run(work);
  const { manager: read } = dataSource;
  return { dialect, read, snapshot, unitOfWork, dataSource, close };
}

/** Closing twice is closing once. */
function once(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => (closed ??= close());
}

/** A store that cannot be opened leaves no connection behind, which would keep the process alive. */
async function orClose<T>(
  dataSource: DataSource,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

function report(log: Log, migrations: string[]): void {
  if (migrations.length > 0) log.info({ migrations }, "database migrated");
}
