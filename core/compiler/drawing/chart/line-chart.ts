import type { EChartsOption, LineSeriesOption } from "echarts";
import { categoryAxis } from "./category-axis.js";
import { presentValues, type ChartData } from "./chart-data.js";
import { seriesLegend, seriesName } from "./chart-legend.js";
import type { ChartNumbers } from "./chart-numbers.js";
import { paletteColor } from "./chart-palette.js";
import type { ChartStyle } from "./chart-style.js";
import { someLabels, uprightLabels } from "./label-setting.js";
import { lineEnds } from "./line-ends.js";
import { valueAxis } from "./value-axis.js";

const AXIS_ROOM = 44; // pixels, about what the numbers of the value axis take
const DOT = 6;
const DENSE = 60; // points from which a line is thinner

/** Lines over the labels, each named at its end where that fits, with gaps where values are missing. */
export function lineChart(
  data: ChartData,
  numbers: ChartNumbers,
  style: ChartStyle,
): EChartsOption {
  const { labels, series } = data;
  const ends = lineEnds(data, numbers, style);
  const legend =
    ends === null && series.length > 1 ? seriesLegend(data, style) : null;
  const right = ends?.width ?? 12;
  const top = legend?.height ?? 10;
  const slot =
    (style.width - right - AXIS_ROOM) / Math.max(1, labels.length - 1);
  const setting = uprightLabels(labels, slot) ?? someLabels(labels);
  return {
    ...(legend === null ? {} : { legend: legend.legend }),
    grid: { left: 0, right, bottom: 0, top, containLabel: true },
    xAxis: categoryAxis(setting, style, {
      boundaryGap: labels.length === 1,
      line: true,
    }),
    yAxis: valueAxis(numbers, style, {
      length: style.height - top,
      fromZero: startsAtZero(presentValues(data)),
    }),
    series: series.map(({ values, color }, index) => ({
      ...lineSeries(values, color ?? paletteColor(index), index),
      ...ends?.options[index],
    })),
  };
}

function lineSeries(
  values: readonly (number | null)[],
  color: string,
  index: number,
): LineSeriesOption {
  return {
    type: "line",
    name: seriesName(index),
    silent: true,
    emphasis: { disabled: true },
    clip: false,
    symbol: "circle",
    lineStyle: {
      color,
      width: values.length > DENSE ? 1.4 : 2,
      cap: "round",
      join: "round",
    },
    itemStyle: { color, borderWidth: 0 },
    data: values.map((value, at) => ({
      value: value ?? "-",
      symbolSize: hasDot(values, at) ? DOT : 0,
    })),
  };
}

/** The last point has a dot, and one between two gaps, which would be invisible otherwise. */
function hasDot(values: readonly (number | null)[], at: number): boolean {
  if ((values[at] ?? null) === null) return false;
  const before = values[at - 1] ?? null;
  const after = values[at + 1] ?? null;
  return after === null && (before === null || at === values.length - 1);
}

/** Lines that stay far from zero, and close together, are shown without it: they would be flat. */
function startsAtZero(values: readonly number[]): boolean {
  const least = Math.min(...values);
  const most = Math.max(...values);
  return least <= 0 || (most - least) / most > 0.4;
}
