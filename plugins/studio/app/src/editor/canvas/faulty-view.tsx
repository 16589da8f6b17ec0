import type { Component } from "../../../../../../core/plugin-api/definition.js";
import { AcrossPlace } from "./across-place.js";
import type { Place } from "./place.js";

interface FaultyViewProps {
  component: Component;
  place: Place;
}

/** In place of a part that is written so that nobody can draw it. */
export function FaultyView({ component, place }: FaultyViewProps) {
  return (
    <AcrossPlace place={place}>
      <div class="away" data-id={component.id} tabIndex={-1}>
        This part has problems and cannot be drawn. Undo, or mend it in the JSON
        view.
      </div>
    </AcrossPlace>
  );
}
