import { PlatenError } from "../../../plugin-api/index.js";
import { xmlText } from "../../../lib/escape-xml.js";
import { oneLine } from "../../../definition/barcodes/quote-value.js";
import { safeColor } from "./safe-color.js";

export type ChartKind = "bar" | "line" | "pie" | "doughnut";

export interface ChartSeries {
  label: string;
  /** One for each of the chart's labels; null (and what is no finite number) leaves a gap. */
  values: readonly (number | null)[];
  /** A CSS colour; without it the chart's palette gives one. */
  color?: string | undefined;
}

/** A chart's data, cleaned: texts on one line, values finite and as many as labels, colours nothing but colours. */
export interface ChartData {
  labels: readonly string[];
  series: readonly ChartSeries[];
}

/** More marks than this are no picture any more, and megabytes of SVG. */
const MOST_VALUES = 5000;
const LONGEST_LABEL = 60;
/** Beyond it, the axis' steps are lost in the rounding of numbers. */
const LARGEST = 1e15;
const SMALLEST = 1e-12;

/** Throws `merge_failed` for more than 5,000 values, and for one past 10^15. */
export function readChartData(
  labels: readonly string[],
  series: readonly ChartSeries[],
): ChartData {
  const count = labels.length * series.length;
  if (count > MOST_VALUES)
    throw new PlatenError(
      "merge_failed",
      `A chart has ${count} values; at most ${MOST_VALUES} can be drawn. Group the data, or limit them.`,
    );
  return {
    labels: labels.map(readLabel),
    series: series.map(({ label, values, color }) => ({
      label: readLabel(label),
      values: labels.map((_, index) => readValue(values[index])),
      color: safeColor(color),
    })),
  };
}

/** Every value that is there, of all series. */
export function presentValues({ series }: ChartData): number[] {
  return series.flatMap(({ values }) =>
    values.filter((value) => value !== null),
  );
}

function readLabel(label: string): string {
  return xmlText(oneLine(label, LONGEST_LABEL));
}

function readValue(value: number | null | undefined): number | null {
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  if (Math.abs(value) > LARGEST)
    throw new PlatenError(
      "merge_failed",
      `A chart cannot show ${value}: it is larger than ${LARGEST}.`,
    );
  return Math.abs(value) < SMALLEST ? 0 : value;
}
