import type { LineSeriesOption } from "echarts";
import type { ChartData } from "./chart-data.js";
import type { ChartNumbers } from "./chart-numbers.js";
import { INK, paletteColor } from "./chart-palette.js";
import { FONT_SIZE, textStyle, type ChartStyle } from "./chart-style.js";
import { guarded } from "./guarded-text.js";
import { isReadable } from "./safe-color.js";
import { widestText } from "../text-width.js";

/** What stands at the right ends of lines instead of a legend: the series' names, or the last value of a single one. */
export interface LineEnds {
  /** Pixels that it takes at the right. */
  width: number;
  /** Part of the option of each series. */
  options: LineSeriesOption[];
}

const MOST = 6;
const WIDEST = 0.25; // of the chart
const DISTANCE = 8; // pixels from a line's end

/** Null where a line does not reach the end, or the texts would be too many or too wide. */
export function lineEnds(
  data: ChartData,
  numbers: ChartNumbers,
  style: ChartStyle,
): LineEnds | null {
  const texts = endTexts(data, numbers);
  if (texts === null) return null;
  const widest = widestText(texts, FONT_SIZE);
  if (widest > style.width * WIDEST) return null;
  const colors = textColors(data, style);
  return {
    width: Math.ceil(widest) + DISTANCE + 6,
    options: texts.map((text, index) =>
      endLabel(text, colors[index] ?? style.ink),
    ),
  };
}

function endTexts(
  { labels, series }: ChartData,
  numbers: ChartNumbers,
): string[] | null {
  if (labels.length < 2 || series.length > MOST) return null;
  const lasts = series.map(({ values }) => values.at(-1) ?? null);
  if (lasts.includes(null)) return null;
  return series.length === 1
    ? lasts.map((value) => numbers.value(value ?? 0))
    : series.map(({ label }) => label);
}

/** Each text in its line's colour, if every one of them can be read in it and no colour was asked for. */
function textColors({ series }: ChartData, { ink }: ChartStyle): string[] {
  const colors = series.map(({ color }, index) => color ?? paletteColor(index));
  return ink === INK && colors.every(isReadable)
    ? colors
    : colors.map(() => ink);
}

function endLabel(text: string, color: string): LineSeriesOption {
  return {
    endLabel: {
      ...textStyle(color),
      show: true,
      distance: DISTANCE,
      formatter: () => guarded(text),
    },
    labelLayout: { moveOverlap: "shiftY" },
  };
}
