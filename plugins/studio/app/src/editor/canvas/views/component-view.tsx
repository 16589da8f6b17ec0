import { Component as View } from "preact";
import type { Component } from "../../../../../../../core/plugin-api/definition.js";
import { Icon } from "../../../ui/icon.js";
import { type ListKey, listKey } from "../../model/tree.js";
import { useCanvas } from "../canvas-state.js";
import { isEmailPart, EmailPart } from "./email-views.js";
import { getView } from "./component-views.js";
import { FullWidthCell, ComponentList } from "./component-list.js";
import { isSamePlace, type Place, type ViewProps } from "./element-props.js";
import { t } from "../../../messages/index.js";

/**
 * Renders a component and its alternatives. It renders again only when the component or its place changes, which keeps
 * edits fast in a template with thousands of components.
 */
export class ComponentView extends View<
  ViewProps,
  { fault: Component | null }
> {
  override state = { fault: null as Component | null };

  /** A draft can contain anything: a component that fails to render must not break the others. */
  override componentDidCatch(): void {
    this.setState({ fault: this.props.component });
  }

  override shouldComponentUpdate(
    next: ViewProps,
    { fault }: { fault: Component | null },
  ): boolean {
    const { component, place } = this.props;
    const isSame =
      next.component === component && isSamePlace(next.place, place);
    return !isSame || fault !== this.state.fault;
  }

  override render({ component, place }: ViewProps) {
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

/** The alternatives of a component's condition and collection, collapsed below it. */
function Alternatives({ component, place }: ViewProps) {
  const { id = "", condition, collection } = component;
  return (
    <>
      {condition?.else && (
        <Alternative
          list={listKey(id, "else")}
          components={condition.else}
          words={t("canvas.otherwise")}
          place={place}
        />
      )}
      {collection?.empty && (
        <Alternative
          list={listKey(id, "empty")}
          components={collection.empty}
          words={t("canvas.ifListIsEmpty")}
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
  const count = t("canvas.components", { count: components.length });
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

/** Replaces a component that failed to render. */
function ErrorView({ component, place }: ViewProps) {
  return (
    <FullWidthCell place={place}>
      <div class="away" data-id={component.id} tabIndex={-1}>
        {t("canvas.componentBroken")}
      </div>
    </FullWidthCell>
  );
}
