import {
  type ComponentChildren,
  type ComponentType as ViewType,
  Component as View,
  createContext,
} from "preact";
import { useContext } from "preact/hooks";
import type { Component } from "../../../../../core/plugin-api/definition.js";
import { Icon } from "../../../ui/icon.js";
import { useCanvas } from "../canvas-state.js";
import { type ElementProps, isSamePlace, type Place } from "./element-props.js";
import { t } from "../../../messages/index.js";

interface ListViewProps {
  components: readonly Component[] | undefined;
  place: Place;
  /** The text of an empty list; null for none. */
  hint?: string | null;
}

export function ComponentList({
  components = [],
  place,
  hint = t("canvas.empty"),
}: ListViewProps) {
  const draw = useDraw();
  if (components.length === 0 && hint !== null)
    return (
      <FullWidthCell place={place}>
        <div class="empty-list">{hint}</div>
      </FullWidthCell>
    );
  return (
    <>
      {groupComponents(components).map((group, index) => (
        <ComponentGroup
          key={index === 0 ? "first" : group[0]?.id}
          components={group}
          place={place}
          draw={draw}
        />
      ))}
    </>
  );
}

interface GroupProps {
  components: readonly Component[];
  place: Place;
  draw: Draw;
}

/** Neighbors of a long list. They are compared again only when one of them or their place changes. */
class ComponentGroup extends View<GroupProps> {
  override shouldComponentUpdate(next: GroupProps): boolean {
    const { components, place } = this.props;
    return !(
      isSamePlace(next.place, place) &&
      next.components.length === components.length &&
      next.components.every(
        (component, index) => component === components[index],
      )
    );
  }

  override render({ components, place, draw: Draw }: GroupProps) {
    return (
      <>
        {components.map((component) => (
          <Draw key={component.id} component={component} place={place} />
        ))}
      </>
    );
  }
}

const GROUP_SIZE = 32;

/**
 * Splits a list before some of its components. Their ids decide before which, so that a component that is added, moved or
 * deleted changes the group around it and no other.
 */
function groupComponents(
  components: readonly Component[],
): readonly (readonly Component[])[] {
  const groups: Component[][] = [[]];
  for (const component of components) {
    if (getHash(component.id ?? "") % GROUP_SIZE === 0) groups.push([]);
    groups.at(-1)?.push(component);
  }
  return groups;
}

/** FNV-1a. */
function getHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

interface FullWidthCellProps {
  place: Place;
  children: ComponentChildren;
}

/** Wraps an element of the editor between components, in the element that HTML allows there. */
export function FullWidthCell({ place, children }: FullWidthCellProps) {
  if (place.around === "table")
    return (
      <tr class="across aside">
        <td colSpan={100}>{children}</td>
      </tr>
    );
  if (place.around === "row") return <td class="across aside">{children}</td>;
  if (place.around === "list") return <li class="across aside">{children}</li>;
  return <div class="across aside">{children}</div>;
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
