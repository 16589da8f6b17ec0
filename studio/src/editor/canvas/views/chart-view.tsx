import { useComputed } from "@preact/signals";
import type { ComponentOf } from "../../../../../core/plugin-api/definition.js";
import { keysOf } from "../../scope/path-text.js";
import { getSampleAt } from "../../scope/samples.js";
import { findScope } from "../../text/chip.js";
import { useCanvas } from "../canvas-state.js";
import { toPx } from "../../../../../core/definition/page/layout.js";
import { getFieldName } from "./component-text.js";
import { useElementProps, type ViewProps } from "./element-props.js";

/** A sketch of the chart in its real height. Only the print draws it exactly. */
export function ChartView({ component, place }: ViewProps<"chart">) {
  const list = useList(component);
  const elementProps = useElementProps(component, place, {
    classes: ["chart"],
  });
  const { chartColors, chartHeight } = useCanvas().editor.design.defaults;
  const sketch = createChartSketch(component, list, chartColors);
  const height = toPx(component.height) ?? toPx(chartHeight) ?? 0;
  const isRound = component.chart === "pie" || component.chart === "doughnut";
  return (
    <div {...elementProps}>
      <div class="chart-sketch" style={{ height: `${height}px` }}>
        {isRound ? (
          <PieChart sketch={sketch} hasHole={component.chart === "doughnut"} />
        ) : (
          <>
            {sketch.series.length > 1 && <Legend sketch={sketch} />}
            {component.chart === "line" ? (
              <LineChart sketch={sketch} />
            ) : (
              <BarChart sketch={sketch} />
            )}
          </>
        )}
      </div>
    </div>
  );
}

/** The chart's list in the sample. */
function useList({ id = "", data }: ComponentOf<"chart">): unknown {
  const { editor } = useCanvas();
  // Computed, so that the chart renders again only when its data changes.
  return useComputed(() => {
    const { value: definition } = editor.definition;
    const samples = { definition, facts: editor.facts.value };
    return getSampleAt(samples, findScope(editor, id), keysOf(data) ?? []);
  }).value;
}

type Chart = ComponentOf<"chart">;

interface ChartSketch {
  labels: readonly string[];
  series: readonly ChartLine[];
}

interface ChartLine {
  name: string;
  /** The color in the definition. */
  given?: string | undefined;
  color: string;
  values: readonly number[];
}

const MAX_ITEMS = 12;
const SAMPLE_VALUES = [5, 8, 6, 9, 7];

/** @param colors as `DesignDefaults.chartColors` */
function getColor(colors: readonly string[], index: number): string {
  return colors[index % colors.length] ?? "currentcolor";
}

/**
 * The data of a chart, from the sample if the chart shows plain fields, otherwise invented.
 * @param list the sample's value at the chart's path
 * @param colors as `DesignDefaults.chartColors`
 */
function createChartSketch(
  chart: Chart,
  list: unknown,
  colors: readonly string[],
): ChartSketch {
  const items: readonly unknown[] = Array.isArray(list)
    ? list.slice(0, MAX_ITEMS)
    : [];
  const shown = items.length > 0 ? items : SAMPLE_VALUES;
  return {
    labels: shown.map((item) => toLabel(readField(item, chart.label))),
    series: chart.series.map((one, index) => ({
      name: one.label ?? getFieldName(one.field),
      given: one.color,
      color: one.color ?? getColor(colors, index),
      values: shown.map((item, at) => {
        const number = Number(readField(item, one.field) ?? Number.NaN);
        return Number.isFinite(number)
          ? number
          : (SAMPLE_VALUES[at % SAMPLE_VALUES.length] ?? 1);
      }),
    })),
  };
}

function readField(item: unknown, expression: string): unknown {
  return typeof item === "object" && item !== null
    ? Reflect.get(item, getFieldName(expression))
    : undefined;
}

function toLabel(value: unknown): string {
  return typeof value === "string" || typeof value === "number"
    ? String(value)
    : "";
}

interface SketchProps {
  sketch: ChartSketch;
}

function getMax({ series }: ChartSketch): number {
  return Math.max(1e-9, ...series.flatMap(({ values }) => values));
}

