import type { MergeContext } from "../types.js";
import { calculate, sum } from "../value/arithmetic.js";
import { toNumeric, type Numeric } from "../value/numeric.js";
import { compareValues } from "../value/order.js";
import { isEmpty } from "../value/text.js";

/** Makes one value of many; empty ones do not count. */
export interface Aggregate {
  readonly usage: string;
  /** COUNT counts records and takes no field. */
  readonly takesField: boolean;
  readonly of: (values: readonly unknown[], context: MergeContext) => unknown;
}

const aggregates = new Map<string, Aggregate>([
  ["SUM", { usage: "SUM(path, field)", takesField: true, of: sumOf }],
  ["AVG", { usage: "AVG(path, field)", takesField: true, of: averageOf }],
  ["MIN", { usage: "MIN(path, field)", takesField: true, of: extreme(-1) }],
  ["MAX", { usage: "MAX(path, field)", takesField: true, of: extreme(1) }],
  [
    "COUNT",
    { usage: "COUNT(path)", takesField: false, of: (values) => values.length },
  ],
]);

export const AGGREGATE_NAMES: readonly string[] = [...aggregates.keys()];

/** How each is written. */
export const AGGREGATE_USAGES: readonly string[] = Array.from(
  aggregates.values(),
  ({ usage }) => usage,
);

export function aggregateNamed(name: string): Aggregate | null {
  return aggregates.get(name) ?? null;
}

/** Texts that are no numbers are left out, as empty values are. */
function* numbers(values: readonly unknown[]): Iterable<Numeric> {
  for (const value of values) {
    const number = toNumeric(value);
    if (number !== null) yield number;
  }
}

function sumOf(values: readonly unknown[]): Numeric | null {
  return sum(numbers(values));
}

/** The average of nothing is nothing. */
function averageOf(values: readonly unknown[]): Numeric | null {
  const all = [...numbers(values)];
  const total = sum(all);
  return total === null || all.length === 0
    ? null
    : calculate("/", total, all.length);
}

/** The least or the greatest, among numbers, dates and texts alike; null when there is none. */
function extreme(sign: 1 | -1): Aggregate["of"] {
  return (values, context) => {
    let best: unknown = null;
    for (const value of values) {
      if (isEmpty(value)) continue;
      const order = compareValues(value, best, undefined, context);
      if (order === null || order * sign > 0) best = value;
    }
    return best;
  };
}
