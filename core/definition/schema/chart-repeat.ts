import type { ComponentOf } from "./component-schema.js";
import type { Repeat } from "./data-schema.js";

/** The collection that a chart draws, grouped by label where a series is an aggregate; its element is `item` inside. */
export function chartRepeat({
  data,
  label,
  series,
}: ComponentOf<"chart">): Repeat {
  const isGrouped = series.some(({ aggregate }) => aggregate !== undefined);
  return {
    collectionId: "item",
    path: data,
    ...(isGrouped && { groupBy: { field: label } }),
  };
}
