import type { AgendaBackend } from "agenda";
import type { Pool } from "pg";
import { type Log, PlatenError } from "../../plugin-api/index.js";

/**
 * Connects Agenda's official PostgreSQL backend.
 * @throws PlatenError `unavailable`, with what to look at.
 */
export async function connectBackend(
  url: string,
  log: Log,
): Promise<AgendaBackend> {
  const { host } = new URL(url);
  try {
    const backend = await postgres(url, log);
    await backend.connect();
    return connected(backend);
  } catch (cause) {
    throw new PlatenError(
      "unavailable",
      `The queue server ${host} cannot be used. Check PLATEN_QUEUE_URL, and that the server runs and the account may create tables.`,
      { cause },
    );
  }
}

/** Agenda connects in its constructor, where nobody could hear of a failure. */
function connected(backend: AgendaBackend): AgendaBackend {
  return {
    name: backend.name,
    repository: backend.repository,
    notificationChannel: backend.notificationChannel,
    ownsConnection: true,
    connect: () => Promise.resolve(),
    disconnect: () => backend.disconnect(),
  };
}

/** With a pool of ours: an idle connection that the server drops would otherwise end the process. */
async function postgres(url: string, log: Log): Promise<AgendaBackend> {
  const [{ PostgresBackend }, pg] = await Promise.all([
    import("@agendajs/postgres-backend"),
    import("pg"),
  ]);
  const pool = new pg.Pool({ connectionString: url });
  pool.on("error", (error) =>
    log.warn({ err: error }, "queue server connection lost"),
  );
  const backend = new PostgresBackend({ pool, tableName: "platen_wake_up" });
  return {
    name: backend.name,
    repository: backend.repository,
    // It comes into being with the connection.
    get notificationChannel() {
      return backend.notificationChannel;
    },
    connect: () => inTurn(pool, () => backend.connect()),
    disconnect: async () => {
      await backend.disconnect();
      await pool.end();
    },
  };
}

/** Any number that no other program on the database locks. */
const schemaLock = 7_526_143;

/** PostgreSQL fails when two processes create the same table at once, even `IF NOT EXISTS`. */
async function inTurn(pool: Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [schemaLock]);
    await work();
    await client.query("SELECT pg_advisory_unlock($1)", [schemaLock]);
  } finally {
    client.release(true);
  }
}
