import { extent } from "d3-array";
import { line } from "d3-shape";
import { widestText } from "../text-width.js";
import { BASELINE } from "./chart-colors.js";
import { presentValues } from "./chart-data.js";
import {
  axisLabelWidth,
  element,
  FONT_SIZE,
  gridMarks,
  LABEL_GAP,
  nameMarks,
  ruleMark,
  seriesLegend,
  someNames,
  spread,
  textMark,
  uprightNames,
  valueAxis,
  type Chart,
  type Range,
} from "./chart-layout.js";

const END_GAP = 8; // pixels between the end of a line and its label
const MAX_ENDS = 6; // lines with a label at the end
const MAX_END_WIDTH = 0.25; // of the chart
const DENSE = 60; // points from which a line is thinner
const DOT = 3; // radius in pixels

/** Lines over the names, each labeled at its end where that fits, with gaps where values are missing. */
export function lineChart(chart: Chart): string {
  const { width, height, labels, series, ink, muted } = chart;
  const ends = endLabels(chart);
  const legend = seriesLegend(chart, ends === null);
  const endRoom =
    DOT + (ends === null ? 0 : END_GAP + widestText(ends, FONT_SIZE));
  const steps = Math.max(1, labels.length - 1);
  const [low, high] = domain(presentValues(chart));
  const axisRoom = axisLabelWidth(chart, [low, high]) + LABEL_GAP;
  const nameAxis = (before: number, after: number) => {
    const slot = Math.max(1, width - before - after) / steps;
    return uprightNames(labels, slot) ?? someNames(labels, slot);
  };
  const draft = nameAxis(axisRoom, endRoom);
  const names = nameAxis(
    Math.max(axisRoom, draft.before),
    Math.max(endRoom, draft.after),
  );
  const bottom = Math.max(1, height - names.height);
  const top = Math.min(bottom - 1, legend.height + FONT_SIZE / 2 + 2);
  const axis = valueAxis(chart, [low, high], [bottom, top]);
  const left = Math.max(axis.labelWidth + LABEL_GAP, names.before);
  const right = Math.max(left + 1, width - Math.max(endRoom, names.after));
  const x = (at: number) =>
    left + (right - left) * (labels.length === 1 ? 0.5 : at / steps);
  const y = axis.place;
  const lasts = series.map(({ values }) => y(values.at(-1) ?? 0));
  const places = spread(lasts, [top, bottom]);
  return [
    legend.marks,
    gridMarks(axis, [left, right], chart),
    low > 0 ? "" : ruleMark([left, y(0)], [right, y(0)], BASELINE),
    ...series.map(({ values, fill }) => lineMarks(values, fill, x, y)),
    ...(ends ?? []).map((text, index) =>
      textMark(text, [right + DOT + END_GAP, places[index] ?? 0], ink),
    ),
    nameMarks(names, x, bottom, muted),
  ].join("");
}

/**
 * What is written at the right ends of lines instead of a legend: the names of the series, or the last value of a single
 * one. Null where a line does not reach the end, or the labels would be too many or too wide.
 */
function endLabels({ labels, series, numbers, width }: Chart) {
  if (labels.length < 2 || series.length > MAX_ENDS) return null;
  const ends = series.flatMap(({ label, values }) => {
    const last = values.at(-1) ?? null;
    if (last === null) return [];
    return series.length === 1 ? numbers.value(last) : label;
  });
  const isNarrow = widestText(ends, FONT_SIZE) <= width * MAX_END_WIDTH;
  return isNarrow && ends.length === series.length ? ends : null;
}

/** A line with a dot at its last point, and at one between two gaps, which would be invisible otherwise. */
function lineMarks(
  values: readonly (number | null)[],
  color: string,
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, at) => x(at))
    .y((value) => y(value ?? 0))
    .digits(2);
  const dots = values.map((value, at) => {
    const isLast = at === values.length - 1;
    const ends = (values[at + 1] ?? null) === null;
    const begins = (values[at - 1] ?? null) === null;
    if (value === null || !ends || !(begins || isLast)) return "";
    return element("circle", { cx: x(at), cy: y(value), r: DOT, fill: color });
  });
  const look = {
    fill: "none",
    stroke: color,
    "stroke-width": values.length > DENSE ? 1.4 : 2,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  };
  return element("path", { d: path(values) ?? "", ...look }) + dots.join("");
}

/** Lines that stay far from zero, and close together, are shown without it: they would be flat. */
function domain(values: readonly number[]): Range {
  const [low = 0, high = 0] = extent(values);
  const isFlat = low > 0 && high > low && (high - low) / high <= 0.4;
  return isFlat ? [low, high] : [Math.min(0, low), Math.max(0, high)];
}
