import {
  compileField,
  compileNumberValue,
  compileRepeat,
  compileValue,
  isConstantText,
  repeatTypes,
  toText,
  type Scope,
} from "../../definition/expressions/index.js";
import { SYMBOLOGIES } from "../../definition/barcodes.js";
import { innerWidth, toPx } from "../../definition/page/layout.js";
import { DEFAULT_QRCODE_SIZE } from "../../definition/qrcodes.js";
import {
  type Component,
  type ComponentOf,
  chartRepeat,
} from "../../definition/schema/component-schema.js";
import { checkBudget } from "../../lib/time-budget.js";
import { PlatenError } from "../../plugin-api/index.js";
import {
  drawBarcode,
  drawPlaceholder,
  drawQrcode,
  drawChart,
} from "../drawing/index.js";
import type { Run } from "../merge-run.js";
import { emitAttributes, type EmitContext, type Room } from "./emit-context.js";

/** How long the slowest kind of code takes, and for each character of its value; measured. */
const CODE_MS = 1;
const CODE_CHARACTER_MS = 0.03;

type Code = ComponentOf<"qrcode"> | ComponentOf<"barcode">;

/** The room that the style of a component leaves for what is in it; for a code, all that is around it. */
export function getRoom(component: Component, context: EmitContext): Room {
  const { room } = context;
  if (!component.style && !component.class) return room;
  const style = context.look.declared(component);
  const scale = room.scale * getScale(style["transform"]);
  if (component.type === "qrcode" || component.type === "barcode")
    return { ...room, scale };
  const [width = room.widthPx, most = Infinity] = [
    style["width"],
    style["max-width"],
  ].map((length) => getLength(length, room.widthPx) ?? undefined);
  return { widthPx: innerWidth(Math.min(width, most), style), scale };
}

/** The factor of its widths. */
function getScale(transform = ""): number {
  if (!isConstantText(transform)) return 1;
  const functions = transform.matchAll(
    /\b(scaleX?|scale3d|matrix)\(\s*([-\d.]+)(%?)(?:[,\s]+([-\d.]+))?/gi,
  );
  let scale = 1;
  for (const [, name = "", x, percent, y] of functions) {
    const factor = Number(x) / (percent ? 100 : 1);
    scale *= /^matrix$/i.test(name)
      ? Math.hypot(factor, Number(y))
      : Math.abs(factor);
  }
  return scale;
}

export function emitQrcode(
  component: ComponentOf<"qrcode">,
  context: EmitContext,
): string {
  const { ecc, size = DEFAULT_QRCODE_SIZE } = component;
  const opening = emitAttributes(component, context, {
    classes: ["code"],
    ...(context.drawings === "svg" && { style: { width: size, height: size } }),
  });
  const drawnSize = component.style?.["width"] ?? size;
  const { room, width } = context;
  const widthPx = getLength(drawnSize, width) ?? getLength(size, width);
  // A code of a fixed size is wider than a narrow box.
  const isShare = drawnSize.endsWith("%");
  const sharePx = isShare ? getLength(drawnSize, room.widthPx) : null;
  const height = component.style?.["height"] ?? size;
  const heightPx = context.drawings === "svg" ? toPx(height) : null;
  return emitCode(component, context, opening, {
    name: "QR code",
    widthPx,
    roomPx: Math.min(width, heightPx ?? Infinity, sharePx ?? Infinity),
    draw: (value) => drawQrcode({ value, ecc }),
  });
}

export function emitBarcode(
  component: ComponentOf<"barcode">,
  context: EmitContext,
): string {
  const { symbology, showText, width, height } = component;
  const opening = emitAttributes(component, context, { classes: ["code"] });
  const widthPx = getLength(width, context.width);
  const size = {
    height,
    ...(widthPx !== null && { width: `${widthPx}px` }),
  };
  const { widthPx: roomPx } = context.room;
  const boxPx = getLength(component.style?.["width"], roomPx);
  return emitCode(component, context, opening, {
    name: SYMBOLOGIES[symbology].name,
    widthPx: null,
    heightPx: toPx(height),
    roomPx: Math.min(roomPx, boxPx ?? Infinity),
    draw: (value) => drawBarcode({ value, symbology, showText, ...size }),
  });
}

/** A code costs as many iterations as several rows of text, more for longer values. */
function estimateCost(value: string): number {
  return 10 + Math.floor(value.length / 4);
}

interface CodeDrawing {
  name: string;
  /** The width in CSS px; null for that of the drawing. */
  widthPx: number | null;
  /** The height in CSS px that bars and their text must have room in, if there is one. */
  heightPx?: number | null;
  /** A wider drawing is shown smaller. */
  roomPx: number;
  draw: (value: string) => string;
}

/**
 * Renders nothing for an empty value. A value that the code cannot encode fails the merge or shows a placeholder; a code
 * that is too small is reported.
 */
function emitCode(
  component: Code,
  context: EmitContext,
  opening: string,
  { name, widthPx, heightPx = null, roomPx, draw }: CodeDrawing,
): string {
  const { path } = context;
  const value = context.compiled(component.value, "plain");
  const drawing = emitDrawing(context, widthPx, (scope, run) => {
    const text = value(scope);
    scope.context.spend(estimateCost(text));
    checkBudget(CODE_MS + text.length * CODE_CHARACTER_MS);
    try {
      const svg = draw(text);
      const drawnPx = widthPx ?? getAttributePx(svg, "width");
      if (drawnPx !== null)
        run.checkCodeSize(path, {
          name,
          modules: getViewBox(svg).width,
          widthPx: Math.min(drawnPx, roomPx) * context.room.scale,
          ...(heightPx !== null && {
            height: {
              mm: toMm(heightPx),
              leastMm: toMm(getAttributePx(svg, "height") ?? 0),
            },
          }),
        });
      return svg;
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      if (!run.drawsPlaceholders)
        throw new PlatenError("merge_failed", `${path}: ${error.message}`);
      run.reportInvalidCode(path, error.message);
      return drawPlaceholder({ label: error.message });
    }
  });
  return context.whenTrue(
    (scope) => value(scope) !== "",
    `<div${opening}>${drawing}</div>`,
  );
}

function toMm(px: number): number {
  return (px / 96) * 25.4;
}

/**
 * Emits a drawing: SVG in documents, an image in emails.
 * @param widthPx of the image; by default that of the drawing
 */
function emitDrawing(
  context: EmitContext,
  widthPx: number | null,
  draw: (scope: Scope, run: Run) => string,
): string {
  if (context.drawings === "svg") return context.value(draw);
  const { width: roomPx } = context;
  return context.value((scope, run) =>
    drawImage(draw(scope, run), run, { widthPx, roomPx }),
  );
}

/** Drawings in images inherit no font. */
const IMAGE_FONT = "Inter,Noto Sans,sans-serif";

/**
 * Writes the image of a drawing, with its size as attributes, which Outlook needs. Its label is the alternative text.
 * @param svg with the attribute `aria-label`
 */
function drawImage(
  svg: string,
  run: Run,
  { widthPx, roomPx }: { widthPx: number | null; roomPx: number },
): string {
  run.write(svg);
  const drawnSize = getDrawnSize(svg);
  const width = Math.round(Math.min(widthPx ?? drawnSize.width, roomPx));
  const height = Math.max(
    1,
    Math.round((width * drawnSize.height) / drawnSize.width),
  );
  const label = / aria-label="([^"]*)"/.exec(svg)?.[1] ?? "";
  const drawing = svg.replace("<svg ", `<svg font-family="${IMAGE_FONT}" `);
  const size = { widthPx: width, heightPx: height };
  const address = run.assets.drawing(drawing, size, label);
  return (
    `<img src="${address}" alt="${label}" width="${width}" height="${height}"` +
    ' style="display:inline-block;vertical-align:top;max-width:100%;height:auto;border:0"/>'
  );
}

