import type { Component } from "../definition/component-schema.js";
import type { Declarations, NamedStyles } from "./named-styles.js";

/** How elements come to their style: by classes and a style sheet, or each on its own as mail programs want it. */
export interface Look {
  /**
   * The classes and declarations of a component's element, before its own `style`.
   * @param own the classes that its emitter gives it
   */
  of(
    component: Component,
    own: readonly string[],
  ): { names: readonly string[]; declarations: Declarations };
}

/** The look of documents. */
export function pageLook(styles: NamedStyles): Look {
  return {
    of: (component, own) => ({
      names: [...own, ...styles.classes(component.class)],
      declarations: styles.inPlace(component.class),
    }),
  };
}
