import type { DataSource, EntityManager } from "typeorm";
import { type Log, PlatenError } from "../../plugin-api/index.js";
import { createToken } from "../../lib/injection.js";
import {
  createMysqlSource,
  createSqliteReader,
  createSqliteWriter,
} from "./data-source.js";
import { migrateMysql, migrateSqlite } from "./migrate.js";
import {
  MysqlTransactions,
  retryWhileBusy,
  SqliteSnapshots,
  SqliteUnitOfWork,
  type UnitOfWork,
  type Work,
} from "./transactions.js";

export const STORE = createToken<Store>("Store");

export interface Store {
  readonly dialect: "sqlite" | "mysql" | "mariadb";
  /** For single reads: each sees what is committed by then and never waits for a writer. */
  readonly read: EntityManager;
  /**
   * Consistent reads: all reads of `work` see what was committed at the same time. It only reads, only through its
   * argument, and waits for nothing else. Never waits for a writer. Must not be nested. Rejects with the error of `work`.
   */
  readonly snapshot: <T>(work: Work<T>) => Promise<T>;
  readonly unitOfWork: UnitOfWork;
  /** Only for migrations and schema checks; everything else uses `read`, `snapshot` and `unitOfWork`. */
  readonly dataSource: DataSource;
  /** Waits for the running units of work and snapshots, then closes. May be called again. */
  close(): Promise<void>;
}

/** A SQLite file, or the URL of a MySQL or MariaDB server with the name of a database. */
export type DatabaseLocation =
  { kind: "sqlite"; file: string } | { kind: "mysql"; url: string };

export interface StoreOptions {
  database: DatabaseLocation;
  /** Whether to run pending migrations first; safe when several processes start at once. */
  migrate: boolean;
  log: Log;
}

/** @throws PlatenError `unavailable` when the database cannot be reached or is newer than this program. */
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
  const dataSource = await connect(createSqliteWriter(file), file);
  const connectReader = () => connect(createSqliteReader(file), file);
  const reader = await closeOnError(dataSource, async () => {
    if (migrate) logMigrations(log, await migrateSqlite(dataSource));
    return connectReader();
  });
  const snapshots = new SqliteSnapshots(connectReader);
  const unitOfWork = new SqliteUnitOfWork(dataSource);
  return {
    dialect: "sqlite",
    read: reader.manager,
    snapshot: (work) => snapshots.run(work),
    unitOfWork,
    dataSource,
    close: once(async () => {
      await unitOfWork.idle();
      await snapshots.close();
      await reader.destroy();
      await dataSource.destroy();
    }),
  };
}

async function openMysql(
  url: string,
  { migrate, log }: StoreOptions,
): Promise<Store> {
  const { host, pathname } = new URL(url);
  const location = `${host}${pathname}`;
  const dialect = await orUnavailable(location, () => detectDialect(url));
  const dataSource = await connect(createMysqlSource(url, dialect), location);
  await closeOnError(dataSource, async () => {
    if (migrate) logMigrations(log, await migrateMysql(dataSource));
  });
  const snapshots = new MysqlTransactions(
    dataSource,
    "REPEATABLE READ",
    "snapshot",
  );
  const unitOfWork = new MysqlTransactions(
    dataSource,
    "READ COMMITTED",
    "unit of work",
  );
  return {
    dialect,
    read: dataSource.manager,
    snapshot: (work) => snapshots.run(work),
    unitOfWork,
    dataSource,
    close: once(async () => {
      await Promise.all([unitOfWork.idle(), snapshots.idle()]);
      await dataSource.destroy();
    }),
  };
}

/** Whether the server is MySQL or MariaDB: as `mysql`, TypeORM would see MariaDB's tables as changed. */
async function detectDialect(url: string): Promise<"mysql" | "mariadb"> {
  const { createConnection } = await import("mysql2/promise");
  const connection = await createConnection(url);
  const [rows] = await connection.query("SELECT VERSION() AS version");
  await connection.end();
  return /mariadb/i.test(JSON.stringify(rows)) ? "mariadb" : "mysql";
}

function connect(
  dataSource: DataSource,
  location: string,
): Promise<DataSource> {
  return orUnavailable(location, () =>
    retryWhileBusy(() => dataSource.initialize()),
  );
}

async function orUnavailable<T>(
  location: string,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    if (cause instanceof PlatenError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PlatenError(
      "unavailable",
      `Cannot open the database ${location}: ${reason}. ` +
        "Check PLATEN_DATABASE_URL and PLATEN_DATA, that the server runs, and that the account has access.",
      { cause },
    );
  }
}

/** An open connection would keep the process alive. */
async function closeOnError<T>(
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

function logMigrations(log: Log, migrations: string[]): void {
  if (migrations.length > 0) log.info({ migrations }, "database migrated");
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => (closed ??= close());
}

/** The first versions with the features that claiming jobs needs. */
const minVersions = {
  sqlite: ["SQLite", 3, 35],
  mysql: ["MySQL", 8, 0],
  mariadb: ["MariaDB", 10, 6],
} as const;

/** The database's name and version, and whether the service supports it. */
export async function getServerVersion({
  dialect,
  read,
}: Pick<Store, "dialect" | "read">) {
  const call = dialect === "sqlite" ? "sqlite_version()" : "VERSION()";
  const [row] = await read.query<[{ version: string }]>(
    `SELECT ${call} AS version`,
  );
  const [version = ""] = /^[\d.]+/.exec(row.version) ?? [];
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [name, minMajor, minMinor] = minVersions[dialect];
  const isNewEnough =
    major > minMajor || (major === minMajor && minor >= minMinor);
  return { name, version, isNewEnough };
}
