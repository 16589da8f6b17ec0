import type { EChartsOption } from "echarts";
import { swatches } from "./chart-legend.js";
import { FONT_SIZE, type ChartStyle } from "./chart-style.js";
import { guarded } from "./guarded-text.js";
import { LINE, pieSeries } from "./pie-series.js";
import type { Slice } from "./pie-slices.js";
import { fitText, textWidth, widestText } from "../text-width.js";

const SWATCH = 20; // pixels of an entry's square, with the air around it
const GAP = 24; // between pie and list
const LEAST_ROW = LINE + 1;
const ROW_BELOW = LINE + 3;
const USUAL_ROW = LINE + 7;
const LEAST_RADIUS = 24;

/** Where the pie and its list stand; sizes in pixels. */
interface ListLayout {
  center: [x: number, y: number];
  radius: number;
  list: { left: number; top: number; height: number };
  row: number;
  /** Room for the text of an entry. */
  room: number;
}

/** A pie with a list of names and shares at its right, or below it where the drawing is narrow. */
export function listedPie(
  slices: readonly Slice[],
  style: ChartStyle,
  hole: boolean,
): EChartsOption {
  const widest = widestText(slices.map(entryText), FONT_SIZE) + 2;
  const beside = listBeside(slices.length, widest, style);
  const below = listBelow(slices.length, style);
  const isCramped = beside.room < widest && below.radius >= LEAST_RADIUS;
  const layout = isCramped ? below : beside;
  const texts = new Map(
    slices.map((slice) => [slice.name, fittedEntry(slice, layout.room)]),
  );
  const { center, radius } = layout;
  return {
    legend: {
      ...swatches(style),
      ...layout.list,
      orient: "vertical",
      itemGap: layout.row - LINE,
      data: [...texts.keys()],
      formatter: (name) => guarded(texts.get(name) ?? ""),
    },
    series: [pieSeries(slices, style, { center, radius, hole, label: null })],
  };
}

/** In as many columns as the height asks for; the pie is as large as they leave room for, but no dot. */
function listBeside(
  count: number,
  widest: number,
  { width, height }: ChartStyle,
): ListLayout {
  const columns = Math.ceil(
    count / Math.max(1, Math.floor(height / LEAST_ROW)),
  );
  const rows = Math.ceil(count / columns);
  const row = Math.min(
    USUAL_ROW,
    Math.max(LEAST_ROW, Math.floor(height / rows)),
  );
  const wanted = columns * (widest + SWATCH);
  const largest = Math.min(height / 2 - 2, (width - GAP - wanted) / 2);
  const radius = Math.max(Math.min(height, width) * 0.2, largest);
  const left = 2 * radius + GAP;
  return {
    center: [radius, height / 2],
    radius,
    list: {
      left,
      top: Math.max(0, (height - rows * row) / 2),
      height: rows * row,
    },
    row,
    room: (width - left) / columns - SWATCH,
  };
}

function listBelow(count: number, { width, height }: ChartStyle): ListLayout {
  const listHeight = count * ROW_BELOW;
  const radius = Math.min((height - listHeight - LINE) / 2, width / 2);
  return {
    center: [width / 2, radius],
    radius,
    list: { left: 0, top: height - listHeight, height: listHeight + LINE },
    row: ROW_BELOW,
    room: width - SWATCH,
  };
}

function entryText({ label, share }: Slice): string {
  return `${label}  ${share}`;
}

function fittedEntry({ label, share }: Slice, room: number): string {
  const shareRoom = textWidth(`  ${share}`, FONT_SIZE);
  return `${fitText(label, FONT_SIZE, room - shareRoom)}  ${share}`;
}
