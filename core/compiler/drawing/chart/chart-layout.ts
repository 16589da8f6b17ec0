import { max, nice, ticks } from "d3-array";
import { escapeXml } from "../../../lib/escape-xml.js";
import { fitText, textWidth, widestText } from "../text-width.js";
import { wrapText } from "../text-width.js";
import { RULE } from "./chart-colors.js";
import type { ChartData, ChartKind, ChartNumbers } from "./chart-data.js";

/** A chart to draw: its data, its size in CSS pixels, the colors of its texts. */
export interface Chart extends ChartData {
  kind: ChartKind;
  width: number;
  height: number;
  numbers: ChartNumbers;
  /** Of texts that name the data. */
  ink: string;
  /** Of axes. */
  muted: string;
}

export type Point = readonly [x: number, y: number];
export type Range = [from: number, to: number];

export const FONT_SIZE = 11; // CSS pixels
export const LINE = 14; // pixels of a line of text

// Marks

type Attributes = Record<string, string | number | undefined>;

/** An SVG element. Values are not escaped: colors are validated, everything else is ours. */
export function element(
  name: string,
  attributes: Attributes,
  content = "",
): string {
  const written = Object.entries(attributes).map(([key, value]) => {
    if (value === undefined) return "";
    return ` ${key}="${typeof value === "number" ? round(value) : value}"`;
  });
  const start = `<${name}${written.join("")}`;
  return content === "" ? `${start}/>` : `${start}>${content}</${name}>`;
}

export function round(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}

