import { useMemo } from "preact/hooks";
import { listKey } from "../../model/tree.js";
import { useCanvas } from "../canvas-state.js";
import { ListView } from "../list-view.js";
import { type Declarations, useLook } from "../look.js";
import { innerPlace, type Place } from "../place.js";
import type { ViewProps } from "./view-props.js";

export function ColumnsView({ component, place }: ViewProps<"columns">) {
  const { components, gap } = component;
  const { columnGap } = useCanvas().editor.design.defaults;
  const given = gap === "0" ? "0px" : gap;
  const repeats = components.some((child) => child.collection);
  const look = useLook(component, place, {
    classes: ["columns", repeats && "wrap"],
    // Documents have the usual gap in their style sheet, where a named style may say otherwise.
    style: place.mail || given !== undefined ? { gap: given ?? columnGap } : {},
  });
  const inside = useMemo(
    (): Place => ({
      ...innerPlace(place),
      around: "columns",
      gap: given ?? columnGap,
    }),
    [place.mail, given, columnGap],
  );
  return (
    <div {...look} data-list={listKey(component.id ?? "", "components")}>
      <ListView components={components} place={inside} hint="No columns" />
    </div>
  );
}

export function ColumnView({ component, place }: ViewProps<"column">) {
  const look = useLook(component, place, {
    classes: ["column"],
    style: widthStyle(component.width, place.gap ?? "0px"),
  });
  return (
    <div {...look} data-list={listKey(component.id ?? "", "components")}>
      <ListView
        components={component.components}
        place={innerPlace(place)}
        hint={component.width === undefined ? "Empty column" : ""}
      />
    </div>
  );
}

/** Percentages share the row with its gaps, as in print. */
function widthStyle(width: string | undefined, gap: string): Declarations {
  if (width === undefined) return {};
  const percent = /^([\d.]+)%$/.exec(width)?.[1];
  if (percent === undefined) return { flex: `0 0 ${width}` };
  const share = (100 - Number(percent)) / 100;
  return { flex: `0 0 calc(${width} - ${share} * ${gap})` };
}
