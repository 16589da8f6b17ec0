import {
  type ComponentChildren,
  type ComponentType as ViewType,
  createContext,
} from "preact";
import { useContext } from "preact/hooks";
import type { Component } from "../../../../../../../core/plugin-api/definition.js";
import { Icon } from "../../../ui/icon.js";
import { useCanvas } from "../canvas-state.js";
import type { ElementProps, Place } from "./element-props.js";
import { t } from "../../../messages/index.js";

interface ListViewProps {
  components: readonly Component[] | undefined;
  place: Place;
  /** The text of an empty list; null for none. */
  hint?: string | null;
}

/** Renders a list of components, or a hint if it is empty. */
export function ComponentList({
  components = [],
  place,
  hint = t("canvas.empty"),
}: ListViewProps) {
  const Draw = useDraw();
  if (components.length === 0 && hint !== null)
    return (
      <FullWidthCell place={place}>
        <div class="empty-list">{hint}</div>
      </FullWidthCell>
    );
  return (
    <>
      {components.map((component) => (
        <Draw key={component.id} component={component} place={place} />
      ))}
    </>
  );
}

interface FullWidthCellProps {
  place: Place;
  children: ComponentChildren;
}

/** Wraps an element of the editor between components, in the element that HTML allows there. */
export function FullWidthCell({ place, children }: FullWidthCellProps) {
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

/** Renders any component; see `ComponentView`. */
type Draw = ViewType<{ component: Component; place: Place }>;

const DrawContext = createContext<Draw | null>(null);

/** Lists render components and components render lists: the context avoids a circular import. */
export const DrawProvider = DrawContext.Provider;

export function useDraw(): Draw {
  const draw = useContext(DrawContext);
  if (!draw) throw new Error("useDraw must be called within a DrawProvider");
  return draw;
}

interface FragmentNoteProps {
  elementProps: ElementProps;
  place: Place;
}

/** A group has no element in print, so its note is on an element without height before its first child. */
export function FragmentNote({ elementProps, place }: FragmentNoteProps) {
  const {
    "data-note": note,
    "data-note-kind": kind,
    "data-note-both": both,
  } = elementProps;
  if (note === undefined) return null;
  return (
    <FullWidthCell place={place}>
      <div
        class="note-holder"
        data-note={note}
        data-note-kind={kind}
        data-note-both={both}
      />
    </FullWidthCell>
  );
}

/** Shown while a template has no components. */
export function EmptyPage({ words }: { words: string }) {
  const { editor } = useCanvas();
  return (
    <div class="empty-page">
      <div>{words}</div>
      {editor.mayEdit && (
        <button
          type="button"
          onClick={() => {
            // What is added goes to the page, whatever is selected in its header or footer.
            editor.selected.value = null;
            editor.dialog.value = "add";
          }}
        >
          <Icon name="plus" size={16} />
          {t("editor.addComponent")}
        </button>
      )}
    </div>
  );
}
