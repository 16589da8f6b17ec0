import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createConnection } from "mysql2/promise";
import { Cluster, type Setting } from "./cluster.js";
import { rounded, UsageWatch } from "./measurement.js";
import { isWanted } from "./options.js";
import type { BenchResult, Group } from "./scenario.js";

interface BatchScenario {
  name: string;
  isSplit: boolean;
  isOnMariaDb: boolean;
  format: "pdf" | "html";
  count: number;
}

const SCENARIOS: readonly BatchScenario[] = [
  createBatch(1000, "sqlite", false),
  createBatch(1000, "sqlite", true),
  createBatch(1000, "mariadb", false),
  createBatch(1000, "mariadb", true),
  {
    ...createBatch(10_000, "sqlite", false),
    name: "batch-10000-html",
    format: "html",
  },
];

const WARM_UP = 100;
const LOOK_MS = 10;

/** Batches from the first byte of the request to the webhook that tells that they are completed, files stored. */
export const BATCH: Group = {
  names: SCENARIOS.map(({ name }) => name),
  results: async () => {
    const wanted = SCENARIOS.filter(({ name }) => isWanted(name));
    const server = wanted.some(({ isOnMariaDb }) => isOnMariaDb)
      ? await mariaDb()
      : null;
    try {
      const results: BenchResult[] = [];
      for (const scenario of wanted)
        results.push(...(await measured(scenario, server)));
      return results;
    } finally {
      await server?.end();
    }
  },
};

function createBatch(
  count: number,
  database: "sqlite" | "mariadb",
  isSplit: boolean,
): BatchScenario {
  const name = `batch-${count}-${database}${isSplit ? "-split" : ""}`;
  const isOnMariaDb = database === "mariadb";
  return { name, isSplit, isOnMariaDb, format: "pdf", count };
}

/** Nothing where there is no server for it. */
async function measured(
  scenario: BatchScenario,
  server: MariaDb | null,
): Promise<BenchResult[]> {
  const { isSplit, isOnMariaDb } = scenario;
  if (!isOnMariaDb) return [await onCluster(scenario, { isSplit })];
  if (server) {
    const databaseUrl = await server.newDatabase();
    return [await onCluster(scenario, { isSplit, databaseUrl })];
  }
  process.stderr.write(`${scenario.name} is left out: there is no mariadbd.\n`);
  return [];
}

async function onCluster(
  { name, format, count }: BatchScenario,
  setting: Setting,
): Promise<BenchResult> {
  const cluster = await Cluster.start(setting);
  try {
    await oneBatch(cluster, WARM_UP, format);
    const watch = await UsageWatch.start(cluster.roots);
    const times = await oneBatch(cluster, count, format);
    const { cpuMs, peakPssMb } = await watch.end();
    return {
      name,
      docsPerSecond: rounded((count / times.completedMs) * 1000, 1),
      cpuMsPerDoc: rounded(cpuMs / count, 2),
      peakPssMb: rounded(peakPssMb),
      acceptMs: rounded(times.acceptMs),
      firstDocumentMs: rounded(times.firstDocumentMs),
    };
  } finally {
    await cluster.stop();
  }
}

async function oneBatch(
  { client, receiver, invoice }: Cluster,
  count: number,
  format: string,
) {
  const { templateId, data } = invoice;
  const items = Array.from({ length: count }, () => ({ data }));
  const completed = receiver.next();
  const started = performance.now();
  const since = () => performance.now() - started;
  const order = { templateId, formats: [format], items };
  const response = await client.post("/api/export/batch", order);
  const acceptMs = since();
  const { batchId }: { batchId: string } = JSON.parse(response.toString());
  await firstDocument({ client }, batchId);
  const firstDocumentMs = since();
  await completed;
  return { acceptMs, firstDocumentMs, completedMs: since() };
}

/** Resolves when a document of the batch can be had. */
async function firstDocument(
  { client }: Pick<Cluster, "client">,
  batchId: string,
): Promise<void> {
  for (;;) {
    const response = await client.get(`/api/batches/${batchId}?pageSize=1`);
    const batch: { progress: number } = JSON.parse(response.toString());
    if (batch.progress > 0) return;
    await pause(LOOK_MS);
  }
}

const SCRIPT = fileURLToPath(new URL("../scripts/mariadb.sh", import.meta.url));

/** A server on which benches make databases of their own. */
interface MariaDb {
  /** @returns the URL of a new, empty database. */
  newDatabase(): Promise<string>;
  /** Drops what was made, and ends the server if it was started for this. */
  end(): Promise<void>;
}

/** The server that PLATEN_TEST_MYSQL_URL names, or a private one; null where none is installed. */
async function mariaDb(): Promise<MariaDb | null> {
  const named = process.env.PLATEN_TEST_MYSQL_URL;
  if (named) return databasesOn(named, async () => undefined);
  if (!isInstalled()) return null;
  const folder = await mkdtemp(join(tmpdir(), "platen-bench-mariadb-"));
  const run = (command: string) =>
    promisify(execFile)(SCRIPT, [command, join(folder, "server")]);
  await promisify(execFile)("chmod", ["755", folder]);
  const { stdout } = await run("start");
  return databasesOn(stdout.trim(), async () => {
    await run("stop");
    await rm(folder, { recursive: true, force: true });
  });
}

function isInstalled(): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return [...folders, "/usr/sbin"].some((folder) =>
    existsSync(join(folder, "mariadbd")),
  );
}

function databasesOn(server: string, end: () => Promise<void>): MariaDb {
  const made: string[] = [];
  const execute = async (sql: string) => {
    const connection = await createConnection(server);
    await connection.query(sql);
    await connection.end();
  };
  return {
    newDatabase: async () => {
      const name = `platen_bench_${process.pid}_${made.length}`;
      await execute(`CREATE DATABASE ${name}`);
      made.push(name);
      return new URL(`/${name}`, server).href;
    },
    end: async () => {
      for (const name of made) await execute(`DROP DATABASE ${name}`);
      await end();
    },
  };
}
