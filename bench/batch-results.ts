import { setTimeout as pause } from "node:timers/promises";
import { Cluster, type Setting } from "./cluster.js";
import { type MariaDb, startMariaDb } from "./mariadb.js";
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
      ? await startMariaDb()
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
