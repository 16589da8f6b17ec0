import type { Component } from "../schema/component-schema.js";
import type { Text } from "../schema/text-schema.js";

/** A component whose own text shows page numbers. */
export function showsNumber(component: Component): boolean {
  if (component.type === "page-number") return true;
  return "text" in component && hasNumber(component.text);
}

/** This component, or one inside it. */
export function holdsNumber(component: Component): boolean {
  return showsNumber(component) || childrenOf(component).some(holdsNumber);
}

function hasNumber(text: Text | undefined): boolean {
  return (
    Array.isArray(text) &&
    text.some((inline) => typeof inline === "object" && "pageNumber" in inline)
  );
}

/** Those in its branches as well. */
function childrenOf(component: Component): Component[] {
  return [
    ...(("components" in component && component.components) || []),
    ...(component.condition?.else ?? []),
    ...(component.collection?.empty ?? []),
  ];
}

/** The same components with a blank of the same height for each text that shows a number. */
export function withoutNumbers(list: readonly Component[]): Component[] {
  return list.map((component) => {
    if (showsNumber(component)) return blank(component);
    return "components" in component && component.components
      ? { ...component, components: withoutNumbers(component.components) }
      : component;
  });
}

function blank(component: Component): Component {
  const { class: names, style, condition } = component;
  return { type: "text", text: "\u00a0", class: names, style, condition };
}
