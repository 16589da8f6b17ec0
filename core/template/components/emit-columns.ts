import type { ComponentOf } from "../definition/component-schema.js";
import type { Declarations } from "../style/named-styles.js";
import { attributes } from "./attributes.js";
import type { Site } from "./site.js";

/** The room between two columns when the definition names none. */
export const DEFAULT_GAP = "24px";

export function emitColumns(
  component: ComponentOf<"columns">,
  site: Site,
): string {
  const repeats = component.components.some((child) => child.collection);
  const inside = site.within({ gap: component.gap ?? DEFAULT_GAP });
  return `<div${attributes(component, site, {
    classes: ["columns", repeats && "wrap"],
    style: component.gap === undefined ? {} : { gap: component.gap },
  })}>${inside.children(component.components)}</div>`;
}

export function emitColumn(
  component: ComponentOf<"column">,
  site: Site,
): string {
  return `<div${attributes(component, site, {
    classes: ["column", isFixed(component.width) && "fixed"],
    style: widthStyle(component.width, site.gap),
  })}>${site.children(component.components)}</div>`;
}

/** Keeps its width on a narrow screen, where others wrap. */
function isFixed(width: string | undefined): boolean {
  return width !== undefined && !width.endsWith("%");
}

/** Percentages share the row with its gaps: 70% and 30% fill it exactly, and three times 33.33% too. */
function widthStyle(width: string | undefined, gap: string): Declarations {
  if (width === undefined) return {};
  const percent = /^([\d.]+)%$/.exec(width)?.[1];
  if (percent === undefined) return { flex: `0 0 ${width}` };
  const share = Number(((100 - Number(percent)) / 100).toFixed(6));
  return { flex: `0 0 calc(${width} - ${share} * ${gap})` };
}
