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

/** Metrics in the text format of Prometheus, including those of the process (`process_*`, `nodejs_*`). */
export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();

  constructor(private readonly log: Log) {
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The current values of all metrics. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  counter<Label extends string>(
    metric: Metric<Label>,
  ): (labels: Labels<Label>) => void {
    const counter = new Counter(this.#configure(metric));
    return (labels) => counter.inc({ ...labels });
  }

  durations<Label extends string>(
    metric: Metric<Label> & { upTo: readonly number[] },
  ): (labels: Labels<Label>, seconds: number) => void {
    const buckets = [...metric.upTo];
    const histogram = new Histogram({ ...this.#configure(metric), buckets });
    return (labels, seconds) => histogram.observe({ ...labels }, seconds);
  }

  gauge<Label extends string>(
    metric: Metric<Label>,
    read: SampleReader<Label>,
  ): void {
    const gauge: Gauge<Label> = new Gauge({
      ...this.#configure(metric),
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
      ...this.#configure(metric),
      collect: () =>
        this.#collect(metric, read, counter, (labels, value) =>
          counter.inc({ ...labels }, value),
        ),
    });
  }

  #configure<Label extends string>({ name, help, labels = [] }: Metric<Label>) {
    return { name, help, labelNames: labels, registers: [this.#registry] };
  }

  /** A metric that cannot be read is omitted from the response. */
  async #collect<Label extends string>(
    { name }: Metric<Label>,
    read: SampleReader<Label>,
    collector: { reset(): void },
    set: (labels: Labels<Label>, value: number) => void,
  ): Promise<void> {
    const samples = await Promise.resolve()
      .then(read)
      .catch((error: unknown) => {
        this.log.warn({ err: error, metric: name }, "reading a metric failed");
        return [];
      });
    collector.reset();
    for (const { labels, value } of samples) set(labels, value);
  }
}

/** Answers only `GET /metrics`, without authentication: only Prometheus must be able to reach it. */
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
      log.error({ err: error }, "sending metrics failed");
      response.writeHead(500).end();
    }
  };
}
