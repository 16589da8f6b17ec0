import type { DataSource } from "typeorm";
import * as z from "zod";
import { PlatformError, type TableScope } from "../../core/plugin-api/index.js";
import {
  type Engine,
  settingsOf,
  type SqlContext,
  type SqlSettings,
} from "./credentials.js";
import { getDataSource, type Sockets, statementMs } from "./data-source.js";
import { sqlFault } from "./faults.js";

const rowsOf = z.array(z.record(z.string(), z.unknown()));
export type SqlRow = z.infer<typeof rowsOf>[number];

/** An open database. Values are sent apart from the statement, always. */
export interface Database {
  engine: Engine;
  settings: SqlSettings;
  /** Rows of a SELECT. */
  rows: (sql: string, values?: readonly unknown[]) => Promise<SqlRow[]>;
  run: (sql: string, values?: readonly unknown[]) => Promise<void>;
}

/**
 * Opens the database for one call, in its turn, and closes it. All rejections are PlatformErrors.
 * @param mayWrite refused as `unsupported` unless the connection allows it.
 */
export function withDatabase<T>(
  context: SqlContext,
  scope: Partial<TableScope>,
  mayWrite: boolean,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return context.turn(scope, async () => {
    const settings = settingsOf(context);
    if (mayWrite && !settings.writable) throw readOnly();
    const sockets: Sockets = new Set();
    const cut = () => {
      for (const socket of sockets) socket.destroy(new Error("stopped"));
    };
    context.signal.throwIfAborted();
    context.signal.addEventListener("abort", cut, { once: true });
    try {
      const source = await getDataSource(context, settings, mayWrite, sockets);
      await source.initialize();
      try {
        return await work(await prepared(source, settings, mayWrite));
      } finally {
        await source.destroy();
      }
    } catch (error) {
      throw sqlFault(error);
    } finally {
      cut();
      context.signal.removeEventListener("abort", cut);
    }
  });
}

function readOnly(): PlatformError {
  return new PlatformError(
    "unsupported",
    "This connection may only read. Set `writable` in its settings, and use a database user with the right to update.",
  );
}

async function prepared(
  source: DataSource,
  settings: SqlSettings,
  mayWrite: boolean,
): Promise<Database> {
  const send = async (sql: string, values: readonly unknown[] = []) =>
    (await source.query(sql, [...values])) as unknown;
  if (settings.engine === "mysql") await limitMysql(send, mayWrite);
  return {
    engine: settings.engine,
    settings,
    rows: async (sql, values) => rowsOf.parse(await send(sql, values)),
    run: async (sql, values) => {
      await send(sql, values);
    },
  };
}

/** MySQL and MariaDB have limits of different names, units and reach. */
async function limitMysql(
  send: (sql: string) => Promise<unknown>,
  mayWrite: boolean,
): Promise<void> {
  const isMariadb = /mariadb/i.test(
    JSON.stringify(await send("SELECT VERSION() AS version")),
  );
  await send(
    isMariadb
      ? `SET SESSION max_statement_time = ${statementMs / 1000}`
      : `SET SESSION max_execution_time = ${statementMs}`,
  );
  if (!mayWrite) await send("SET SESSION TRANSACTION READ ONLY");
}
