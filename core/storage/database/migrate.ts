import {
  type DataSource,
  type Migration,
  MigrationExecutor,
  type QueryRunner,
} from "typeorm";
import { PlatenError } from "../../plugin-api/index.js";
import { retryWhileBusy } from "./transactions.js";

// Creates and changes tables. Processes that start together take turns; later ones find nothing to do.

/** SQLite changes tables inside transactions, so that all pending migrations run or none. @returns their names. */
export async function migrateSqlite(dataSource: DataSource): Promise<string[]> {
  if (await isUpToDate(dataSource)) return [];
  const runner = dataSource.createQueryRunner();
  await runner.query("PRAGMA foreign_keys = OFF");
  await retryWhileBusy(() => runner.query("BEGIN IMMEDIATE"));
  try {
    const names = await runPendingMigrations(dataSource, runner);
    await runner.query("COMMIT");
    return names;
  } catch (error) {
    await runner.query("ROLLBACK");
    throw error;
  } finally {
    await runner.query("PRAGMA foreign_keys = ON");
  }
}

const lockName = "LEFT(CONCAT('platen_migrate_', DATABASE()), 64)";
const lockSeconds = 300;

/** MySQL commits after each statement; its named lock ends with the connection, even when the process is killed. */
export async function migrateMysql(dataSource: DataSource): Promise<string[]> {
  if (await isUpToDate(dataSource)) return [];
  const runner = dataSource.createQueryRunner();
  try {
    const [row] = await runner.manager.query<[{ granted: unknown }]>(
      `SELECT GET_LOCK(${lockName}, ${lockSeconds}) AS granted`,
    );
    if (Number(row.granted) !== 1)
      throw new PlatenError(
        "unavailable",
        `Another process has been migrating this database for ${lockSeconds} seconds. Wait for it, then start again.`,
      );
    return await runPendingMigrations(dataSource, runner);
  } finally {
    await runner.query(`SELECT RELEASE_LOCK(${lockName})`);
    await runner.release();
  }
}

/** Whether exactly our migrations have run, so that no lock is needed. */
async function isUpToDate(dataSource: DataSource): Promise<boolean> {
  const executed = await dataSource.manager
    .query<{ name: string }[]>(
      `SELECT name FROM ${dataSource.options.migrationsTableName} ORDER BY timestamp`,
    )
    // A new database has no such table.
    .catch(() => []);
  await loadMigrations(dataSource);
  const knownNames = dataSource.migrations.map(({ name }) => name);
  return knownNames.join() === executed.map(({ name }) => name).join();
}

async function loadMigrations(dataSource: DataSource): Promise<void> {
  if (dataSource.migrations.length > 0) return;
  const { migrations } = await import("../../../migrations/index.js");
  for (const Migration of migrations)
    dataSource.migrations.push(new Migration());
}

/** @throws PlatenError `unavailable` for a database that a newer version of the service has changed. */
async function runPendingMigrations(
  dataSource: DataSource,
  runner: QueryRunner,
): Promise<string[]> {
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = "none";
  await takeOver(dataSource, runner, await executor.getExecutedMigrations());
  const executed = await executor.getExecutedMigrations();
  const { newer } = compareMigrations(dataSource, executed);
  if (newer.length > 0)
    throw new PlatenError(
      "unavailable",
      `The database was changed by a newer version of Platen (${newer.join(", ")}). Start that version, or restore a backup.`,
    );
  const done = await executor.executePendingMigrations();
  return done.map(({ name }) => name);
}

/**
 * Has a database of the migrations that `Initial` replaced count as created by `Initial`.
 * @throws PlatenError `unavailable` when it lacks some of them.
 */
async function takeOver(
  { options, migrations: [initial] }: DataSource,
  runner: QueryRunner,
  executed: readonly Executed[],
): Promise<void> {
  const { below, last, commit } = await loadReplaced();
  const old = executed.filter(({ timestamp }) => timestamp < below);
  if (old.length === 0 || initial === undefined) return;
  const names = executed.map(({ name }) => name);
  if (!names.includes(last))
    throw new PlatenError(
      "unavailable",
      `The database is older than this version of Platen can take over. Start Platen at the commit ${commit} once, then this version.`,
    );
  const table = options.migrationsTableName;
  if (!names.includes(initial.name ?? ""))
    await runner.query(
      `INSERT INTO ${table} (timestamp, name) VALUES (${below}, '${initial.name}')`,
    );
  await runner.query(`DELETE FROM ${table} WHERE timestamp < ${below}`);
}

type Executed = Pick<Migration, "name" | "timestamp">;

async function loadReplaced() {
  const { replaced } = await import("../../../migrations/index.js");
  return replaced;
}

interface MigrationState {
  /** The number of known migrations that have run. */
  done: number;
  /** Names of known migrations that have not run. */
  pending: string[];
  /** Names of unknown migrations that have run. */
  newer: string[];
}

/** Changes nothing. */
export async function getMigrationState(
  dataSource: DataSource,
): Promise<MigrationState> {
  await loadMigrations(dataSource);
  const runner = dataSource.createQueryRunner();
  try {
    const table = dataSource.options.migrationsTableName ?? "";
    // TypeORM creates the table when it reads the executed migrations.
    const executed = (await runner.hasTable(table))
      ? await new MigrationExecutor(dataSource, runner).getExecutedMigrations()
      : [];
    const { below } = await loadReplaced();
    return compareMigrations(
      dataSource,
      executed.filter(({ timestamp }) => timestamp >= below),
    );
  } finally {
    await runner.release();
  }
}

function compareMigrations(
  { migrations }: DataSource,
  executed: readonly { name: string }[],
): MigrationState {
  const knownNames = migrations.flatMap(({ name }) => name ?? []);
  const done = executed.map(({ name }) => name);
  return {
    done: knownNames.filter((name) => done.includes(name)).length,
    pending: knownNames.filter((name) => !done.includes(name)),
    newer: done.filter((name) => !knownNames.includes(name)),
  };
}

/** The statements that would make the migrated tables match the entities; empty when they do. */
export async function findSchemaDrift({
  dataSource,
}: {
  dataSource: DataSource;
}): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}
