import { PlatenError } from "../../../plugin-api/index.js";
import type { ChartData, ChartSeries } from "./chart-data.js";
import type { ChartNumbers } from "./chart-numbers.js";
import { paletteColor, paletteOpacity, tintOpacity } from "./chart-palette.js";
import { quotedValue } from "../../../definition/barcodes/quote-value.js";

/** One part of a whole. */
export interface Slice {
  /** Its name in ECharts: the same label in two series is the same name, two equal labels are not. */
  name: string;
  label: string;
  value: number;
  /** Its part of the whole, up to 1, and the same as text. */
  part: number;
  share: string;
  color: string;
  opacity: number;
}

/**
 * The slices of one series: what is missing or zero has none. A label has the same colour in every series; a series
 * with a colour of its own is drawn in tints of it. Throws `merge_failed` for a negative value.
 */
export function pieSlices(
  { labels }: ChartData,
  one: ChartSeries,
  numbers: ChartNumbers,
): Slice[] {
  const values = one.values.map((value) => value ?? 0);
  const negative = values.findIndex((value) => value < 0);
  if (negative >= 0) throw isNegative(one, labels[negative] ?? "");
  const whole = values.reduce((sum, value) => sum + value, 0);
  return values.flatMap((value, index) =>
    value === 0
      ? []
      : [
          {
            name: `p${index}`,
            label: labels[index] ?? "",
            value,
            part: value / whole,
            share: numbers.share(value / whole),
            color: one.color ?? paletteColor(index),
            opacity:
              one.color === undefined
                ? paletteOpacity(index)
                : tintOpacity(index, values.length),
          },
        ],
  );
}

function isNegative({ label }: ChartSeries, of: string): PlatenError {
  return new PlatenError(
    "merge_failed",
    `A pie chart cannot show the negative value of ${quotedValue(of)} in ${quotedValue(label)}; a bar chart can.`,
  );
}
