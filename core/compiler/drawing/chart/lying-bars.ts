import type { EChartsOption } from "echarts";
import { barSeries, hasNegative } from "./bar-series.js";
import { categoryAxis } from "./category-axis.js";
import { presentValues, type ChartData } from "./chart-data.js";
import type { TopLegend } from "./chart-legend.js";
import type { ChartNumbers } from "./chart-numbers.js";
import { FONT_SIZE, type ChartStyle } from "./chart-style.js";
import { fitText, widestText } from "../text-width.js";
import { silentAxis, valueAxis } from "./value-axis.js";

const LEAST_ROW = 14; // pixels for a name
const LEAST_BAR = 5; // pixels for each of several bars in a row
const MOST_NAME = 0.42; // of the width

/** Bars that lie, the first at the top, their names at the left; null where there is no height for all of them. */
export function lyingBars(
  data: ChartData,
  numbers: ChartNumbers,
  style: ChartStyle,
  named: TopLegend | null,
): EChartsOption | null {
  const direct = data.series.length === 1;
  const top = named?.height ?? 0;
  const row = (style.height - top - (direct ? 0 : 22)) / data.labels.length;
  if (row < Math.max(LEAST_ROW, data.series.length * LEAST_BAR)) return null;
  const most = style.width * MOST_NAME;
  const texts = data.labels.map((label) => fitText(label, FONT_SIZE, most));
  const setting = {
    texts,
    fontSize: FONT_SIZE,
    rotate: 0,
    all: true,
    overhang: 0,
  };
  const values = presentValues(data).map((value) => numbers.value(value));
  const room = direct ? widestText(values, FONT_SIZE) + 8 : 12;
  return {
    ...(named === null ? {} : { legend: named.legend }),
    grid: { left: 0, right: room, bottom: 0, top, containLabel: true },
    yAxis: {
      ...categoryAxis(setting, style, {
        boundaryGap: true,
        line: !hasNegative(data),
      }),
      inverse: true,
    },
    xAxis: direct
      ? silentAxis()
      : valueAxis(numbers, style, {
          length: style.width - most,
          fromZero: true,
        }),
    series: barSeries(data, numbers, style, { lying: true, direct }),
  };
}
