import type { IncomingMessage, ServerResponse } from "node:http";
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
} from "prom-client";
import type {
  Labels,
  Log,
  Metric,
  Metrics,
  SampleReader,
} from "../plugin-api/index.js";

// Metrics in Prometheus' text format. Capabilities report theirs through the interface
// `Metrics` of the plugin API; only this file uses the library.

/** Numbers in the text format of Prometheus; those of the process itself (`process_*`, `nodejs_*`) come by themselves. */
export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();

  constructor(private readonly log: Log) {
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All numbers as they are now. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  counter<Label extends string>(
    metric: Metric<Label>,
  ): (labels: Labels<Label>) => void {
    const counter = new Counter(this.#told(metric));
    return (labels) => counter.inc({ ...labels });
  }

  durations<Label extends string>(
    metric: Metric<Label> & { upTo: readonly number[] },
  ): (labels: Labels<Label>, seconds: number) => void {
    const buckets = [...metric.upTo];
    const histogram = new Histogram({ ...this.#told(metric), buckets });
    return (labels, seconds) => histogram.observe({ ...labels }, seconds);
  }

  gauge<Label extends string>(
    metric: Metric<Label>,
    read: SampleReader<Label>,
  ): void {
    const gauge: Gauge<Label> = new Gauge({
      ...this.#told(metric),
      collect: () =>
        this.#collect(metric, read, gauge, (labels, value) =>
          gauge.set({ ...labels }, value),
        ),
    });
  }

  total<Label extends string>(
    metric: Metric<Label>,
    read: SampleReader<Label>,
  ): void {
    const counter: Counter<Label> = new Counter({
      ...this.#told(metric),
      collect: () =>
        this.#collect(metric, read, counter, (labels, value) =>
          counter.inc({ ...labels }, value),
        ),
    });
  }

  #told<Label extends string>({ name, help, labels = [] }: Metric<Label>) {
    return { name, help, labelNames: labels, registers: [this.#registry] };
  }

  /** What cannot be read now is missing from this answer, and does not take the rest with it. */
  async #collect<Label extends string>(
    { name }: Metric<Label>,
    read: SampleReader<Label>,
    kept: { reset(): void },
    keep: (labels: Labels<Label>, value: number) => void,
  ): Promise<void> {
    const samples = await Promise.resolve()
      .then(read)
      .catch((error: unknown) => {
        this.log.warn({ err: error, metric: name }, "a metric was not read");
        return [];
      });
    kept.reset();
    for (const { labels, value } of samples) keep(labels, value);
  }
}

/** Answers `GET /metrics`, and nothing else. It asks for no key: its address is to be reached by the watcher alone. */
export function createMetricsListener(
  metrics: Pick<PrometheusMetrics, "contentType" | "text">,
  log: Log,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async ({ method, url }, response) => {
    const isRead = method === "GET" || method === "HEAD";
    if (!isRead || url?.split("?")[0] !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await metrics.text();
      response.writeHead(200, { "content-type": metrics.contentType });
      response.end(text);
    } catch (error) {
      log.error({ err: error }, "the metrics could not be told");
      response.writeHead(500).end();
    }
  };
}
