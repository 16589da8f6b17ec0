import type { XAXisComponentOption } from "echarts";
import { BASELINE } from "./chart-palette.js";
import { textStyle, type ChartStyle } from "./chart-style.js";
import { guarded } from "./guarded-text.js";
import type { LabelSetting } from "./label-setting.js";

/** The axis of names, with a line that stands for zero. */
export function categoryAxis(
  setting: LabelSetting,
  style: ChartStyle,
  options: { boundaryGap: boolean; line: boolean },
) {
  return {
    type: "category" as const,
    data: setting.texts.map(guarded),
    boundaryGap: options.boundaryGap,
    axisTick: { show: false },
    axisLine: {
      show: options.line,
      onZero: false,
      lineStyle: { color: BASELINE, width: 1, cap: "butt" as const },
    },
    axisLabel: {
      ...textStyle(style.muted, setting.fontSize),
      lineHeight: setting.fontSize + 2,
      margin: 7,
      rotate: setting.rotate,
      ...(setting.all ? { interval: 0 } : { hideOverlap: true }),
    },
  } satisfies XAXisComponentOption;
}
