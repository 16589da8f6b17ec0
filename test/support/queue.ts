import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Client } from "pg";
import type { Log } from "../../core/plugin-api/index.js";
import {
  createQueue,
  type JobOutcome,
  type JobStats,
  type NewJob,
  type PoisonHandler,
  type Queue,
  type RunningJob,
  type WorkOptions,
} from "../../core/queue/index.js";
import type {
  DatabaseLocation,
  Store,
} from "../../core/storage/database/index.js";
import { eventually, until } from "./eventually.js";
import { partArguments } from "./service-process.js";
import { silentLog } from "./recording-log.js";
import { eachDatabase, onSqlite } from "./store.js";

/** Where a queue's rows are, and what transports its wake-ups. */
export interface QueuePlace {
  location: DatabaseLocation;
  serverUrl: string | null;
}

export interface QueueHarness {
  /** Set once the suite runs. */
  place: QueuePlace;
  /** One more node, not started; stopped after the test. */
  node: (pollMs?: number) => Promise<Queue>;
  /** One more node, started, that runs jobs of the kind `test`; stopped after the test. */
  start: (
    handler: (job: RunningJob, queue: Queue) => Promise<JobOutcome>,
    options?: Partial<WorkOptions>,
    more?: { pollMs?: number; onPoison?: PoisonHandler },
  ) => Promise<Queue>;
  /** Commits jobs without waking any node. */
  put: (...jobs: NewJob[]) => Promise<void>;
  stats: () => Promise<JobStats[]>;
  /** Resolves when no job is left. */
  waitUntilEmpty: () => Promise<void>;
  /** Opens the database. */
  store: () => Promise<Store>;
  /** What the nodes have logged since the test began, without errors. */
  logged: [message: string, fields: object][];
}

/** Runs a suite on each database. */
export function eachQueue(suite: (harness: QueueHarness) => void): void {
  eachDatabase((open, location) =>
    suiteOn(suite, open, () => ({ location, serverUrl: null })),
  );
}

/** The same, and, when PLATEN_TEST_POSTGRES_URL names a server, on SQLite with the wake-ups on that server. */
export function eachTransport(suite: (harness: QueueHarness) => void): void {
  eachQueue(suite);
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
  suite: (harness: QueueHarness) => void,
  open: () => Promise<Store>,
  place: () => QueuePlace,
): void {
  const queues: Queue[] = [];
  const logged: QueueHarness["logged"] = [];
  const note = ({ err: _err, ...fields }: { err?: unknown }, text = "") =>
    void logged.push([text, fields]);
  const log = { ...silentLog, warn: note, error: note };
  let opened: Promise<Store> | undefined;
  const node: QueueHarness["node"] = async (pollMs = 100) => {
    const queue = queueOn(await open(), place(), { pollMs, log });
    queues.push(queue);
    return queue;
  };
  /** Writes and reads beside the nodes. */
  const outside = async () => {
    const store = await (opened ??= open());
    return { store, queue: queueOn(store, { serverUrl: null }) };
  };
  const put: QueueHarness["put"] = async (...jobs) => {
    const { store, queue } = await outside();
    await store.unitOfWork.run((tx) => queue.enqueue(tx, jobs));
  };
  const start: QueueHarness["start"] = async (
    handler,
    options,
    { pollMs, onPoison = () => Promise.resolve() } = {},
  ) => {
    const queue = await node(pollMs);
    queue.work(
      "test",
      { concurrency: 1, ...options },
      (job) => handler(job, queue),
      onPoison,
    );
    await queue.start();
    return queue;
  };
  const stats = async () => (await outside()).queue.stats();
  const waitUntilEmpty = async () => {
    await until("no job is left", async () => (await stats()).length === 0);
  };
  const store = async () => (await outside()).store;
  const tools = { node, start, put, stats, waitUntilEmpty, store, logged };
  suite({ place: place(), ...tools });
  afterEach(async () => {
    logged.length = 0;
    await Promise.all(queues.splice(0).map((queue) => queue.stop(0)));
    const { unitOfWork } = await store();
    await unitOfWork.run((tx) => tx.query("DELETE FROM job"));
  });
}

/** A queue on an open store. */
export function queueOn(
  store: Pick<Store, "dialect" | "read" | "unitOfWork">,
  { serverUrl }: Pick<QueuePlace, "serverUrl">,
  { pollMs = 100, log = silentLog }: { pollMs?: number; log?: Log } = {},
): Queue {
  const options = { node: "test", pollMs, serverUrl };
  return createQueue({ ...store, log }, options);
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

export interface QueueProcessOptions extends Omit<WorkOptions, "leaseMs"> {
  place: QueuePlace;
  node: string;
  pollMs: number;
  leaseMs?: number;
  /** By how much its clock is off. */
  clockMs: number;
  /** Whether a job ends at once, or waits until it is aborted. */
  mode: "ends" | "waits";
}

/** A worker in a process of its own, on jobs of the kind `test`. */
export class QueueProcess {
  readonly lines: string[] = [];
  readonly ended: Promise<unknown>;

  private constructor(private readonly child: ChildProcess) {
    this.ended = once(child, "close");
    if (child.stdout)
      createInterface(child.stdout).on("line", (line) => this.lines.push(line));
  }

  /** Resolves when it works. It is killed at the suite's end. */
  static async start(
    place: QueuePlace,
    options: Partial<QueueProcessOptions> = {},
  ): Promise<QueueProcess> {
    const all: QueueProcessOptions = {
      place,
      node: "child",
      pollMs: 100,
      clockMs: 0,
      mode: "ends",
      concurrency: 4,
      ...options,
    };
    const args = [...partArguments("queue-process-main"), JSON.stringify(all)];
    const child = spawn(process.execPath, args, {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const worker = new QueueProcess(child);
    after(() => child.kill("SIGKILL"));
    await worker.waitForLine("ready");
    return worker;
  }

  /** Waits for a line. */
  async waitForLine(line: string): Promise<void> {
    await eventually(() => this.lines.includes(line));
  }

  /** Stops it in its tracks (SIGSTOP), until SIGCONT. */
  freeze(): void {
    this.child.stdin?.write("freeze\n");
  }

  async stop(graceMs: number): Promise<void> {
    this.child.stdin?.write(`stop ${graceMs}\n`);
    await this.waitForLine("stopped");
  }

  signal(name: "SIGKILL" | "SIGCONT"): void {
    this.child.kill(name);
  }

  /** Ids of the jobs that it started, once for each start. */
  get started(): string[] {
    return this.lines.flatMap((line) => /^start (\S+)/.exec(line)?.[1] ?? []);
  }
}
