import { extent } from "d3-array";
import { PlatenError } from "../../../plugin-api/index.js";
import { xmlText } from "../../../lib/escape-xml.js";
import { oneLine } from "../../../definition/barcodes.js";
import { paletteColor, safeColor } from "./chart-colors.js";

export type ChartKind = "bar" | "line" | "pie" | "doughnut";

export interface ChartSeries {
  label: string;
  /** One for each of the chart's labels; null (or a number that is not finite) leaves a gap. */
  values: readonly (number | null)[];
  /** A CSS color; without it the chart's palette gives one. */
  color?: string | undefined;
}

/** A chart's data, validated: texts on one line, values finite and as many as labels, colors nothing but colors. */
export interface ChartData {
  labels: readonly string[];
  /** `fill` is the color of the series, or that of the palette. */
  series: readonly (ChartSeries & { fill: string })[];
}

/** More marks than this are no longer readable, and make megabytes of SVG. */
const MAX_VALUES = 5000;
const MAX_LABEL_LENGTH = 60;
/** Beyond these, the steps of an axis are lost in the rounding of numbers. */
const MAX_VALUE = 1e15;
const MIN_VALUE = 1e-12;

/** Throws `merge_failed` for more than 5,000 values, and for one past 10^15. */
export function readChartData(
  labels: readonly string[],
  series: readonly ChartSeries[],
): ChartData {
  const count = labels.length * series.length;
  if (count > MAX_VALUES)
    throw new PlatenError(
      "merge_failed",
      `A chart has ${count} values; at most ${MAX_VALUES} can be drawn. Group the data, or limit them.`,
    );
  return {
    labels: labels.map(readLabel),
    series: series.map(({ label, values, color }, index) => ({
      label: readLabel(label),
      values: labels.map((_, at) => readValue(values[at])),
      color: safeColor(color),
      fill: safeColor(color) ?? paletteColor(index),
    })),
  };
}

function readLabel(label: string): string {
  return xmlText(oneLine(label, MAX_LABEL_LENGTH));
}

function readValue(value: number | null | undefined): number | null {
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  if (Math.abs(value) > MAX_VALUE)
    throw new PlatenError(
      "merge_failed",
      `A chart cannot show ${value}: it is larger than ${MAX_VALUE}.`,
    );
  return Math.abs(value) < MIN_VALUE ? 0 : value;
}

/** Every value of all series, without the gaps. */
export function presentValues({ series }: ChartData): number[] {
  return series.flatMap(({ values }) => values.filter((v) => v !== null));
}

/** How a chart writes its numbers, by the locale. */
export interface ChartNumbers {
  /** A value: `1,234`, `12.5`, and `1.24M` from a million. */
  value: (value: number) => string;
  /** Writes multiples of `step`, with as many digits as tell them apart. */
  multiples: (step: number) => (value: number) => string;
  /** A share of 1: `42%`; shares below one in a hundred keep one decimal. */
  share: (share: number) => string;
}

const COMPACT_FROM = 1e6;

/** @param values all values of the chart: together they decide on decimals, so that its numbers look alike. */
export function chartNumbers(
  locale: string,
  values: readonly number[],
): ChartNumbers {
  const [low = 0, high = 0] = extent(values);
  const largest = Math.max(high, -low);
  // Values that are close together need more decimals to differ.
  const basis = Math.min(largest, 100 * (high - low) || largest);
  const decimals = basis >= 1000 ? 0 : basis >= 10 ? 1 : basis >= 1 ? 2 : 4;
  const notation = largest >= COMPACT_FROM ? "compact" : "standard";
  const formatter = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(locale, options);
    return (value: number) => format.format(value);
  };
  const percent = (maximumFractionDigits: number) =>
    formatter({ style: "percent", maximumFractionDigits });
  const [whole, fine] = [percent(0), percent(1)];
  return {
    value: formatter(
      notation === "compact"
        ? { notation, maximumSignificantDigits: 3 }
        : { maximumFractionDigits: decimals },
    ),
    multiples: (step) => {
      const place = Math.floor(Math.log10(step) + 1e-9);
      const digits = Math.floor(Math.log10(largest)) - place + 2;
      return formatter(
        notation === "compact"
          ? { notation, maximumSignificantDigits: clamp(digits, 1, 17) }
          : { maximumFractionDigits: clamp(-place, 0, 17) },
      );
    },
    share: (share) => (share < 0.01 ? fine : whole)(share),
  };
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
