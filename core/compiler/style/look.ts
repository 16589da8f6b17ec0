import type { Component } from "../../definition/schema/component-schema.js";
import type { Declarations, NamedStyles } from "./named-styles.js";

/** How elements come to their style: by classes and a style sheet, or each on its own as mail programs want it. */
export interface Look {
  /** @param own the classes that an emitter gives a component's element */
  of(component: Component, own: readonly string[]): ElementLook;
}

export interface ElementLook {
  classes: readonly string[];
  /** Below what the component's own properties declare, such as a width. */
  base: Declarations;
  /** Above it, and below the component's `style`. */
  named: Declarations;
}

/** The look of documents. */
export function pageLook(styles: NamedStyles): Look {
  return {
    of: (component, own) => ({
      classes: [...own, ...styles.classes(component.class)],
      base: {},
      named: styles.inPlace(component.class),
    }),
  };
}
