import type { EChartsOption } from "echarts";
import { barSeries, hasNegative } from "./bar-series.js";
import { categoryAxis } from "./category-axis.js";
import { presentValues, type ChartData } from "./chart-data.js";
import { seriesLegend } from "./chart-legend.js";
import type { ChartNumbers } from "./chart-numbers.js";
import { FONT_SIZE, type ChartStyle } from "./chart-style.js";
import { someLabels, turnedLabels, uprightLabels } from "./label-setting.js";
import { lyingBars } from "./lying-bars.js";
import { textWidth, widestText } from "../text-width.js";
import { silentAxis, valueAxis } from "./value-axis.js";

/**
 * Bars side by side for each name. One series with room enough carries its values itself and needs no axis; where the
 * names are too long to stand below, the bars lie.
 */
export function barChart(
  data: ChartData,
  numbers: ChartNumbers,
  style: ChartStyle,
): EChartsOption {
  const direct = hasRoomForValues(data, numbers, style);
  const named = data.series.length > 1 ? seriesLegend(data, style) : null;
  const axis = direct ? 0 : axisWidth(data, numbers);
  const slot = (style.width - axis) / data.labels.length;
  const upright = uprightLabels(data.labels, slot);
  if (upright === null) {
    const lying = lyingBars(data, numbers, style, named);
    if (lying !== null) return lying;
  }
  const setting =
    upright ?? turnedLabels(data.labels, slot) ?? someLabels(data.labels);
  const top = named?.height ?? (direct ? FONT_SIZE + 8 : 8);
  return {
    ...(named === null ? {} : { legend: named.legend }),
    grid: {
      left: Math.max(0, setting.overhang - axis),
      right: 0,
      bottom: 0,
      top,
      containLabel: true,
    },
    xAxis: categoryAxis(setting, style, {
      boundaryGap: true,
      line: !hasNegative(data),
    }),
    yAxis: direct
      ? silentAxis()
      : valueAxis(numbers, style, {
          length: style.height - top,
          fromZero: true,
        }),
    series: barSeries(data, numbers, style, { lying: false, direct }),
  };
}

/** About the pixels that the numbers of the value axis take. */
function axisWidth(data: ChartData, numbers: ChartNumbers): number {
  return (
    widestText(
      presentValues(data).map((value) => numbers.value(value)),
      FONT_SIZE,
    ) + 8
  );
}

function hasRoomForValues(
  { labels, series }: ChartData,
  numbers: ChartNumbers,
  { width }: ChartStyle,
): boolean {
  const [only, ...others] = series;
  if (only === undefined || others.length > 0) return false;
  const slot = width / labels.length;
  return only.values.every(
    (value) =>
      value === null || textWidth(numbers.value(value), FONT_SIZE) + 4 <= slot,
  );
}
