import type { EChartsOption } from "echarts";
import type { ChartData } from "./chart-data.js";
import { topLegend } from "./chart-legend.js";
import { textStyle, type ChartStyle } from "./chart-style.js";
import { guarded } from "./guarded-text.js";
import { LEADER, pieSeries } from "./pie-series.js";
import type { Slice } from "./pie-slices.js";

const SHARE = 30; // pixels of a share beside a pie
const LEAST_RADIUS = 22; // pixels, below which shares are left out
const TITLE = 18;

/** A pie for each series with its title below, shares around it, and the names of the slices once, at the top. */
export function piesInARow(
  data: ChartData,
  pies: readonly (readonly Slice[])[],
  style: ChartStyle,
  hole: boolean,
): EChartsOption {
  const entries = new Map(
    pies.flat().map(({ name, label }) => [name, { name, label }]),
  );
  const { legend, height: top } = topLegend([...entries.values()], style);
  const cell = style.width / pies.length;
  const free = style.height - top - TITLE;
  const inside = Math.min(free / 2 - 16, cell / 2 - SHARE - LEADER);
  const hasShares = inside >= LEAST_RADIUS;
  const radius = hasShares
    ? inside
    : Math.max(4, Math.min(free / 2 - 4, cell / 2 - 6));
  const centerOf = (index: number) => cell * (index + 0.5);
  return {
    legend,
    title: data.series.map(({ label }, index) => ({
      text: guarded(label),
      left: centerOf(index),
      top: style.height - TITLE,
      padding: 0,
      textAlign: "center" as const,
      textStyle: { ...textStyle(style.ink), fontWeight: "normal" as const },
    })),
    series: pies.map((slices, index) =>
      pieSeries(slices, style, {
        center: [centerOf(index), top + free / 2],
        radius,
        hole,
        label: hasShares ? ({ share }: Slice) => share : null,
      }),
    ),
  };
}
