import type { ComponentChildren } from "preact";
import type { Place } from "./place.js";

interface AcrossPlaceProps {
  place: Place;
  children: ComponentChildren;
}

/** Something of the editor's own between components, in the element that may stand there. */
export function AcrossPlace({ place, children }: AcrossPlaceProps) {
  if (place.around === "table")
    return (
      <tr class="across">
        <td colSpan={100}>{children}</td>
      </tr>
    );
  if (place.around === "row") return <td class="across">{children}</td>;
  if (place.around === "list") return <li class="across">{children}</li>;
  return <div class="across">{children}</div>;
}
