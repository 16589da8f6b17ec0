import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import {
  processTree,
  treePssMb,
} from "../core/rendering/browser/process-tree.js";
import { freePort } from "../test/support/free-port.js";
import { rounded } from "./measurement.js";
import { isWanted } from "./options.js";
import type { BenchResult, Group } from "./scenario.js";
import {
  ApiClient,
  DataFolder,
  type ExportRequest,
  startProcess,
} from "./service.js";

const COUNTS: ReadonlyMap<string, number> = new Map([
  ["soak-10000", 10_000],
  ["soak-100000", 100_000],
]);

/** Each round makes a batch of html, and beside it single documents by several callers. */
const IN_BATCH = 500;
const SINGLE = 500;
const CALLERS = 4;
/** One of so many single documents is a PDF. */
const PDF_EVERY = 10;
const LIFETIME_MS = 30_000;
const LOOK_MS = 2000;

interface Sample {
  pssMb: number;
  /** Open files of all processes. */
  handles: number;
  /** How late the event loop was at most since the last sample. */
  delayMs: number;
}

/**
 * Many documents through one service, to see whether anything grows: medians of the second and of the last quarter of the
 * time, since V8 lets the memory grow at first, up to several times of what is in use; and what is left of their files
 * once they have expired and the service has started again.
 */
export const SOAK: Group = {
  names: [...COUNTS.keys()],
  results: async () => {
    const results: BenchResult[] = [];
    for (const [name, count] of COUNTS)
      if (isWanted(name)) results.push(...(await soak(name, count)));
    return results;
  },
};

async function soak(name: string, count: number): Promise<BenchResult[]> {
  const folder = await DataFolder.make();
  try {
    const made = await makeDocuments(name, count, folder);
    await pause(LIFETIME_MS);
    return [...made, await measureCleanup(name, folder)];
  } finally {
    await folder.remove();
  }
}

async function makeDocuments(
  name: string,
  count: number,
  folder: DataFolder,
): Promise<BenchResult[]> {
  const metricsPort = await freePort();
  const service = await startProcess("all", {
    PLATEN_DATA: folder.path,
    PLATEN_METRICS_PORT: String(metricsPort),
  });
  const client = new ApiClient(service.url, await folder.key());
  const samples: Sample[] = [];
  const ended = new AbortController();
  const look = async () => {
    while (!ended.signal.aborted) {
      samples.push(await takeSample(service.pid, metricsPort));
      await pause(LOOK_MS);
    }
  };
  try {
    const invoice = await folder.invoice();
    const looking = look();
    const started = performance.now();
    for (let made = 0; made < count; made += IN_BATCH + SINGLE)
      await makeRound(client, invoice);
    const seconds = (performance.now() - started) / 1000;
    ended.abort();
    await looking;
    const part = (from: number, to: number) =>
      samples.slice(
        Math.floor(from * samples.length),
        Math.ceil(to * samples.length),
      );
    return [
      { name: `${name}-second`, ...getMedians(part(0.25, 0.5)) },
      {
        name: `${name}-last`,
        docsPerSecond: rounded(count / seconds),
        seconds: rounded(seconds),
        ...getMedians(part(0.75, 1)),
      },
    ];
  } finally {
    ended.abort();
    client.close();
    await service.stop();
  }
}

async function makeRound(
  client: ApiClient,
  invoice: ExportRequest,
): Promise<void> {
  const expiresAt = new Date(Date.now() + LIFETIME_MS).toISOString();
  const { templateId, data } = invoice;
  const order = { templateId, formats: ["html"], expiresAt };
  const items = Array.from({ length: IN_BATCH }, () => ({ data }));
  const answer = await client.post("/api/export/batch", { ...order, items });
  const { batchId }: { batchId: string } = JSON.parse(answer.toString());
  let left = SINGLE;
  const call = async () => {
    while (left > 0) {
      left -= 1;
      const formats = [left % PDF_EVERY === 0 ? "pdf" : "html"];
      await client.post("/api/export", { ...order, formats, data });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  for (;;) {
    const path = `/api/batches/${batchId}?pageSize=1`;
    const batch: { status: string; counts: { succeeded: number } } = JSON.parse(
      (await client.get(path)).toString(),
    );
    if (batch.status !== "completed") {
      await pause(50);
      continue;
    }
    if (batch.counts.succeeded === IN_BATCH) return;
    throw new Error(`of ${batchId}, ${batch.counts.succeeded} succeeded`);
  }
}

async function takeSample(root: number, metricsPort: number): Promise<Sample> {
  const reply = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  const seconds =
    /^platen_event_loop_delay_seconds\{.*quantile="1".*\} (\S+)/m.exec(
      await reply.text(),
    )?.[1];
  const pids = await processTree(root);
  const handles = await Promise.all(
    pids.map((pid) => readdir(`/proc/${pid}/fd`).catch(() => [])),
  );
  return {
    pssMb: (await treePssMb(root)) ?? 0,
    handles: handles.flat().length,
    delayMs: Number(seconds ?? NaN) * 1000,
  };
}

function getMedians(samples: readonly Sample[]) {
  const median = (name: keyof Sample) => {
    const sorted = samples.map((one) => one[name]).toSorted((a, b) => a - b);
    return rounded(sorted[Math.floor(sorted.length / 2)] ?? NaN);
  };
  return {
    medianPssMb: median("pssMb"),
    handles: median("handles"),
    delayMs: median("delayMs"),
  };
}

/** A service deletes what has expired when it starts. */
async function measureCleanup(
  name: string,
  folder: DataFolder,
): Promise<BenchResult> {
  const service = await startProcess("all", { PLATEN_DATA: folder.path });
  const started = performance.now();
  let left = await countFiles(folder);
  try {
    for (let last = Infinity; left > 0 && left < last;) {
      last = left;
      await pause(LOOK_MS);
      left = await countFiles(folder);
    }
    const seconds = rounded((performance.now() - started) / 1000);
    return { name: `${name}-expired`, seconds, files: left };
  } finally {
    await service.stop();
  }
}

/** Files of documents that have expired, and texts in the database. */
async function countFiles(folder: DataFolder): Promise<number> {
  const database = new Database(join(folder.path, "platen.sqlite"), {
    readonly: true,
  });
  const { texts } = database
    .prepare<[], { texts: number }>(
      "SELECT COUNT(*) AS texts FROM document_text",
    )
    .get() ?? { texts: 0 };
  database.close();
  const documents = join(folder.path, "files");
  const entries = await readdir(documents, {
    recursive: true,
    withFileTypes: true,
  });
  const pdfs = entries.filter(
    (entry) => entry.isFile() && entry.name.endsWith(".pdf"),
  );
  return texts + pdfs.length;
}
