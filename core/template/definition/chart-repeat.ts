import type { ComponentOf } from "./component-schema.js";
import type { Repeat } from "./data-schema.js";

/** The collection that a chart draws; its element is named `item` inside. */
export function chartRepeat({ data }: ComponentOf<"chart">): Repeat {
  return { collectionId: "item", path: data };
}
