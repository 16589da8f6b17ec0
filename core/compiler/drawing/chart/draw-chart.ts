import { escapeXml } from "../../../lib/escape-xml.js";
import { noteBox } from "../draw-placeholder.js";
import { oneLine } from "../../../definition/barcodes.js";
import { barChart } from "./bar-chart.js";
import { INK, MUTED, safeColor } from "./chart-colors.js";
import {
  chartNumbers,
  presentValues,
  readChartData,
  type ChartKind,
  type ChartSeries,
} from "./chart-data.js";
import { FONT_SIZE, type Chart } from "./chart-layout.js";
import { lineChart } from "./line-chart.js";
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
  /** A CSS color for all texts. */
  textColor?: string | undefined;
}

const MIN_SIDE = 40; // pixels
const MAX_SIDE = 4000;

/**
 * Inline SVG of a chart; its width and height attributes are the given pixels, and CSS may override them. Without
 * any value it is a box that says so. Throws `merge_failed` for more than 5,000 values, a value past 10^15 and negative slices.
 */
export function drawChart(drawing: ChartDrawing): string {
  const { chart: kind, locale } = drawing;
  const data = readChartData(drawing.labels, drawing.series);
  const width = side(drawing.widthPx);
  const height = side(drawing.heightPx);
  const attributes = rootAttributes(width, height, drawing.fontFamily);
  const values = presentValues(data);
  const isPie = kind === "pie" || kind === "doughnut";
  const isEmpty = values.every((value) => isPie && value === 0);
  if (isEmpty) return noteBox("No data", width, height, attributes);
  const color = safeColor(drawing.textColor);
  const numbers = chartNumbers(locale, values);
  const [ink, muted] = [color ?? INK, color ?? MUTED];
  const chart = { ...data, kind, width, height, numbers, ink, muted };
  const title = escapeXml(describeChart(chart));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${attributes} role="img" aria-label="${title}">` +
    `<title>${title}</title>${chartMarks(chart)}</svg>`
  );
}

function chartMarks(chart: Chart): string {
  if (chart.kind === "bar") return barChart(chart);
  if (chart.kind === "line") return lineChart(chart);
  return pieChart(chart);
}

/** The style undoes what a container may have set for its own text. Left to right, since the marks are placed so. */
function rootAttributes(width: number, height: number, fontFamily?: string) {
  const family =
    fontFamily === undefined
      ? ""
      : `;font-family:${escapeXml(fontFamily.replace(/[;{}]/g, ""))}`;
  return `width="${width}" height="${height}" style="direction:ltr;overflow:visible;font-size:${FONT_SIZE}px;font-style:normal;font-weight:400;font-variant-numeric:tabular-nums;letter-spacing:0;text-transform:none${family}"`;
}

function describeChart({ kind, series }: Chart): string {
  const names = series.map(({ label }) => label).filter(Boolean);
  const name = kind.slice(0, 1).toUpperCase() + kind.slice(1);
  return oneLine([`${name} chart`, names.join(", ")].join(": "), 200);
}

function side(pixels: number): number {
  const rounded = Number.isNaN(pixels) ? 0 : Math.round(pixels);
  return Math.min(MAX_SIDE, Math.max(MIN_SIDE, rounded));
}
