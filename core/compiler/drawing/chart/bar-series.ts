import type { BarSeriesOption } from "echarts";
import type { ChartData } from "./chart-data.js";
import { seriesName } from "./chart-legend.js";
import type { ChartNumbers } from "./chart-numbers.js";
import { BASELINE, paletteColor } from "./chart-palette.js";
import { guarded } from "./guarded-text.js";
import { textStyle, type ChartStyle } from "./chart-style.js";

export interface BarLook {
  /** Bars lie, and grow to the right. */
  lying: boolean;
  /** Each bar carries its value. */
  direct: boolean;
}

/** The bars of every series, with a line at zero where some values are below it. */
export function barSeries(
  data: ChartData,
  numbers: ChartNumbers,
  style: ChartStyle,
  look: BarLook,
): BarSeriesOption[] {
  const several = data.series.length > 1;
  return data.series.map(({ values, color }, index) => ({
    type: "bar",
    name: seriesName(index),
    silent: true,
    emphasis: { disabled: true },
    clip: false,
    itemStyle: { color: color ?? paletteColor(index) },
    barMaxWidth: several ? 36 : 56,
    barCategoryGap: several ? "32%" : "38%",
    barGap: "6%",
    data: values.map((value) => ({
      value: value ?? "-",
      ...(look.direct && value !== null
        ? { label: valueLabel(value, numbers, style, look.lying) }
        : {}),
    })),
    ...(index === 0 && hasNegative(data) ? { markLine: zeroLine(look) } : {}),
  }));
}

export function hasNegative({ series }: ChartData): boolean {
  return series.some(({ values }) => values.some((v) => v !== null && v < 0));
}

function valueLabel(
  value: number,
  numbers: ChartNumbers,
  style: ChartStyle,
  lying: boolean,
) {
  const [below, above] = lying
    ? (["left", "right"] as const)
    : (["bottom", "top"] as const);
  return {
    ...textStyle(style.ink),
    show: true,
    position: value < 0 ? below : above,
    distance: 4,
    formatter: () => guarded(numbers.value(value)),
  };
}

function zeroLine({ lying }: BarLook): BarSeriesOption["markLine"] & object {
  return {
    silent: true,
    symbol: "none",
    label: { show: false },
    lineStyle: { color: BASELINE, width: 1, type: "solid" },
    data: [lying ? { xAxis: 0 } : { yAxis: 0 }],
  };
}
