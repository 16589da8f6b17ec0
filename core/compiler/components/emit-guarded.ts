import type { Component } from "../../definition/schema/component-schema.js";
import type { Site } from "./site.js";

/**
 * A component inside its condition and its collection, however these draw the component itself and the
 * lists that stand in for it. The condition is tested once, before the first round.
 */
export function emitGuarded(
  component: Component,
  site: Site,
  own: (component: Component, site: Site) => string,
  branch: (list: readonly Component[], site: Site, suffix: string) => string,
): string {
  const { condition, collection } = component;
  const drawn = collection
    ? site.each(
        collection,
        (inside) => own(component, inside),
        branch(collection.empty ?? [], site, ".collection.empty"),
      )
    : own(component, site);
  if (!condition) return drawn;
  const otherwise = branch(condition.else ?? [], site, ".condition.else");
  return site.when(condition, drawn, otherwise);
}
