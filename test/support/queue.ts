import { randomBytes } from "node:crypto";
import { after, afterEach, before, describe } from "mocha";
import { Client } from "pg";
import {
  createQueue,
  type NewJob,
  type Queue,
} from "../../core/queue/index.js";
import type {
  DatabaseLocation,
  Store,
} from "../../core/storage/database/index.js";
import { eachDatabase, onSqlite } from "./store.js";
import { silentLog } from "./store-log.js";

/** Where a queue's rows are, and what transports its wake-ups. */
export interface QueuePlace {
  location: DatabaseLocation;
  serverUrl: string | null;
}

export interface QueueBench {
  /** Set once the suite runs. */
  place: QueuePlace;
  /** One more node, not started; stopped after the test. */
  node: (options?: { pollMs?: number }) => Promise<Queue>;
  /** Commits jobs without waking any node. */
  put: (...jobs: NewJob[]) => Promise<void>;
  /** Opens the database. */
  store: () => Promise<Store>;
}

/**
 * Runs a suite on each database, and, when PLATEN_TEST_POSTGRES_URL names a server, on SQLite with the wake-ups on that
 * server. Tables and server are fresh for the suite.
 */
export function eachQueue(suite: (bench: QueueBench) => void): void {
  eachDatabase((open, location) =>
    suiteOn(suite, open, () => ({ location, serverUrl: null })),
  );
  const server = process.env.PLATEN_TEST_POSTGRES_URL;
  if (!server) return;
  describe("with wake-ups on PostgreSQL,", () => {
    const serverUrl = freshPostgres(server);
    onSqlite((open, location) =>
      suiteOn(suite, open, () => ({ location, serverUrl })),
    );
  });
}

function suiteOn(
  suite: (bench: QueueBench) => void,
  open: () => Promise<Store>,
  place: () => QueuePlace,
): void {
  const queues: Queue[] = [];
  let stores: Store[] = [];
  const store = async () => {
    const opened = await open();
    stores.push(opened);
    return opened;
  };
  const node: QueueBench["node"] = async (options = {}) => {
    const queue = queueOn(await store(), place(), options.pollMs);
    queues.push(queue);
    return queue;
  };
  const put: QueueBench["put"] = async (...jobs) => {
    const { unitOfWork, dialect, read } = await store();
    const queue = queueOn(
      { unitOfWork, dialect, read },
      { ...place(), serverUrl: null },
    );
    await unitOfWork.run((tx) => queue.enqueue(tx, jobs));
  };
  suite({ place: place(), node, put, store });
  afterEach(async () => {
    await Promise.all(queues.splice(0).map((queue) => queue.stop(0)));
    await stores[0]?.unitOfWork.run((tx) => tx.query("DELETE FROM job"));
    stores = [];
  });
}

/** A queue on an open store. */
export function queueOn(
  { dialect, read, unitOfWork }: Pick<Store, "dialect" | "read" | "unitOfWork">,
  { serverUrl }: Pick<QueuePlace, "serverUrl">,
  pollMs = 100,
  node = "test",
): Queue {
  return createQueue(
    { dialect, read, write: (work) => unitOfWork.run(work), log: silentLog },
    { node, pollMs, serverUrl },
  );
}

/** Creates a database with a random name before the suite and drops it after. @returns its URL. */
function freshPostgres(server: string): string {
  const name = `platen_test_${randomBytes(6).toString("hex")}`;
  const execute = async (sql: string) => {
    const client = new Client({
      connectionString: new URL("/postgres", server).href,
    });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  before(() => execute(`CREATE DATABASE ${name}`));
  after(() => execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  return new URL(`/${name}`, server).href;
}
