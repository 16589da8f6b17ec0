import { readFile } from "node:fs/promises";
import type { DependencyContainer } from "tsyringe";
import { urlOf } from "../../config/index.js";
import { startHttpServer } from "../api/index.js";
import { ProgramCache } from "../documents/index.js";
import { registerValue } from "../lib/injection.js";
import type { Metrics, Sample } from "../plugin-api/index.js";
import { type Queue, QUEUE } from "../queue/index.js";
import {
  type Renderer,
  type RendererStats,
  RENDERER,
} from "../rendering/index.js";
import { CONFIG, LOG, METRICS, PACKAGE } from "../lib/process-values.js";

// The metrics of the process and of what all capabilities share. Each capability adds its own through METRICS.

/**
 * Registers METRICS, before any service that adds some is created. Without an address for them, nothing is loaded and
 * nothing is counted.
 * @returns starts the server that shows them; null without an address.
 */
export async function registerMetrics(container: DependencyContainer) {
  const { metrics: address } = container.resolve(CONFIG);
  if (address === null) return null;
  const { createMetricsListener, PrometheusMetrics } =
    await import("../lib/metrics.js");
  const log = container.resolve(LOG);
  const metrics = new PrometheusMetrics(log);
  registerValue(container, METRICS, metrics);
  observeProcess(metrics, container.resolve(PACKAGE).version);
  observePrograms(metrics, container.resolve(ProgramCache));
  observeRenderer(metrics, container.resolve(RENDERER));
  // Resolved when the metrics are read, since the queue needs the database, which is opened later.
  observeQueue(metrics, () => container.resolve(QUEUE));
  return async () => {
    const listener = createMetricsListener(metrics, log);
    const setBy = "PLATEN_METRICS_HOST or PLATEN_METRICS_PORT";
    const server = await startHttpServer(() => listener, { ...address, setBy });
    const url = `${urlOf({ ...address, port: server.port })}/metrics`;
    log.info({ url }, "serving metrics");
    return { url, close: () => server.close() };
  };
}

function observeProcess(metrics: Metrics, version: string): void {
  const { node } = process.versions;
  metrics.gauge(
    {
      name: "platen_build_info",
      help: "1, with the versions of Platen and Node.",
      labels: ["version", "node"] as const,
    },
    () => [{ labels: { version, node }, value: 1 }],
  );
  metrics.gauge(
    {
      name: "platen_service_memory_bytes",
      help: "Memory of the service's own process (PSS), without its browsers.",
    },
    // Only Linux reports PSS; elsewhere there is `process_resident_memory_bytes`.
    async () => {
      const file = "/proc/self/smaps_rollup";
      const text = await readFile(file, "utf8").catch(() => "");
      const kilobytes = /^Pss:\s+(\d+) kB/m.exec(text)?.[1];
      return kilobytes === undefined ? [] : single(Number(kilobytes) * 1024);
    },
  );
}

function observePrograms(metrics: Metrics, programs: ProgramCache): void {
  metrics.gauge(
    {
      name: "platen_program_cache_entries",
      help: "Compiled templates in the cache.",
    },
    () => single(programs.size.entries),
  );
  metrics.gauge(
    {
      name: "platen_program_cache_bytes",
      help: "Approximate memory of the compiled templates in the cache.",
    },
    () => single(programs.size.bytes),
  );
}

const jobStates = ["ready", "delayed", "running"] as const;

/** The same for all processes on one database. */
function observeQueue(metrics: Metrics, queue: () => Queue): void {
  const stats = shareRead(async () => queue().stats());
  metrics.gauge(
    {
      name: "platen_queue_jobs",
      help: "Jobs in the queue, over all processes: ready to start, delayed, or running.",
      labels: ["kind", "state"],
    },
    async () =>
      (await stats()).flatMap((counts) =>
        jobStates.map((state) => ({
          labels: { kind: counts.kind, state },
          value: counts[state],
        })),
      ),
  );
  metrics.gauge(
    {
      name: "platen_queue_oldest_ready_seconds",
      help: "How long the oldest job that is ready to start has been waiting.",
      labels: ["kind"],
    },
    async () =>
      (await stats()).map(({ kind, oldestReadySeconds }) => ({
        labels: { kind },
        value: oldestReadySeconds,
      })),
  );
}

const printBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

function observeRenderer(metrics: Metrics, renderer: Renderer): void {
  metrics.gauge(
    {
      name: "platen_renderer_ready",
      help: "1 while documents can be printed, otherwise 0.",
    },
    () => single(renderer.health().ready ? 1 : 0),
  );
  const count = metrics.counter({
    name: "platen_print_jobs_total",
    help: "Jobs of the browsers by kind (`pdf`, `images` or `screenshot`) and outcome.",
    labels: ["kind", "outcome"],
  });
  const duration = metrics.durations({
    name: "platen_print_job_seconds",
    help: "Time from the request of a job to its end, including its wait.",
    labels: ["kind", "outcome"],
    upTo: printBuckets,
  });
  renderer.observe(({ kind, outcome, durationMs }) => {
    count({ kind, outcome });
    duration({ kind, outcome }, durationMs / 1000);
  });
  observeBrowsers(
    metrics,
    shareRead(() => renderer.stats()),
  );
}

function observeBrowsers(
  metrics: Metrics,
  stats: () => Promise<RendererStats>,
): void {
  const readLanes = (count: "queued" | "busy") => async () =>
    Object.entries((await stats()).lanes).map(([lane, counts]) => ({
      labels: { lane },
      value: counts[count],
    }));
  metrics.gauge(
    {
      name: "platen_print_queue_depth",
      help: "Jobs that wait for a page, by lane.",
      labels: ["lane"],
    },
    readLanes("queued"),
  );
  metrics.gauge(
    {
      name: "platen_print_jobs_running",
      help: "Running jobs, by lane.",
      labels: ["lane"],
    },
    readLanes("busy"),
  );
  metrics.total(
    {
      name: "platen_browser_restarts_total",
      help: "Browsers that were replaced: one `died`, `hung`, or its `memory` had grown too large.",
      labels: ["reason"],
    },
    async () =>
      Object.entries((await stats()).restarts).map(([reason, value]) => ({
        labels: { reason },
        value,
      })),
  );
  metrics.total(
    {
      name: "platen_pages_replaced_total",
      help: "Pages that crashed or hung and were replaced.",
    },
    async () => single((await stats()).pagesReplaced),
  );
  metrics.gauge(
    {
      name: "platen_browser_memory_bytes",
      help: "Memory of all browsers with all their processes (PSS).",
    },
    async () => {
      const { pssMb } = await stats();
      return pssMb === null ? [] : single(pssMb * 1024 * 1024);
    },
  );
}

function single(value: number): Sample<never>[] {
  return [{ labels: {}, value }];
}

/** The metrics of one scrape are read at the same time: those that need the same read share it. */
function shareRead<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () =>
    (running ??= read().finally(() => {
      running = null;
    }));
}
