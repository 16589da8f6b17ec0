/** The part of a pino logger that rooms use; secrets are redacted by whoever makes it. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: Record<string, unknown>): Log;
}

/** A number that is published. Labels have few values: never an id, an address or anything a caller sends. */
export interface Metric<Label extends string> {
  /** As Prometheus names it: `platen_renders_total`, `platen_render_seconds`. */
  name: string;
  /** One sentence. */
  help: string;
  labels?: readonly Label[];
}

export type Labels<Label extends string> = Readonly<Record<Label, string>>;

/** One value of a number that is read when it is asked for. */
export interface Sample<Label extends string> {
  labels: Labels<Label>;
  value: number;
}

/** A read that fails leaves its number out of that one answer. */
export type SampleReader<Label extends string> = () =>
  readonly Sample<Label>[] | Promise<readonly Sample<Label>[]>;

/** Where rooms tell their numbers, each name once. They know nothing of who publishes them, or whether anybody does. */
export interface Metrics {
  /** A count of what happens. */
  counter<Label extends string>(
    metric: Metric<Label>,
  ): (labels: Labels<Label>) => void;
  /** How long things take, in seconds; `upTo` are the upper bounds of its buckets, rising. */
  durations<Label extends string>(
    metric: Metric<Label> & { upTo: readonly number[] },
  ): (labels: Labels<Label>, seconds: number) => void;
  /** What is true now: read at each scrape. */
  gauge<Label extends string>(
    metric: Metric<Label>,
    read: SampleReader<Label>,
  ): void;
  /** A count that is kept elsewhere: read at each scrape. */
  total<Label extends string>(
    metric: Metric<Label>,
    read: SampleReader<Label>,
  ): void;
}

/** Where nobody asks for numbers. */
export const noMetrics: Metrics = {
  counter: () => () => undefined,
  durations: () => () => undefined,
  gauge: () => undefined,
  total: () => undefined,
};