/** The size of a drawing in CSS px: that of its attributes, else that of its view box. */
function getDrawnSize(svg: string): { width: number; height: number } {
  const box = getViewBox(svg);
  const width = getAttributePx(svg, "width") ?? box.width;
  return {
    width,
    height: getAttributePx(svg, "height") ?? (width * box.height) / box.width,
  };
}

function getAttributePx(svg: string, name: string): number | null {
  return toPx(new RegExp(` ${name}="([\\d.]+[a-z]*)"`).exec(svg)?.[1]);
}

function getViewBox(svg: string): { width: number; height: number } {
  const [, width = 1, height = 1] =
    / viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  return { width: Number(width), height: Number(height) };
}

/** A CSS length in px; null without one, and for one that depends on the font. @param of what 100% is */
function getLength(length: string | undefined, of: number): number | null {
  const percent = /^([\d.]+)%$/.exec(length ?? "")?.[1];
  return percent === undefined ? toPx(length) : (of * Number(percent)) / 100;
}

type Chart = ComponentOf<"chart">;

export const DEFAULT_CHART_HEIGHT = "64mm";
/** A bar, slice or point costs as much time as many rows of text. */
const ITERATIONS_PER_MARK = 20;
const MARK_MS = 0.02;

/** The chart is drawn at merge time. */
export function emitChart(component: Chart, context: EmitContext): string {
  const read = compileChart(component, context);
  const size = {
    chart: component.chart,
    widthPx: context.width,
    heightPx: toPx(component.height ?? DEFAULT_CHART_HEIGHT) ?? 240,
  };
  const drawing = emitDrawing(context, size.widthPx, (scope) => {
    const content = read(scope);
    const { labels, series } = content;
    const marks = labels.length * series.length;
    scope.context.spend(ITERATIONS_PER_MARK * marks);
    checkBudget(marks * MARK_MS);
    const svg = drawChart({
      ...size,
      ...content,
      locale: scope.context.locale,
    });
    // Its texts are dark, and a mail program may show the email on a dark ground.
    return context.drawings === "svg"
      ? svg
      : svg.replace(
          /^<svg [^>]*>/,
          (root) => `${root}<rect width="100%" height="100%" fill="#fff"/>`,
        );
  });
  return `<div${emitAttributes(component, context, { classes: ["chart"] })}>${drawing}</div>`;
}

/** Reads one mark for each element, or for each label when a series has an aggregate. */
function compileChart(chart: Chart, context: EmitContext) {
  const { path, types } = context;
  const repeat = chartRepeat(chart);
  const marks = compileRepeat(repeat, path, types);
  const inside = repeatTypes(repeat, types);
  const label = repeat.groupBy
    ? compileValue("item.key", path, inside)
    : compileField(chart.label, path, inside);
  const series = chart.series.map((entry) => ({
    label: entry.label ?? entry.field,
    color: entry.color,
    value: repeat.groupBy
      ? compileNumberValue(getAggregateExpression(entry), path, inside, "scope")
      : compileNumberValue(entry.field, path, inside, "item"),
  }));
  return (scope: Scope) => {
    const scopes = marks(scope);
    return {
      labels: scopes.map((mark) => toText(label(mark))),
      series: series.map(({ value, ...rest }) => ({
        ...rest,
        values: scopes.map((mark) => value(mark)),
      })),
    };
  };
}

/** In a chart with aggregates, the default aggregate is SUM. */
function getAggregateExpression({
  field,
  aggregate = "SUM",
}: Chart["series"][number]) {
  return aggregate === "COUNT"
    ? "COUNT(item.items)"
    : `${aggregate}(item.items, ${field})`;
}
