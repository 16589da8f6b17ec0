import type { ChartNumbers } from "./chart-numbers.js";
import { RULE } from "./chart-palette.js";
import { guarded } from "./guarded-text.js";
import { textStyle, type ChartStyle } from "./chart-style.js";

/** The axis of values along `length` pixels: thin lines and their numbers, no axis line and no ticks. */
export function valueAxis(
  numbers: ChartNumbers,
  style: ChartStyle,
  options: { length: number; fromZero: boolean },
) {
  return {
    type: "value" as const,
    scale: !options.fromZero,
    splitNumber: Math.max(2, Math.min(5, Math.round(options.length / 55))),
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: RULE, width: 1 } },
    axisLabel: {
      ...textStyle(style.muted),
      margin: 8,
      formatter: (value: number) => guarded(numbers.value(value)),
    },
  };
}

/** An axis that only scales, for bars that carry their values. */
export function silentAxis() {
  return {
    type: "value" as const,
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: { show: false },
    splitLine: { show: false },
  };
}
