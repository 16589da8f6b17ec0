import type { ChartDrawing } from "../../../core/compiler/drawing/index.js";

export const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"];

const size = { widthPx: 480, heightPx: 240, locale: "en-US" };

/** A chart of two series over six months, with parts of it replaced. */
export function createChart(parts: Partial<ChartDrawing> = {}): ChartDrawing {
  return {
    ...size,
    chart: "bar",
    labels: months,
    series: [
      { label: "North", values: [12, 30, 21, 9, 26, 18] },
      { label: "South", values: [8, 14, 33, 27, 11, 20] },
    ],
    ...parts,
  };
}

export const kinds = ["bar", "line", "pie", "doughnut"] as const;
