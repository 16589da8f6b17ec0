import type { EChartsOption } from "echarts";
import type { ChartData } from "./chart-data.js";
import type { ChartNumbers } from "./chart-numbers.js";
import { FONT_SIZE, type ChartStyle } from "./chart-style.js";
import { listedPie } from "./listed-pie.js";
import { LEADER, LINE, pieSeries } from "./pie-series.js";
import { pieSlices, type Slice } from "./pie-slices.js";
import { piesInARow } from "./pies-in-a-row.js";
import { widestText } from "../text-width.js";

const MOST_NAMED = 8; // slices
const THIN = 0.05; // parts whose names would crowd
const MOST_THIN = 2;
const WIDEST = 0.3; // of the width, for a text beside the pie
const LEAST_RADIUS = 0.28; // of the height

/** A pie whose slices are named beside it, or in a list where they are many; several series are pies in a row. */
export function pieChart(
  data: ChartData,
  numbers: ChartNumbers,
  style: ChartStyle,
  hole: boolean,
): EChartsOption {
  const pies = data.series.map((one) => pieSlices(data, one, numbers));
  if (pies.length > 1) return piesInARow(data, pies, style, hole);
  const slices = pies[0] ?? [];
  const named = isCrowded(slices)
    ? null
    : (namedPie(slices, style, hole, "  ") ??
      namedPie(slices, style, hole, "\n"));
  return named ?? listedPie(slices, style, hole);
}

/** The pie in the middle, names and shares around it; null where they are too wide or would leave a small pie. */
function namedPie(
  slices: readonly Slice[],
  style: ChartStyle,
  hole: boolean,
  between: "  " | "\n",
): EChartsOption | null {
  const { width, height } = style;
  const text = ({ label, share }: Slice) => `${label}${between}${share}`;
  const lines = slices.flatMap((slice) => text(slice).split("\n"));
  const widest = widestText(lines, FONT_SIZE) + 6;
  const radius = Math.min(
    height / 2 - (between === "\n" ? 1.7 : 1) * LINE,
    width / 2 - LEADER - widest,
  );
  if (widest > width * WIDEST || radius < height * LEAST_RADIUS) return null;
  const center: [number, number] = [width / 2, height / 2];
  return {
    series: [pieSeries(slices, style, { center, radius, hole, label: text })],
  };
}

function isCrowded(slices: readonly Slice[]): boolean {
  const thin = slices.filter(({ part }) => part < THIN).length;
  return slices.length > MOST_NAMED || thin > MOST_THIN;
}
