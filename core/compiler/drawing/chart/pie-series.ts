import type { PieSeriesOption } from "echarts";
import { BASELINE } from "./chart-palette.js";
import { textStyle, type ChartStyle } from "./chart-style.js";
import { guarded } from "./guarded-text.js";
import type { Slice } from "./pie-slices.js";

export interface PiePlace {
  center: [x: number, y: number];
  radius: number;
  hole: boolean;
  /** What is written beside a slice; null for nothing. */
  label: ((slice: Slice) => string) | null;
}

const HOLE = 0.6; // of a doughnut's radius
/** Pixels from a slice's edge to its text. */
export const LEADER = 22;
export const LINE = 14; // pixels of a line of text

/** Slices clockwise from the top, with thin light borders, each with its text outside on a thin line. */
export function pieSeries(
  slices: readonly Slice[],
  style: ChartStyle,
  place: PiePlace,
): PieSeriesOption {
  const { radius, hole } = place;
  return {
    type: "pie",
    silent: true,
    emphasis: { disabled: true },
    center: place.center,
    radius: [hole ? radius * HOLE : 0, radius],
    itemStyle: { borderColor: "#fff", borderWidth: 1.5 },
    label: { show: false },
    labelLine: { show: false },
    ...(place.label === null ? {} : outside(slices, place.label, style)),
    data: slices.map(({ name, value, color, opacity }) => ({
      name,
      value,
      itemStyle: { color, opacity },
      label: { opacity: 1 },
    })),
  };
}

function outside(
  slices: readonly Slice[],
  text: (slice: Slice) => string,
  style: ChartStyle,
): PieSeriesOption {
  return {
    label: {
      ...textStyle(style.ink),
      show: true,
      lineHeight: LINE,
      formatter: ({ dataIndex }) => {
        const slice = slices[dataIndex];
        return slice === undefined ? "" : guarded(text(slice));
      },
    },
    labelLine: {
      show: true,
      length: 9,
      length2: LEADER - 14,
      lineStyle: { color: BASELINE, width: 0.75 },
    },
  };
}
