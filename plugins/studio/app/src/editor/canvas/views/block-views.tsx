import { listKey } from "../../model/tree.js";
import { FragmentNote } from "../fragment-note.js";
import { ListView } from "../list-view.js";
import { useLook } from "../look.js";
import { innerPlace } from "../place.js";
import type { ViewProps } from "./view-props.js";

/** Draws nothing itself: its children stand where it stands. */
export function FragmentView({ component, place }: ViewProps<"fragment">) {
  const { class: _none, style: _no, ...look } = useLook(component, place);
  return (
    <div
      {...look}
      class="fragment"
      data-list={listKey(component.id ?? "", "components")}
    >
      <FragmentNote look={look} place={place} />
      <ListView
        components={component.components}
        place={place}
        hint="Empty group"
      />
    </div>
  );
}

export function ContainerView({ component, place }: ViewProps<"container">) {
  const look = useLook(component, place);
  // An empty box with a look of its own is a line or a patch of colour.
  const isDrawing = look.class !== undefined || look.style !== undefined;
  return (
    <div {...look} data-list={listKey(component.id ?? "", "components")}>
      <ListView
        components={component.components}
        place={innerPlace(place)}
        hint={isDrawing ? null : "Empty box"}
      />
    </div>
  );
}

export function DividerView({ component, place }: ViewProps<"divider">) {
  const { role: _role, ...look } = useLook(component, place);
  return <hr {...look} />;
}

export function SpacerView({ component, place }: ViewProps<"spacer">) {
  const { height } = component;
  return <div {...useLook(component, place, { style: { height } })} />;
}

export function PageBreakView({ component, place }: ViewProps<"page-break">) {
  return (
    <div {...useLook(component, place, { classes: ["page-break"] })}>
      <span class="page-break-words">New page</span>
    </div>
  );
}
