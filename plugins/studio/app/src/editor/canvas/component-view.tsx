import { Component as View } from "preact";
import type { Component } from "../../../../../../core/contract/definition.js";
import { Alternatives } from "./alternatives.js";
import { isMailPart, MailPart } from "./mail/mail-part.js";
import { isSamePlace, type Place } from "./place.js";
import { viewOf } from "./views.js";

interface ComponentViewProps {
  component: Component;
  place: Place;
}

/**
 * A component and what stands in its stead. As long as the component and its place are the same, nothing of it is
 * drawn anew: this is what keeps an edit among thousands quick.
 */
export class ComponentView extends View<ComponentViewProps> {
  override shouldComponentUpdate(next: ComponentViewProps): boolean {
    const { component, place } = this.props;
    return next.component !== component || !isSamePlace(next.place, place);
  }

  override render({ component, place }: ComponentViewProps) {
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
