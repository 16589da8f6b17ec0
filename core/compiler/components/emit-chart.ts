import {
  compileField,
  compileRepeat,
  compileValue,
  repeatTypes,
  toText,
  type Scope,
} from "../../definition/expressions/index.js";
import {
  chartRepeat,
  type ComponentOf,
} from "../../definition/schema/component-schema.js";
import { drawChart, type ChartSeries } from "../drawing/index.js";
import { toPx } from "../../definition/page/paper.js";
import { emitAttributes } from "./emit-text.js";
import type { EmitContext } from "./emit-context.js";

type Chart = ComponentOf<"chart">;

export const DEFAULT_CHART_HEIGHT = "64mm";
/** A bar, slice or point costs as much time as many rows of text. */
const ITERATIONS_PER_MARK = 20;

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
    scope.context.spend(ITERATIONS_PER_MARK * labels.length * series.length);
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
      ? compileValue(getAggregateExpression(one), path, inside)
      : compileField(one.field, path, inside),
  }));
  return (scope) => {
    const scopes = marks(scope);
    return {
      labels: scopes.map((mark) => toText(label(mark))),
      series: series.map(({ value, ...rest }) => ({
        ...rest,
        values: scopes.map((mark) => compileNumber(value(mark))),
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

function compileNumber(value: unknown): number | null {
  const text = toText(value).trim();
  return text === "" ? null : Number(text);
}
