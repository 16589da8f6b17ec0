import type { EChartsOption } from "echarts";
import { barChart } from "./bar-chart.js";
import {
  presentValues,
  readChartData,
  type ChartData,
  type ChartKind,
  type ChartSeries,
} from "./chart-data.js";
import { renderOption } from "./chart-engine.js";
import { chartNumbers } from "./chart-numbers.js";
import { chartStyle, type ChartStyle } from "./chart-style.js";
import { bareMarks } from "./chart-svg.js";
import { escapeXml } from "../../../lib/escape-xml.js";
import { lineChart } from "./line-chart.js";
import { noteBox } from "../draw-placeholder.js";
import { oneLine } from "../../../definition/barcodes/quote-value.js";
import { pieChart } from "./pie-chart.js";

export interface ChartDrawing {
  chart: ChartKind;
  labels: readonly string[];
  series: readonly ChartSeries[];
  /** CSS pixels; texts are 11 of them high. */
  widthPx: number;
  heightPx: number;
  /** BCP 47, for numbers. */
  locale: string;
  /** CSS font-family; without it, that of the document around. */
  fontFamily?: string | undefined;
  /** A CSS colour for all texts. */
  textColor?: string | undefined;
}

const LEAST_SIDE = 40; // pixels
const LARGEST_SIDE = 4000;

/**
 * Inline SVG of a chart; its width and height attributes are the given pixels, and CSS may override them. Without
 * any value it is a box that says so. Throws `merge_failed` for more than 5,000 values, a value past 10^15 and negative slices.
 */
export function drawChart(drawing: ChartDrawing): string {
  const data = readChartData(drawing.labels, drawing.series);
  const width = side(drawing.widthPx);
  const height = side(drawing.heightPx);
  const attributes = rootAttributes(width, height, drawing.fontFamily);
  const values = presentValues(data);
  const isEmpty = isPie(drawing.chart)
    ? values.every((value) => value === 0)
    : values.length === 0;
  if (isEmpty) return noteBox("No data", width, height, attributes);
  const style = chartStyle(width, height, drawing.textColor);
  const option = chartOption(drawing, data, values, style);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${attributes}` +
    ` role="img" aria-label="${escapeXml(describe(drawing.chart, data))}">` +
    `${bareMarks(renderOption(option, width, height))}</svg>`
  );
}

function chartOption(
  { chart, locale }: ChartDrawing,
  data: ChartData,
  values: readonly number[],
  style: ChartStyle,
): EChartsOption {
  const numbers = chartNumbers(locale, values);
  if (chart === "bar") return barChart(data, numbers, style);
  if (chart === "line") return lineChart(data, numbers, style);
  return pieChart(data, numbers, style, chart === "doughnut");
}

/** The style undoes what a container may have set for its own text. Left to right, since the marks are placed so. */
function rootAttributes(width: number, height: number, fontFamily?: string) {
  const family =
    fontFamily === undefined
      ? ""
      : `;font-family:${escapeXml(fontFamily.replace(/[;{}]/g, ""))}`;
  return `width="${width}" height="${height}" style="direction:ltr;font-style:normal;font-weight:400;letter-spacing:0;text-transform:none${family}"`;
}

function describe(chart: ChartKind, { series }: ChartData): string {
  const names = series.map(({ label }) => label).filter(Boolean);
  const kind = chart.slice(0, 1).toUpperCase() + chart.slice(1);
  return oneLine([`${kind} chart`, names.join(", ")].join(": "), 200);
}

function isPie(chart: ChartKind): boolean {
  return chart === "pie" || chart === "doughnut";
}

function side(pixels: number): number {
  const known = Number.isNaN(pixels) ? 0 : Math.round(pixels);
  return Math.min(LARGEST_SIDE, Math.max(LEAST_SIDE, known));
}
