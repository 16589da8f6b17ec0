import type { Component } from "../../definition/schema/component-schema.js";
import type { Declarations } from "../style/named-styles.js";
import { emitStyle } from "./emit-style.js";
import type { Site } from "./site.js";

interface Extra {
  classes?: readonly (string | false | undefined)[];
  /** Declarations of the component's own properties, such as a column's width; its `style` may override them. */
  style?: Declarations;
}

/** The `class` and `style` attributes of a component's element, with a space in front; empty when it has neither. */
export function attributes(
  component: Component,
  site: Site,
  { classes = [], style = {} }: Extra = {},
): string {
  const own = [...classes, component.keepTogether && "keep"].filter(
    (name) => typeof name === "string",
  );
  const look = site.look.of(component, own);
  const declarations = {
    ...look.base,
    ...style,
    ...look.named,
    ...component.style,
  };
  return classAttribute(look.classes) + styleAttribute(declarations, site);
}

function classAttribute(names: readonly string[]): string {
  return names.length === 0 ? "" : ` class="${names.join(" ")}"`;
}

export function styleAttribute(style: Declarations, site: Site): string {
  const css = emitStyle(style, site);
  return css === "" ? "" : ` style="${css}"`;
}
