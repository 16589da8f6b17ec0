import { Component as View } from "preact";
import type { Component } from "../../../../../../core/plugin-api/definition.js";
import { Alternatives } from "./alternatives.js";
import { isMailPart, MailPart } from "./mail/mail-part.js";
import { isSamePlace, type Place } from "./place.js";
import { FaultyView } from "./faulty-view.js";
import { viewOf } from "./views.js";

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
      return <FaultyView component={component} place={place} />;
    const Own = isMailPart(place) ? MailPart : viewOf(component.type);
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
