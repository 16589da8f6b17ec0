import {
  compileField,
  compileNumberValue,
  compileRepeat,
  compileValue,
  repeatTypes,
  toText,
  type Scope,
} from "../../definition/expressions/index.js";
import { toPx } from "../../definition/page/paper.js";
import {
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
  type ChartSeries,
} from "../drawing/index.js";
import { emitAttributes, type EmitContext } from "./emit-context.js";

/** How long the slowest kind of code takes, and for each character of its value; measured. */
const CODE_MS = 1;
const CODE_CHARACTER_MS = 0.03;

type Code = ComponentOf<"qrcode"> | ComponentOf<"barcode">;

export const DEFAULT_QRCODE_SIZE = "28mm";

export function emitQrcode(
  component: ComponentOf<"qrcode">,
  context: EmitContext,
): string {
  const { ecc, size = DEFAULT_QRCODE_SIZE } = component;
  const opening = emitAttributes(component, context, {
    classes: ["code"],
    style: { width: size, height: size },
  });
  return emitCode(component, context, opening, (value) =>
    drawQrcode({ value, ecc }),
  );
}

export function emitBarcode(
  component: ComponentOf<"barcode">,
  context: EmitContext,
): string {
  const { symbology, showText, height } = component;
  const opening = emitAttributes(component, context, { classes: ["code"] });
  return emitCode(component, context, opening, (value) =>
    drawBarcode({ value, symbology, showText, height }),
  );
}

/** A code costs as many iterations as several rows of text, more for longer values. */
function estimateCost(value: string): number {
  return 10 + Math.floor(value.length / 4);
}

/** Renders nothing for an empty value. A value that the code cannot encode fails the merge or shows a placeholder. */
function emitCode(
  component: Code,
  context: EmitContext,
  opening: string,
  draw: (value: string) => string,
): string {
  const { path } = context;
  const value = context.compiled(component.value, "plain");
  const svg = context.value((scope, run) => {
    const text = value(scope);
    scope.context.spend(estimateCost(text));
    checkBudget(CODE_MS + text.length * CODE_CHARACTER_MS);
    try {
      return draw(text);
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
    `<div${opening}>${svg}</div>`,
  );
}

type Chart = ComponentOf<"chart">;

export const DEFAULT_CHART_HEIGHT = "64mm";
/** A bar, slice or point costs as much time as many rows of text. */
const ITERATIONS_PER_MARK = 20;
const MARK_MS = 0.02;

/** Emits a chart, which is drawn at merge time. */
export function emitChart(component: Chart, context: EmitContext): string {
  const read = compileChart(component, context);
  const size = {
    chart: component.chart,
    widthPx: context.width,
    heightPx: toPx(component.height ?? DEFAULT_CHART_HEIGHT) ?? 240,
  };
  const svg = context.value((scope) => {
    const content = read(scope);
    const { labels, series } = content;
    const marks = labels.length * series.length;
    scope.context.spend(ITERATIONS_PER_MARK * marks);
    checkBudget(marks * MARK_MS);
    return drawChart({ ...size, ...content, locale: scope.context.locale });
  });
  return `<div${emitAttributes(component, context, { classes: ["chart"] })}>${svg}</div>`;
}

interface ChartContent {
  labels: string[];
  series: ChartSeries[];
}

/** Reads one mark for each element, or for each label when a series has an aggregate. */
function compileChart(
  chart: Chart,
  context: EmitContext,
): (scope: Scope) => ChartContent {
  const { path, types } = context;
  const repeat = chartRepeat(chart);
  const marks = compileRepeat(repeat, path, types);
  const inside = repeatTypes(repeat, types);
  const label = repeat.groupBy
    ? compileValue("item.key", path, inside)
    : compileField(chart.label, path, inside);
  const series = chart.series.map((one) => ({
    label: one.label ?? one.field,
    color: one.color,
    value: repeat.groupBy
      ? compileNumberValue(getAggregateExpression(one), path, inside, "scope")
      : compileNumberValue(one.field, path, inside, "item"),
  }));
  return (scope) => {
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