function toPercent(value: number, max: number): string {
  return `${(Math.max(0, value) / max) * 100}%`;
}

/** The start of the axis: zero, unless all values are far above it. */
function getMin({ series }: ChartSketch): number {
  const values = series.flatMap((one) => one.values);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low > high / 2 ? low - (high - low) / 3 : Math.min(0, low);
}

function BarChart({ sketch }: SketchProps) {
  const max = getMax(sketch);
  return (
    <div class="bars">
      {sketch.labels.map((label, at) => (
        <div class="bar-slot" key={at}>
          <div class="bar-group">
            {sketch.series.map(({ color, values }, index) => (
              <div
                key={index}
                class="chart-bar"
                style={{
                  height: toPercent(values[at] ?? 0, max),
                  background: color,
                }}
              />
            ))}
          </div>
          <div class="bar-label">{label}</div>
        </div>
      ))}
    </div>
  );
}

function LineChart({ sketch }: SketchProps) {
  const low = getMin(sketch);
  const span = getMax(sketch) - low || 1;
  const step = 100 / Math.max(1, sketch.labels.length - 1);
  const points = (values: readonly number[]) =>
    values
      .map((value, at) => `${at * step},${100 - ((value - low) / span) * 96}`)
      .join(" ");
  return (
    <div class="bars lines">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {sketch.series.map(({ color, values }, index) => (
          <polyline
            key={index}
            points={points(values)}
            fill="none"
            stroke={color}
            stroke-width="2"
            vector-effect="non-scaling-stroke"
          />
        ))}
      </svg>
      <div class="line-labels">
        {sketch.labels.map((label, at) => (
          <span key={at}>{label}</span>
        ))}
      </div>
    </div>
  );
}

/** A pie chart of the first series, with a legend. */
function PieChart({ sketch, hasHole }: SketchProps & { hasHole: boolean }) {
  const [first] = sketch.series;
  const values = first?.values ?? [];
  const getSliceProps = useSliceProps(first?.given, values.length);
  const sum = values.reduce((total, value) => total + Math.max(0, value), 0);
  let from = 0;
  return (
    <div class="slices">
      <svg viewBox="-1.05 -1.05 2.1 2.1" aria-hidden="true">
        {values.map((value, index) => {
          const begins = from;
          from += Math.max(0, value) / (sum || 1);
          return (
            <path
              key={index}
              d={getSlicePath(begins, from)}
              {...getSliceProps(index)}
              stroke="#fff"
              stroke-width="0.02"
            />
          );
        })}
        {hasHole && <circle r="0.58" fill="#fff" />}
      </svg>
      <ul class="slice-names">
        {sketch.labels.map((label, index) => (
          <li key={index}>
            <svg viewBox="0 0 1 1" aria-hidden="true">
              <path d="M0 0h1v1h-1z" {...getSliceProps(index)} />
            </svg>
            {label}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Legend({ sketch }: SketchProps) {
  return (
    <div class="chart-legend">
      {sketch.series.map(({ name, color }, index) => (
        <span key={index}>
          <span style={{ background: color }} />
          {name}
        </span>
      ))}
    </div>
  );
}

/** The colors of the palette, or shades of one color, as in print. */
function useSliceProps(given: string | undefined, count: number) {
  const { chartColors } = useCanvas().editor.design.defaults;
  return (index: number) => {
    if (given === undefined) return { fill: getColor(chartColors, index) };
    const opacity = count < 2 ? 1 : 1 - (0.75 * index) / (count - 1);
    return { fill: given, "fill-opacity": opacity };
  };
}

/** The path of a slice; `from` and `to` are fractions of the circle. */
function getSlicePath(from: number, to: number): string {
  const end = Math.min(to, from + 0.9999);
  const isLong = end - from > 0.5 ? 1 : 0;
  return `M0 0L${getPointOnCircle(from)}A1 1 0 ${isLong} 1 ${getPointOnCircle(end)}Z`;
}

/** The point on the unit circle at a fraction of the turn. */
function getPointOnCircle(part: number): string {
  const angle = (part - 0.25) * 2 * Math.PI;
  return `${Math.cos(angle).toFixed(4)} ${Math.sin(angle).toFixed(4)}`;
}
