import type { ComponentOf } from "../../../../../../core/plugin-api/definition.js";
import { fieldName } from "./component-name.js";

type Chart = ComponentOf<"chart">;

export interface ChartSketch {
  labels: readonly string[];
  series: readonly ChartLine[];
}

interface ChartLine {
  name: string;
  /** As the definition has it. */
  given?: string | undefined;
  color: string;
  values: readonly number[];
}

const mostMarks = 12;
const made = [5, 8, 6, 9, 7];

/** @param colors as `DesignDefaults.chartColors` */
export function colorAt(colors: readonly string[], index: number): string {
  return colors[index % colors.length] ?? "currentcolor";
}

/**
 * A chart of a list of the sample, as far as it draws plain fields; otherwise of numbers that were made up.
 * @param list what the sample has at its path
 * @param colors as `DesignDefaults.chartColors`
 */
export function chartSketch(
  chart: Chart,
  list: unknown,
  colors: readonly string[],
): ChartSketch {
  const items: readonly unknown[] = Array.isArray(list)
    ? list.slice(0, mostMarks)
    : [];
  const shown = items.length > 0 ? items : made;
  return {
    labels: shown.map((item) => textOf(read(item, chart.label))),
    series: chart.series.map((one, index) => ({
      name: one.label ?? fieldName(one.field),
      given: one.color,
      color: one.color ?? colorAt(colors, index),
      values: shown.map((item, at) => {
        const number = Number(read(item, one.field) ?? Number.NaN);
        return Number.isFinite(number) ? number : (made[at % made.length] ?? 1);
      }),
    })),
  };
}

/** A field of one element. */
function read(item: unknown, expression: string): unknown {
  return typeof item === "object" && item !== null
    ? Reflect.get(item, fieldName(expression))
    : undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number"
    ? String(value)
    : "";
}
