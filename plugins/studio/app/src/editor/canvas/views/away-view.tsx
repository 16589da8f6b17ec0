import type { Component } from "../../../../../../../core/plugin-api/definition.js";
import { catalogEntry } from "../../model/catalog.js";
import { useLook } from "../look.js";
import type { Place } from "../place.js";

interface AwayViewProps {
  component: Component;
  place: Place;
}

/** A part that is not drawn where it stands, or that nobody knows: it can still be selected, moved and deleted. */
export function AwayView({ component, place }: AwayViewProps) {
  const { class: _none, style: _no, ...look } = useLook(component, place);
  return (
    <div {...look} class="away">
      {catalogEntry(component.type)?.words ?? component.type}: not shown here
    </div>
  );
}
