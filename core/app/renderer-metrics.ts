import type { Metrics, Sample } from "../plugin-api/index.js";
import { readTogether } from "./read-together.js";
import type { Renderer, RendererStats } from "../rendering/index.js";

const upToSeconds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

type ReadStats = () => Promise<RendererStats>;

/** What the renderer tells of itself, as metrics. */
export function observeRenderer(metrics: Metrics, renderer: Renderer): void {
  const stats = readTogether(() => renderer.stats());
  observePrints(metrics, renderer);
  observeLanes(metrics, stats);
  observeBrowsers(metrics, stats);
  metrics.gauge(
    {
      name: "platen_renderer_ready",
      help: "1 while documents can be printed, otherwise 0.",
    },
    () => only(renderer.health().ready ? 1 : 0),
  );
}

function observePrints(metrics: Metrics, renderer: Renderer): void {
  const count = metrics.counter({
    name: "platen_print_jobs_total",
    help: "Jobs of the browsers: what was printed (`pdf`), drawn (`images`) or taken (`screenshot`), and how it ended.",
    labels: ["kind", "outcome"],
  });
  const took = metrics.durations({
    name: "platen_print_job_seconds",
    help: "From the moment a job is asked for to its end, waiting included.",
    labels: ["kind", "outcome"],
    upTo: upToSeconds,
  });
  renderer.observe(({ kind, outcome, durationMs }) => {
    count({ kind, outcome });
    took({ kind, outcome }, durationMs / 1000);
  });
}

function observeLanes(metrics: Metrics, stats: ReadStats): void {
  const lanes = (count: "queued" | "busy") => async () => {
    const { lanes: all } = await stats();
    return Object.entries(all).map(([lane, of]) => ({
      labels: { lane },
      value: of[count],
    }));
  };
  metrics.gauge(
    {
      name: "platen_print_queue_depth",
      help: "Jobs that wait for a page, by lane.",
      labels: ["lane"],
    },
    lanes("queued"),
  );
  metrics.gauge(
    {
      name: "platen_print_jobs_running",
      help: "Jobs under way, by lane.",
      labels: ["lane"],
    },
    lanes("busy"),
  );
}

function observeBrowsers(metrics: Metrics, stats: ReadStats): void {
  metrics.total(
    {
      name: "platen_browser_restarts_total",
      help: "Browsers that were replaced: one `died`, `hung`, or its `memory` had grown too large.",
      labels: ["reason"],
    },
    async () => byReason(await stats()),
  );
  metrics.total(
    {
      name: "platen_pages_replaced_total",
      help: "Pages that crashed or hung and were replaced.",
    },
    async () => only((await stats()).pagesReplaced),
  );
  metrics.gauge(
    {
      name: "platen_browser_memory_bytes",
      help: "Memory of all browsers with all their processes (PSS).",
    },
    async () => {
      const { pssMb } = await stats();
      return pssMb === null ? [] : only(pssMb * 1024 * 1024);
    },
  );
}

function byReason({ restarts }: RendererStats): Sample<"reason">[] {
  return Object.entries(restarts).map(([reason, value]) => ({
    labels: { reason },
    value,
  }));
}

function only(value: number): Sample<never>[] {
  return [{ labels: {}, value }];
}
