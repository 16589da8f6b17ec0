import { sum } from "d3-array";
import { arc } from "d3-shape";
import { PlatenError } from "../../../plugin-api/index.js";
import { quotedValue } from "../../../definition/barcodes.js";
import { fitText, textWidth, widestText } from "../text-width.js";
import { BASELINE, sliceColor } from "./chart-colors.js";
import type { ChartSeries } from "./chart-data.js";
import {
  element,
  FONT_SIZE,
  LEGEND_INDENT,
  legendEntry,
  LINE,
  round,
  ruleMark,
  spread,
  textMark,
  topLegend,
  type Chart,
  type Point,
} from "./chart-layout.js";

/** One part of a whole. */
interface Slice {
  /** Of the chart's labels. */
  index: number;
  label: string;
  /** Its part of the whole, up to 1, and the same as text. */
  part: number;
  share: string;
  fill: string;
  opacity: number | undefined;
  /** Radians clockwise from the top. */
  startAngle: number;
  endAngle: number;
}

interface Circle {
  x: number;
  y: number;
  radius: number;
}

const HOLE = 0.62; // of a doughnut's radius
const SLICE_GAP = 1.5; // pixels
const MAX_NAMED = 8; // slices
const THIN = 0.05; // parts whose names would crowd
const MAX_THIN = 2;
const MIN_NAMED = 0.35; // radius of a named pie, of the shorter side

/** A pie whose slices are named around it, or in a list where they are many; several series are pies in a row. */
export function pieChart(chart: Chart): string {
  const { width, height } = chart;
  const pies = chart.series.map((series) => pieSlices(chart, series));
  if (pies.length > 1) return piesInARow(chart, pies);
  const slices = pies[0] ?? [];
  const thin = slices.filter(({ part }) => part < THIN).length;
  const labels = slices.map((slice) =>
    arcLabel(slice, `${slice.label}\u00a0\u00a0${slice.share}`),
  );
  const radius = maxRadius(labels, width, height);
  const isSmall = radius < MIN_NAMED * Math.min(width, height);
  if (slices.length > MAX_NAMED || thin > MAX_THIN || isSmall)
    return listedPie(chart, slices);
  const circle = { x: width / 2, y: height / 2, radius };
  return sliceMarks(chart, slices, circle) + labelMarks(chart, labels, circle);
}

/**
 * The slices of one series: what is missing or zero has none. A label has the same color in every series; a series with
 * a color of its own is drawn in tints of it. Throws `merge_failed` for a negative value.
 */
function pieSlices(
  { labels, numbers }: Chart,
  { label: name, values, color }: ChartSeries,
): Slice[] {
  const whole = sum(values, (value) => value ?? 0);
  let angle = 0;
  return values.flatMap((value, index) => {
    const label = labels[index] ?? "";
    if (value !== null && value < 0)
      throw new PlatenError(
        "merge_failed",
        `A pie chart cannot show the negative value of ${quotedValue(label)} in ${quotedValue(name)}; a bar chart can.`,
      );
    if (value === null || value === 0) return [];
    const part = value / whole;
    const slice = {
      index,
      label,
      part,
      share: numbers.share(part),
      ...sliceColor(index, values.length, color),
      startAngle: angle,
      endAngle: angle + 2 * Math.PI * part,
    };
    angle = slice.endAngle;
    return [slice];
  });
}

/** Slices clockwise from the top, with gaps through which the ground shows. */
function sliceMarks(
  { kind }: Chart,
  slices: readonly Slice[],
  { x, y, radius }: Circle,
): string {
  const shape = arc<Slice>()
    .innerRadius(kind === "doughnut" ? radius * HOLE : 0)
    .outerRadius(radius)
    .padRadius(radius)
    .padAngle(({ startAngle, endAngle }) =>
      Math.min(SLICE_GAP / radius, 0.4 * (endAngle - startAngle)),
    )
    .digits(2);
  const marks = slices.map((slice) => {
    const { fill, opacity } = slice;
    const d = shape(slice) ?? "";
    return element("path", { d, fill, "fill-opacity": opacity });
  });
  const transform = `translate(${round(x)} ${round(y)})`;
  return element("g", { transform }, marks.join(""));
}