/** A straight line, as thin as a hair. */
export function ruleMark(
  [x1, y1]: Point,
  [x2, y2]: Point,
  stroke = RULE,
): string {
  return element("line", { x1, y1, x2, y2, stroke });
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** Lines of text around the height `y`, the middle of their capitals. */
export function textMark(
  text: string | readonly string[],
  [x, y]: Point,
  fill: string,
  anchor?: "middle" | "end",
  { fontSize = FONT_SIZE, rotate = 0 } = {},
): string {
  const lines = typeof text === "string" ? [text] : text;
  const lineHeight = fontSize + 3;
  const first = y - ((lines.length - 1) / 2) * lineHeight + fontSize * 0.36;
  const turn = `rotate(${rotate} ${round(x)} ${round(y)})`;
  const marks = lines.map((line, index) => {
    const attributes = {
      x,
      y: first + index * lineHeight,
      fill,
      "text-anchor": anchor,
      "font-size": fontSize === FONT_SIZE ? undefined : fontSize,
      transform: rotate === 0 ? undefined : turn,
      // The drawing runs from left to right, but a text by its own letters.
      style: RIGHT_TO_LEFT.test(line) ? "unicode-bidi:plaintext" : undefined,
    };
    return element("text", attributes, escapeXml(line));
  });
  return marks.join("");
}

// The axis of values

export const LABEL_GAP = 9; // pixels between an axis and the labels of its values
const MAX_TICKS = 6;

export interface ValueAxis {
  ticks: readonly { value: number; label: string }[];
  /** Of the widest label. */
  labelWidth: number;
  /** The place of a value in pixels. */
  place: (value: number) => number;
}

/** About how wide the labels of an axis from `low` to `high` are, to choose a layout before there is one. */
export function axisLabelWidth({ numbers }: Chart, range: Range): number {
  return 1.1 * widestText(range.map(numbers.value), FONT_SIZE);
}

/** Values from `low` to `high` on the pixels from `start` to `end`, without ticks. */
export function plainAxis([low, high]: Range, [start, end]: Range): ValueAxis {
  const pixels = (end - start) / (high - low || 1);
  const place = (value: number) => start + (value - low) * pixels;
  return { ticks: [], labelWidth: 0, place };
}

/** The same, extended to round values, with ticks at round values that are at least about `room` pixels apart. */
export function valueAxis(
  { numbers }: Chart,
  [low, high]: Range,
  [start, end]: Range,
  room = 28,
): ValueAxis {
  const fitting = Math.floor(Math.abs(end - start) / room) + 1;
  const maxTicks = Math.max(2, Math.min(MAX_TICKS, fitting));
  let count = maxTicks;
  const tickValues = () => ticks(...nice(low, high, count), count);
  while (count > 2 && tickValues().length > maxTicks) count--;
  const all = tickValues();
  const values = all.length > fitting ? [all[0] ?? 0, all.at(-1) ?? 0] : all;
  const [first = low, second = first + 1] = values;
  const labels = values.map(numbers.multiples(second - first));
  return {
    ...plainAxis(nice(low, high, count), [start, end]),
    ticks: values.map((value, at) => ({ value, label: labels[at] ?? "" })),
    labelWidth: widestText(labels, FONT_SIZE),
  };
}

/** Light lines at the ticks of an upright axis, with their labels at the left. */
export function gridMarks(
  { ticks: marks, place }: ValueAxis,
  [left, right]: Range,
  { muted }: Chart,
): string {
  const lines = marks.map(({ value, label }) => {
    const y = place(value);
    const rule = ruleMark([left, y], [right, y]);
    return rule + textMark(label, [left - LABEL_GAP, y], muted, "end");
  });
  return lines.join("");
}

// The legend

const SWATCH = 9;
export const LEGEND_INDENT = SWATCH + 6;
const ENTRY_GAP = 18;
const LEGEND_ROW = 17;
const MAX_LEGEND = 0.4; // of the chart's height

interface LegendEntry {
  label: string;
  fill: string;
  opacity?: number | undefined;
}

/** A swatch and its label, which begins `LEGEND_INDENT` pixels after `x`. */
export function legendEntry(
  { label, fill, opacity }: LegendEntry,
  [x, y]: Point,
  ink: string,
): string {
  const size = { width: SWATCH, height: SWATCH, rx: 2 };
  const place = { x, y: y - SWATCH / 2 };
  return (
    element("rect", { ...place, ...size, fill, "fill-opacity": opacity }) +
    textMark(label, [x + LEGEND_INDENT, y], ink)
  );
}

/** Entries in rows from the top left, as many as leave room for the chart. */
export function topLegend(
  { width, height, ink }: Chart,
  entries: readonly LegendEntry[],
): { marks: string; height: number } {
  const maxRows = Math.max(1, Math.floor((height * MAX_LEGEND) / LEGEND_ROW));
  let marks = "";
  let [x, row] = [0, 0];
  for (const entry of entries) {
    const label = fitText(entry.label, FONT_SIZE, width - LEGEND_INDENT);
    const entryWidth = LEGEND_INDENT + textWidth(label, FONT_SIZE);
    if (x > 0 && x + entryWidth > width) [x, row] = [0, row + 1];
    if (row === maxRows) break;
    marks += legendEntry({ ...entry, label }, [x, row * LEGEND_ROW + 6], ink);
    x += entryWidth + ENTRY_GAP;
  }
  return { marks, height: Math.min(row + 1, maxRows) * LEGEND_ROW + 12 };
}

/** The legend of a chart with several series; nothing for one, or where it is not `needed`. */
export function seriesLegend(chart: Chart, needed = true) {
  return needed && chart.series.length > 1
    ? topLegend(chart, chart.series)
    : { marks: "", height: 0 };
}

// The axis of names

/** How names are set below an axis so that neighbors do not touch. */
export interface NameAxis {
  /** The lines of each name; none where a name is left out. */
  names: readonly (readonly string[])[];
  fontSize: number;
  isTurned: boolean;
  /** Pixels from the axis to the bottom of the names. */
  height: number;
  /** Pixels that the first name needs left of its place, and the last one right of it. */
  before: number;
  after: number;
}

const NAME_GAP = 8; // pixels between the axis and its names
const FONT_SIZES = [FONT_SIZE, FONT_SIZE - 1] as const;
const AIR = 5; // pixels between neighbors
const MAX_LINES = 3;
const TURN = 40; // degrees
const SINE = Math.sin((TURN * Math.PI) / 180);
const MAX_TURNED = 96; // pixels
const MIN_SLOT = 12; // pixels for any name of its own

/** All names upright in `slot` pixels each: on one line, a little smaller, or on up to three lines; else null. */
export function uprightNames(
  labels: readonly string[],
  slot: number,
): NameAxis | null {
  if (slot < MIN_SLOT) return null;
  for (const maxLines of [1, MAX_LINES])
    for (const fontSize of FONT_SIZES) {
      const room = slot - (AIR * fontSize) / FONT_SIZE;
      const names = labels.map((label) =>
        maxLines === 1 ? [label] : wrapText(label, fontSize, room, Infinity),
      );
      const fits = (lines: readonly string[]) =>
        lines.length <= maxLines && widestText(lines, fontSize) <= room;
      if (names.every(fits)) return nameAxis(names, fontSize);
    }
  return null;
}

/** All names turned, long ones shortened; null where even turned ones would touch. */
export function turnedNames(
  labels: readonly string[],
  slot: number,
  maxHeight: number,
): NameAxis | null {
  if (slot < MIN_SLOT) return null;
  const fontSize = FONT_SIZE - 1;
  const longest = Math.min(MAX_TURNED, maxHeight / SINE);
  const names = labels.map((label) => fitText(label, fontSize, longest));
  const reach = textWidth(names[0] ?? "", fontSize) * Math.sqrt(1 - SINE ** 2);
  return {
    ...nameAxis(
      names.map((name) => [name]),
      fontSize,
    ),
    isTurned: true,
    height: NAME_GAP + widestText(names, fontSize) * SINE + 4,
    before: reach + 4,
  };
}

/** Every nth name, as many as fit on one line, with the last of all where that comes out even. */
export function someNames(labels: readonly string[], slot: number): NameAxis {
  const longest = Math.max(40, (slot * labels.length) / 3);
  const names = labels.map((label) => fitText(label, FONT_SIZE, longest));
  const minStep = Math.ceil((widestText(names, FONT_SIZE) + 2 * AIR) / slot);
  const last = labels.length - 1;
  let step = minStep;
  while (last % step > 0 && step < 1.5 * minStep) step++;
  if (last % step > 0) step = minStep;
  const visibleNames = names.map((name, index) =>
    index % step === 0 ? [name] : [],
  );
  const axis = nameAxis(visibleNames, FONT_SIZE, last - (last % step));
  return { ...axis, after: axis.after - 0.8 * (last % step) * slot };
}

function nameAxis(
  names: NameAxis["names"],
  fontSize: number,
  lastShown = names.length - 1,
): NameAxis {
  const lines = max(names, (name) => name.length) ?? 1;
  const half = (at: number) => widestText(names[at] ?? [], fontSize) / 2;
  const height = NAME_GAP + lines * (fontSize + 3);
  const room = { before: half(0), after: half(lastShown), height };
  return { names, fontSize, isTurned: false, ...room };
}

/** The names below an axis at `top`, each at its place. */
export function nameMarks(
  { names, fontSize, isTurned }: NameAxis,
  place: (index: number) => number,
  top: number,
  fill: string,
): string {
  const anchor = isTurned ? "end" : "middle";
  const look = { fontSize, rotate: isTurned ? -TURN : 0 };
  const marks = names.map((lines, index) => {
    const middle = isTurned ? 0 : (lines.length * (fontSize + 3)) / 2;
    const y = top + NAME_GAP + middle;
    return textMark(lines, [place(index), y], fill, anchor, look);
  });
  return marks.join("");
}

/** Heights near the wanted ones and in the same order, a line of text apart, from `top` to `bottom`. */
export function spread(
  wanted: readonly number[],
  [top, bottom]: Range,
): number[] {
  const order = wanted
    .map((y, index) => ({ y, index }))
    .toSorted((a, b) => a.y - b.y);
  let free = -Infinity;
  for (const position of order) {
    position.y = Math.max(position.y, free);
    free = position.y + LINE;
  }
  let limit = bottom;
  for (const position of order.toReversed()) {
    position.y = Math.max(top, Math.min(position.y, limit));
    limit = position.y - LINE;
  }
  return order.toSorted((a, b) => a.index - b.index).map(({ y }) => y);
}
