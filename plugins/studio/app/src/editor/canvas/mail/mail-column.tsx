import type { ComponentOf } from "../../../../../../../core/plugin-api/definition.js";
import { listKey } from "../../model/tree.js";
import { useCanvas } from "../canvas-state.js";
import { ListView } from "../list-view.js";
import type { Place } from "../place.js";
import { hasPadding, usualInset } from "./insets.js";
import { useBlock } from "./mail-blocks.js";

interface MailColumnProps {
  component: ComponentOf<"column">;
  place: Place;
}

/** As wide as its share; on a phone as wide as the email. */
export function MailColumn({ component, place }: MailColumnProps) {
  const { id = "", components } = component;
  const { declared, look } = useBlock(component, place, {
    width: `${place.share ?? 100}%`,
  });
  const { defaults } = useCanvas().editor.design;
  const inside: Place = {
    around: "block",
    mail: "column",
    inset: hasPadding(declared) ? "0" : (place.inset ?? usualInset(defaults)),
  };
  return (
    <div {...look} class="mail-column" data-list={listKey(id, "components")}>
      <ListView components={components} place={inside} />
    </div>
  );
}
