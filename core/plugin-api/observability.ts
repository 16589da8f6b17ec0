/** The part of a pino logger that the code uses. Its creator configures the redaction of secrets. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: Record<string, unknown>): Log;
}

/** A published metric. Labels must have few values: never an id, an address or input of a caller. */
export interface Metric<Label extends string> {
  /** The Prometheus name: `platen_renders_total`, `platen_render_seconds`. */
  name: string;
  /** One sentence. */
  help: string;
  labels?: readonly Label[];
}

export type Labels<Label extends string> = Readonly<Record<Label, string>>;

/** One value of a metric that is read at each scrape. */
export interface Sample<Label extends string> {
  labels: Labels<Label>;
  value: number;
}

/** When it rejects, its metric is missing from that scrape. */
export type SampleReader<Label extends string> = () =>
  readonly Sample<Label>[] | Promise<readonly Sample<Label>[]>;

/** Registers metrics, each name once. The code does not know whether and where they are published. */
export interface Metrics {
  /** A counter. @returns a function that increments it. */
  counter<Label extends string>(
    metric: Metric<Label>,
  ): (labels: Labels<Label>) => void;
  /** A histogram of durations in seconds; `upTo` are the ascending upper bounds of its buckets. */
  durations<Label extends string>(
    metric: Metric<Label> & { upTo: readonly number[] },
  ): (labels: Labels<Label>, seconds: number) => void;
  /** A current value that is read at each scrape. */
  gauge<Label extends string>(
    metric: Metric<Label>,
    read: SampleReader<Label>,
  ): void;
  /** A count from elsewhere that is read at each scrape. */
  total<Label extends string>(
    metric: Metric<Label>,
    read: SampleReader<Label>,
  ): void;
}

/** Discards all metrics. */
export const noMetrics: Metrics = {
  counter: () => () => undefined,
  durations: () => () => undefined,
  gauge: () => undefined,
  total: () => undefined,
};
