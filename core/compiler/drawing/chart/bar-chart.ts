import { extent } from "d3-array";
import { fitText, widestText } from "../text-width.js";
import { wrapText } from "../text-width.js";
import { BASELINE } from "./chart-colors.js";
import { presentValues } from "./chart-data.js";
import {
  axisLabelWidth,
  element,
  FONT_SIZE,
  gridMarks,
  LABEL_GAP,
  LINE,
  nameMarks,
  plainAxis,
  round,
  ruleMark,
  seriesLegend,
  someNames,
  textMark,
  turnedNames,
  uprightNames,
  valueAxis,
  type Chart,
  type NameAxis,
  type Point,
  type Range,
  type ValueAxis,
} from "./chart-layout.js";

const VALUE_GAP = 6; // pixels between a bar and its value beside it
const VALUE_ROOM = 18; // pixels for a value above or below its bar
const MAX_BAR = 48;
const MAX_BAR_OF_SEVERAL = 30;
const MIN_ROW = 14; // pixels for a name beside bars
const MIN_BAR = 5; // pixels for each of several bars in a row
const MAX_NAME = 0.42; // of the width, beside bars
const MAX_COUNTED = 56; // pixels of a name that only counts
const MAX_RADIUS = 2; // of the corners at the end of a bar

/**
 * Bars side by side for each name. One series carries its values itself where there is room, and needs no axis; names
 * that are too long to be below the bars are beside them.
 */
export function barChart(chart: Chart): string {
  const { width, height, labels } = chart;
  const values = valueTexts(chart);
  const fits = values !== null && values.width + 5 <= width / labels.length;
  const above = fits ? values : null;
  const axisRoom = axisLabelWidth(chart, domain(chart)) + LABEL_GAP;
  const slot = (width - (fits ? 0 : axisRoom)) / labels.length;
  const names = uprightNames(labels, slot) ?? countedNames(labels, slot);
  if (names !== null) return uprightBars(chart, names, above);
  const turned = turnedNames(labels, slot, height * 0.4);
  return (
    horizontalBars(chart, values) ??
    uprightBars(chart, turned ?? someNames(labels, slot), above)
  );
}

interface ValueTexts {
  texts: readonly { text: string; value: number; at: number }[];
  width: number;
  /** Whether some are at the upper or right end of their bars, and some at the other. */
  above: boolean;
  below: boolean;
}

/** The values that the bars of one series carry; null for several series. */
function valueTexts({ series, numbers }: Chart): ValueTexts | null {
  const [only, ...others] = series;
  if (only === undefined || others.length > 0) return null;
  const texts = only.values.flatMap((value, at) =>
    value === null ? [] : [{ text: numbers.value(value), value, at }],
  );
  const lines = texts.map(({ text }) => text);
  return {
    texts,
    width: widestText(lines, FONT_SIZE),
    above: texts.some(({ value }) => value >= 0),
    below: texts.some(({ value }) => value < 0),
  };
}

/** Some of the names where they are short and only count (W1, W2, …), so that the others are known from them. */
function countedNames(
  labels: readonly string[],
  slot: number,
): NameAxis | null {
  const patterns = new Set(labels.map((label) => label.replace(/\d+/g, "0")));
  const isCounted = patterns.size === 1 && /\d/.test(labels[0] ?? "");
  const isShort = widestText(labels, FONT_SIZE) <= MAX_COUNTED;
  return isCounted && isShort ? someNames(labels, slot) : null;
}

/** Bars that stand on the line at zero, above their names; with an axis where they do not carry `values`. */
function uprightBars(
  chart: Chart,
  names: NameAxis,
  values: ValueTexts | null,
): string {
  const { width, height, labels, ink, muted } = chart;
  const legend = seriesLegend(chart);
  const [low, high] = domain(chart);
  const above = values?.above ? VALUE_ROOM : values ? 0 : FONT_SIZE / 2;
  const below = values?.below ? VALUE_ROOM : 0;
  const bottom = Math.max(1, height - names.height - below);
  const range: Range = [bottom, Math.min(bottom - 1, legend.height + above)];
  const axis =
    values === null
      ? valueAxis(chart, [low, high], range)
      : plainAxis([low, high], range);
  const axisWidth = values === null ? axis.labelWidth + LABEL_GAP : 0;
  const halfSlot = width / labels.length / 2;
  const left = Math.max(axisWidth, names.before - halfSlot);
  const right = width - Math.max(0, names.after - halfSlot);
  const bars = placeBars(chart, [left, right]);
  const y = axis.place;
  return [
    legend.marks,
    gridMarks(axis, [left, right], chart),
    barMarks(chart, axis, bars, (across, along) => [across, along]),
    ruleMark([left, y(0)], [right, y(0)], BASELINE),
    nameMarks(names, bars.middle, bottom + below, muted),
    ...(values?.texts ?? []).map(({ text, value, at }) => {
      const place = y(value) + (value < 0 ? VALUE_ROOM : -VALUE_ROOM) / 2;
      return textMark(text, [bars.middle(at), place], ink, "middle");
    }),
  ].join("");
}