const OUTSIDE = 9; // pixels from a slice to its label
const LEADER_FROM = 8; // pixels between a label and its best place from which a line leads to it

/** A text beside a slice, and in which direction from the middle. */
interface ArcLabel {
  text: string;
  width: number;
  sine: number;
  cosine: number;
}

function arcLabel({ startAngle, endAngle }: Slice, text: string): ArcLabel {
  const angle = (startAngle + endAngle) / 2;
  const width = textWidth(text, FONT_SIZE);
  return { text, width, sine: Math.sin(angle), cosine: Math.cos(angle) };
}

/** The largest radius that leaves room for the labels in an area around the pie; below zero where there is none. */
function maxRadius(
  labels: readonly ArcLabel[],
  width: number,
  height: number,
): number {
  if (labels.length * LINE > height) return -1;
  const limits = labels.flatMap((label) => [
    (height - LINE) / 2 / Math.abs(label.cosine) - LINE / 2,
    (width / 2 - label.width) / Math.max(0.3, Math.abs(label.sine)),
  ]);
  return Math.min(height / 2 - 1, ...limits.map((limit) => limit - OUTSIDE));
}

/** Texts outside of their slices, on each side below each other, with a line to the slice where they are far from it. */
function labelMarks(
  { ink }: Chart,
  labels: readonly ArcLabel[],
  { x, y, radius }: Circle,
): string {
  const rim = radius + OUTSIDE;
  const half = LINE / 2;
  const marks = [1, -1].flatMap((side) => {
    const beside = labels.filter(({ sine }) => (sine < 0 ? -1 : 1) === side);
    const wanted = beside.map(({ cosine }) => y - cosine * (rim + half));
    const places = spread(wanted, [y - rim - half, y + rim + half]);
    return beside.map(({ text, sine, cosine }, index) => {
      const labelY = places[index] ?? 0;
      // The pie reaches as far as at the height of the label's nearest edge.
      const edge = Math.max(0, Math.abs(labelY - y) - half);
      const reach = Math.sqrt(Math.max(0, rim ** 2 - edge ** 2));
      const labelX = x + side * Math.max(reach, Math.abs(sine) * rim);
      const isFar = Math.abs(labelY - (wanted[index] ?? 0)) > LEADER_FROM;
      const end: Point = [labelX - side * 3, labelY];
      const start: Point = [x + sine * (radius + 2), y - cosine * (radius + 2)];
      const anchor = side < 0 ? "end" : undefined;
      return (
        textMark(text, [labelX, labelY], ink, anchor) +
        (isFar ? ruleMark(start, end, BASELINE) : "")
      );
    });
  });
  return marks.join("");
}

const LIST_GAP = 32; // pixels between a pie and its list, at most
const SHARE_GAP = 16; // pixels between a name and its share
const COLUMN_GAP = 24;
const MIN_NAME = 24;
const MIN_ROW = LINE + 1;
const MAX_ROW = 21;
const ROW_BELOW = 18;
const SMALL = 0.22; // radius of a pie with its list below, of the shorter side
const MIN_RADIUS = 0.15;

