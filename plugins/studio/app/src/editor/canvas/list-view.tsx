import type { Component } from "../../../../../../core/plugin-api/definition.js";
import { AcrossPlace } from "./across-place.js";
import { useDraw } from "./draw-context.js";
import type { Place } from "./place.js";

interface ListViewProps {
  components: readonly Component[] | undefined;
  place: Place;
  /** What an empty one says; nothing is said where null. */
  hint?: string | null;
}

/** Components one after the other, or what says that there are none yet. */
export function ListView({
  components = [],
  place,
  hint = "Empty",
}: ListViewProps) {
  const Draw = useDraw();
  if (components.length === 0 && hint !== null)
    return (
      <AcrossPlace place={place}>
        <div class="empty-list">{hint}</div>
      </AcrossPlace>
    );
  return (
    <>
      {components.map((component) => (
        <Draw key={component.id} component={component} place={place} />
      ))}
    </>
  );
}