/** Bars below each other, the first at the top, names at their left; null where the height does not hold all. */
function horizontalBars(
  chart: Chart,
  values: ValueTexts | null,
): string | null {
  const { width, height, labels, series, ink, muted } = chart;
  const legend = seriesLegend(chart);
  const top = legend.height;
  const bottom = height - (values === null ? 24 : 0);
  const row = (bottom - top) / labels.length;
  if (row < Math.max(MIN_ROW, series.length * MIN_BAR)) return null;
  const room = width * MAX_NAME;
  const names = labels.map((label) =>
    wrapText(label, FONT_SIZE, room, Math.floor(row / LINE)).map((line) =>
      fitText(line, FONT_SIZE, room),
    ),
  );
  const namesEnd = widestText(names.flat(), FONT_SIZE);
  const [low, high] = domain(chart);
  const valueRoom = values === null ? 0 : values.width + VALUE_GAP;
  const tickWidth = axisLabelWidth(chart, [low, high]);
  const before = values?.below ? valueRoom : 0;
  const after = values?.above ? valueRoom : values ? 0 : tickWidth / 2 + 4;
  const left = namesEnd + LABEL_GAP + before;
  const range: Range = [left, Math.max(left + 1, width - after)];
  const axis =
    values === null
      ? valueAxis(chart, [low, high], range, tickWidth + 24)
      : plainAxis([low, high], range);
  const bars = placeBars(chart, [top, bottom]);
  const x = axis.place;
  return [
    legend.marks,
    ...axis.ticks.map(({ value, label }) => {
      const rule = ruleMark([x(value), top], [x(value), bottom]);
      const place: Point = [x(value), height - LINE / 2];
      return rule + textMark(label, place, muted, "middle");
    }),
    barMarks(chart, axis, bars, (across, along) => [along, across]),
    ruleMark([x(0), top], [x(0), bottom], BASELINE),
    ...names.map((lines, at) =>
      textMark(lines, [namesEnd, bars.middle(at)], muted, "end"),
    ),
    ...(values?.texts ?? []).map(({ text, value, at }) => {
      const place = x(value) + (value < 0 ? -VALUE_GAP : VALUE_GAP);
      const anchor = value < 0 ? "end" : undefined;
      return textMark(text, [place, bars.middle(at)], ink, anchor);
    }),
  ].join("");
}

/** From the lowest to the highest value and to zero, on which bars stand. */
function domain(chart: Chart): Range {
  const [low = 0, high = 0] = extent([0, ...presentValues(chart)]);
  return [low, high];
}

/** Where bars are along the axis of names: those of a name side by side, with space between the names. */
function placeBars({ labels, series }: Chart, [from, to]: Range) {
  const slot = (to - from) / labels.length;
  const count = series.length;
  const step =
    count > 1
      ? Math.min(MAX_BAR_OF_SEVERAL, (slot * 0.7) / count)
      : Math.min(MAX_BAR, slot * 0.62);
  const gap = count > 1 && step > 5 ? 1.5 : 0;
  const middle = (at: number) => from + slot * (at + 0.5);
  const start = (at: number, index: number) =>
    middle(at) + (index - count / 2) * step + gap / 2;
  return { thickness: step - gap, middle, start };
}

/** The bars of each series as one path; `point` makes x and y of places across and along the bars. */
function barMarks(
  { series }: Chart,
  { place }: ValueAxis,
  { thickness, start }: ReturnType<typeof placeBars>,
  point: (across: number, along: number) => Point,
): string {
  const zero = place(0);
  const at = (across: number, along: number) =>
    point(across, along).map(round).join(" ");
  const bar = (value: number, from: number) => {
    const sign = place(value) < zero ? -1 : 1;
    const length = Math.max(1, Math.abs(place(value) - zero));
    const radius = Math.min(MAX_RADIUS, thickness / 3, length);
    const tip = zero + sign * length;
    const to = from + thickness;
    if (radius < 1)
      return `M${at(from, zero)}L${at(from, tip)}L${at(to, tip)}L${at(to, zero)}z`;
    const shoulder = tip - sign * radius;
    return (
      `M${at(from, zero)}L${at(from, shoulder)}Q${at(from, tip)} ${at(from + radius, tip)}` +
      `L${at(to - radius, tip)}Q${at(to, tip)} ${at(to, shoulder)}L${at(to, zero)}z`
    );
  };
  const marks = series.map(({ values, fill }, index) => {
    const bars = values.map((value, name) =>
      value === null || value === 0 ? "" : bar(value, start(name, index)),
    );
    return element("path", { d: bars.join(""), fill });
  });
  return marks.join("");
}