/** A pie with a list of names and shares at its right, or below it where the drawing is narrow. */
function listedPie(chart: Chart, slices: readonly Slice[]): string {
  const { width, height, ink, muted } = chart;
  const shorter = Math.min(width, height);
  const names = slices.map(({ label }) => label);
  const shares = slices.map(({ share }) => share);
  const aroundName = LEGEND_INDENT + SHARE_GAP + widestText(shares, FONT_SIZE);
  const entryWidth = aroundName + widestText(names, FONT_SIZE);

  const gap = Math.min(LIST_GAP, width * 0.08);
  const room = width - gap - 2 * MIN_RADIUS * shorter + COLUMN_GAP;
  const maxColumns = Math.floor(room / (aroundName + MIN_NAME + COLUMN_GAP));
  const maxRows = Math.max(1, Math.floor(height / MIN_ROW));
  const wanted = Math.ceil(slices.length / maxRows);
  const columns = Math.max(1, Math.min(maxColumns, wanted));
  const rows = Math.min(maxRows, Math.ceil(slices.length / columns));
  const row = Math.max(MIN_ROW, Math.min(MAX_ROW, height / rows));
  const free = width - gap - (columns - 1) * COLUMN_GAP;
  const fitting = Math.min(height / 2 - 1, (free - columns * entryWidth) / 2);
  const radius = Math.max(MIN_RADIUS * shorter, fitting);
  const beside = {
    circle: { x: radius, y: height / 2, radius },
    left: 2 * radius + gap,
    top: (height - rows * row) / 2,
    width: Math.min(entryWidth, (free - 2 * radius) / columns),
    row,
    rows,
    count: columns * rows,
  };
  const listHeight = slices.length * ROW_BELOW;
  const above = Math.min((height - listHeight) / 2 - LINE, width / 2 - 1);
  const below = {
    circle: { x: width / 2, y: above + 1, radius: above },
    left: 0,
    top: height - listHeight,
    width,
    row: ROW_BELOW,
    rows: slices.length,
    count: slices.length,
  };

  const list = fitting < SMALL * shorter && above > radius ? below : beside;
  const entries = slices.slice(0, list.count).map((slice, index) => {
    const column = Math.floor(index / list.rows);
    const x = list.left + column * (list.width + COLUMN_GAP);
    const y = list.top + ((index % list.rows) + 0.5) * list.row;
    const isCut = index === list.count - 1 && slices.length > list.count;
    if (isCut) return textMark("…", [x + LEGEND_INDENT, y], ink);
    const label = fitText(slice.label, FONT_SIZE, list.width - aroundName + 1);
    return (
      legendEntry({ ...slice, label }, [x, y], ink) +
      textMark(slice.share, [x + list.width, y], muted, "end")
    );
  });
  return sliceMarks(chart, slices, list.circle) + entries.join("");
}

const TITLE = 22; // pixels for the title below a pie
const MIN_LABELED = 22; // radius in pixels, below which shares are left out

/** A pie for each series with its title below, shares around it, and the names of the slices once, at the top. */
function piesInARow(chart: Chart, pies: readonly Slice[][]): string {
  const { width, height, series, ink } = chart;
  const slices = new Map(pies.flat().map((slice) => [slice.index, slice]));
  const entries = [...slices.values()].toSorted((a, b) => a.index - b.index);
  const legend = topLegend(chart, entries);
  const cell = width / pies.length;
  const free = height - legend.height - TITLE;
  const labels = pies.map((pie) =>
    pie.map((slice) => arcLabel(slice, slice.share)),
  );
  const labeled = Math.min(
    ...labels.map((pieLabels) => maxRadius(pieLabels, cell - 4, free)),
  );
  const bare = Math.max(4, Math.min(free / 2, cell / 2 - 8));
  const hasShares = labeled >= MIN_LABELED;
  const radius = hasShares ? labeled : bare;
  const marks = pies.map((pie, index) => {
    const circle = {
      x: cell * (index + 0.5),
      y: legend.height + free / 2,
      radius,
    };
    const title = fitText(series[index]?.label ?? "", FONT_SIZE, cell - 4);
    const titleY = hasShares ? height - TITLE / 2 : circle.y + radius + LINE;
    return (
      sliceMarks(chart, pie, circle) +
      (hasShares ? labelMarks(chart, labels[index] ?? [], circle) : "") +
      textMark(title, [circle.x, titleY], ink, "middle")
    );
  });
  return legend.marks + marks.join("");
}
