import type { LegendComponentOption } from "echarts";
import type { ChartData } from "./chart-data.js";
import { FONT_SIZE, textStyle, type ChartStyle } from "./chart-style.js";
import { guarded } from "./guarded-text.js";
import { textWidth } from "../text-width.js";

const SWATCH = 10;
const GAP = 14;
const LINE = 14;
const BELOW = 12;

export interface TopLegend {
  legend: LegendComponentOption;
  /** Pixels that it takes, with the air below. */
  height: number;
}

/** The name of a series in ECharts: two series may have the same label, and a legend tells them apart by name. */
export function seriesName(index: number): string {
  return `s${index}`;
}

/** The look of every legend: small squares, no frame. */
export function swatches(style: ChartStyle): LegendComponentOption {
  return {
    padding: 0,
    itemWidth: SWATCH,
    itemHeight: SWATCH,
    itemGap: GAP,
    icon: "rect",
    selectedMode: false,
    textStyle: textStyle(style.ink),
  };
}

/** Entries in rows at the top left, each an ECharts name and its label. */
export function topLegend(
  entries: readonly { name: string; label: string }[],
  style: ChartStyle,
): TopLegend {
  const labels = new Map(entries.map(({ name, label }) => [name, label]));
  const rows = countRows([...labels.values()], style.width);
  return {
    legend: {
      ...swatches(style),
      left: 0,
      top: 0,
      width: style.width,
      data: entries.map(({ name }) => name),
      formatter: (name) => guarded(labels.get(name) ?? ""),
    },
    height: rows * LINE + (rows - 1) * GAP + BELOW,
  };
}

/** The names of all series at the top left. */
export function seriesLegend(
  { series }: ChartData,
  style: ChartStyle,
): TopLegend {
  return topLegend(
    series.map(({ label }, index) => ({ name: seriesName(index), label })),
    style,
  );
}

function countRows(labels: readonly string[], width: number): number {
  let rows = 1;
  let used = 0;
  for (const label of labels) {
    const wanted = SWATCH + 5 + textWidth(label, FONT_SIZE) + GAP;
    if (used > 0 && used + wanted > width) {
      rows++;
      used = 0;
    }
    used += wanted;
  }
  return rows;
}
