import { readFile } from "node:fs/promises";
import type { DependencyContainer } from "tsyringe";
import { urlOf } from "../../config/index.js";
import type { Metrics, Sample } from "../plugin-api/index.js";
import type { ProgramCache } from "../documents/index.js";
import { startHttpServer } from "../api/index.js";
import type { PackageInfo } from "../lib/package-info.js";
import { observeQueue } from "./queue-metrics.js";
import { observeRenderer } from "./renderer-metrics.js";
import * as t from "./tokens.js";

/** Opens the door to the metrics and says where it is; null when nobody asks for them. */
type OpenMetrics = (closers: (() => Promise<void>)[]) => Promise<string | null>;

/**
 * Registers METRICS, before any part that tells some is made. Without an address for them nothing is loaded and nothing
 * is counted.
 */
export async function makeMetrics(
  container: DependencyContainer,
): Promise<{ open: OpenMetrics }> {
  const { metrics: address } = container.resolve(t.CONFIG);
  if (address === null) return { open: async () => null };
  const { createMetricsListener, PrometheusMetrics } =
    await import("../lib/metrics.js");
  const log = container.resolve(t.LOG);
  const metrics = new PrometheusMetrics(log);
  container.register<Metrics>(t.METRICS, { useValue: metrics });
  observe(metrics, container);
  const setBy = "PLATEN_METRICS_HOST or PLATEN_METRICS_PORT";
  const open: OpenMetrics = async (closers) => {
    const listener = createMetricsListener(metrics, log);
    const server = await startHttpServer(() => listener, { ...address, setBy });
    closers.push(() => server.close());
    const url = `${urlOf({ ...address, port: server.port })}/metrics`;
    log.info({ url }, "metrics are told");
    return url;
  };
  return { open };
}

function observe(metrics: Metrics, container: DependencyContainer): void {
  observeBuild(metrics, container.resolve(t.PACKAGE));
  observeMemory(metrics);
  observePrograms(metrics, container.resolve(t.PROGRAM_CACHE));
  observeRenderer(metrics, container.resolve(t.RENDERER));
  // It needs the database, which is opened later.
  observeQueue(metrics, () => container.resolve(t.QUEUE));
}

function observeBuild(metrics: Metrics, { version }: PackageInfo): void {
  const what = {
    name: "platen_build_info",
    help: "1, with the versions that run.",
    labels: ["version", "node"] as const,
  };
  const { node } = process.versions;
  metrics.gauge(what, () => [{ labels: { version, node }, value: 1 }]);
}

/** Linux alone tells PSS; elsewhere there is `process_resident_memory_bytes`. */
function observeMemory(metrics: Metrics): void {
  const what = {
    name: "platen_service_memory_bytes",
    help: "Memory of the service's own process (PSS), without its browsers.",
  };
  metrics.gauge(what, async () => {
    const file = "/proc/self/smaps_rollup";
    const text = await readFile(file, "utf8").catch(() => "");
    const kilobytes = /^Pss:\s+(\d+) kB/m.exec(text)?.[1];
    return kilobytes === undefined ? [] : only(Number(kilobytes) * 1024);
  });
}

function observePrograms(metrics: Metrics, programs: ProgramCache): void {
  const entries = {
    name: "platen_program_cache_entries",
    help: "Compiled templates that are kept.",
  };
  const bytes = {
    name: "platen_program_cache_bytes",
    help: "About how much memory the compiled templates take.",
  };
  metrics.gauge(entries, () => only(programs.size.entries));
  metrics.gauge(bytes, () => only(programs.size.bytes));
}

function only(value: number): Sample<never>[] {
  return [{ labels: {}, value }];
}
