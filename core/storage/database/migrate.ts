import { type DataSource, MigrationExecutor, type QueryRunner } from "typeorm";
import { PlatenError } from "../../plugin-api/index.js";
import { whileBusy } from "./while-busy.js";

// Brings the tables up to date. Processes that start together take turns, and the late ones find nothing to do.

/** SQLite changes tables inside transactions, so that all pending migrations happen or none. */
export async function migrateSqlite(dataSource: DataSource): Promise<string[]> {
  if (await isUpToDate(dataSource)) return [];
  const runner = dataSource.createQueryRunner();
  await runner.query("PRAGMA foreign_keys = OFF");
  await whileBusy(() => runner.query("BEGIN IMMEDIATE"));
  try {
    const names = await runPending(dataSource, runner);
    await runner.query("COMMIT");
    return names;
  } catch (error) {
    await runner.query("ROLLBACK");
    throw error;
  } finally {
    await runner.query("PRAGMA foreign_keys = ON");
  }
}

/** Whether exactly our migrations have run: then nobody need wait for a lock. */
async function isUpToDate(dataSource: DataSource): Promise<boolean> {
  const done = await dataSource.manager
    .query<{ name: string }[]>(
      `SELECT name FROM ${dataSource.options.migrationsTableName} ORDER BY timestamp`,
    )
    // A new database has no such table.
    .catch(() => []);
  await loadMigrations(dataSource);
  const ours = dataSource.migrations.map(({ name }) => name);
  return ours.join() === done.map(({ name }) => name).join();
}

async function loadMigrations(dataSource: DataSource): Promise<void> {
  if (dataSource.migrations.length > 0) return;
  const { migrations } = await import("../../../migrations/index.js");
  for (const Migration of migrations)
    dataSource.migrations.push(new Migration());
}

const lockName = "LEFT(CONCAT('platen_migrate_', DATABASE()), 64)";
const lockSeconds = 300;

/** MySQL commits after each statement; the named lock goes with its connection, also when the process is killed. */
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
    return await runPending(dataSource, runner);
  } finally {
    await runner.query(`SELECT RELEASE_LOCK(${lockName})`);
    await runner.release();
  }
}

async function runPending(
  dataSource: DataSource,
  runner: QueryRunner,
): Promise<string[]> {
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = "none";
  await refuseNewer(dataSource, executor);
  const done = await executor.executePendingMigrations();
  return done.map(({ name }) => name);
}

export interface MigrationState {
  /** How many of ours are done. */
  done: number;
  /** Names of ours that are not. */
  pending: string[];
  /** Names of those that we do not know. */
  newer: string[];
}

/** What a database has been through; changes nothing. */
export async function migrationState(
  dataSource: DataSource,
): Promise<MigrationState> {
  await loadMigrations(dataSource);
  const runner = dataSource.createQueryRunner();
  try {
    const table = dataSource.options.migrationsTableName ?? "";
    // Asked for its migrations, TypeORM would make the table.
    if (!(await runner.hasTable(table))) return stateOf(dataSource, []);
    return stateOf(
      dataSource,
      await new MigrationExecutor(dataSource, runner).getExecutedMigrations(),
    );
  } finally {
    await runner.release();
  }
}

function stateOf(
  { migrations }: DataSource,
  executed: readonly { name: string }[],
): MigrationState {
  const known = migrations.flatMap(({ name }) => name ?? []);
  const done = executed.map(({ name }) => name);
  return {
    done: known.filter((name) => done.includes(name)).length,
    pending: known.filter((name) => !done.includes(name)),
    newer: done.filter((name) => !known.includes(name)),
  };
}

/** Refuses a database that a newer version of the service has already changed. */
async function refuseNewer(
  dataSource: DataSource,
  executor: MigrationExecutor,
): Promise<void> {
  const executed = await executor.getExecutedMigrations();
  const { newer } = stateOf(dataSource, executed);
  if (newer.length > 0)
    throw new PlatenError(
      "unavailable",
      `The database was changed by a newer version of Platen (${newer.join(", ")}). Start that version, or restore a backup.`,
    );
}
