import type { Component } from "../../definition/schema/component-schema.js";
import { columnExtents } from "../layout/column-extents.js";
import { resolve, WHOLE } from "../layout/extent.js";

/** What each column takes of a row `width` px wide, in percent: those without a width share what the others leave. */
export function columnShares(
  columns: readonly Component[],
  width: number,
): number[] {
  const extents = columnExtents({ gap: "0", components: columns }, WHOLE);
  return columns.map((_column, index) => {
    const extent = extents?.[index];
    if (extent === undefined) return 100 / columns.length;
    const part = resolve(extent.right, width) - resolve(extent.left, width);
    return Number(((part / width) * 100).toFixed(3));
  });
}
