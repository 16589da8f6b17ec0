import { Component as View } from "preact";
import type { Component } from "../../../../../../../core/plugin-api/definition.js";
import { Icon } from "../../../ui/icon.js";
import { type ListKey, listKey } from "../../model/tree.js";
import { useCanvas } from "../canvas-state.js";
import { isEmailPart, EmailPart } from "./email-views.js";
import { getView } from "./component-views.js";
import { FullWidthCell, ComponentList } from "./component-list.js";
import { isSamePlace, type Place } from "./place.js";

interface ComponentViewProps {
  component: Component;
  place: Place;
}

/**
 * A component and what stands in its stead. As long as the component and its place are the same, nothing of it is
 * drawn anew: this is what keeps an edit among thousands quick.
 */
export class ComponentView extends View<
  ComponentViewProps,
  { fault: Component | null }
> {
  override state = { fault: null as Component | null };

  /** A draft may hold anything: what cannot be drawn takes nothing else along. */
  override componentDidCatch(): void {
    this.setState({ fault: this.props.component });
  }

  override shouldComponentUpdate(
    next: ComponentViewProps,
    { fault }: { fault: Component | null },
  ): boolean {
    const { component, place } = this.props;
    const isSame =
      next.component === component && isSamePlace(next.place, place);
    return !isSame || fault !== this.state.fault;
  }

  override render({ component, place }: ComponentViewProps) {
    if (this.state.fault === component)
      return <ErrorView component={component} place={place} />;
    const Own = isEmailPart(place) ? EmailPart : getView(component.type);
    const own = <Own component={component} place={place} />;
    if (!component.condition && !component.collection) return own;
    return (
      <>
        {own}
        <Alternatives component={component} place={place} />
      </>
    );
  }
}

interface AlternativesProps {
  component: Component;
  place: Place;
}

/** What is shown in a component's stead, below it, when somebody opens it. */
function Alternatives({ component, place }: AlternativesProps) {
  const { id = "", condition, collection } = component;
  return (
    <>
      {condition?.else && (
        <Alternative
          list={listKey(id, "else")}
          components={condition.else}
          words="Otherwise"
          place={place}
        />
      )}
      {collection?.empty && (
        <Alternative
          list={listKey(id, "empty")}
          components={collection.empty}
          words="When there are none"
          place={place}
        />
      )}
    </>
  );
}

interface AlternativeProps {
  list: ListKey;
  components: readonly Component[];
  words: string;
  place: Place;
}

function Alternative({ list, components, words, place }: AlternativeProps) {
  const canvas = useCanvas();
  const isOpen = canvas.opened.value.has(list);
  const count =
    components.length === 1 ? "1 part" : `${components.length} parts`;
  const bar = (
    <button
      type="button"
      class="stand-in-bar"
      aria-expanded={isOpen}
      onClick={() => canvas.toggle(list)}
    >
      <Icon name={isOpen ? "down" : "next"} size={12} />
      {words}
      <span class="muted">{count}</span>
    </button>
  );
  return (
    <div class={`stand-in in-${place.around}`} data-list={list}>
      <FullWidthCell place={place}>{bar}</FullWidthCell>
      {isOpen && <ComponentList components={components} place={place} />}
    </div>
  );
}

interface FaultyViewProps {
  component: Component;
  place: Place;
}

/** In place of a part that is written so that nobody can draw it. */
function ErrorView({ component, place }: FaultyViewProps) {
  return (
    <FullWidthCell place={place}>
      <div class="away" data-id={component.id} tabIndex={-1}>
        This part has problems and cannot be drawn. Undo, or mend it in the JSON
        view.
      </div>
    </FullWidthCell>
  );
}
