import type { Component } from "../schema/component-schema.js";
import type { Text } from "../schema/text-schema.js";

/** A component whose own text shows page numbers. */
export function showsPageNumber(component: Component): boolean {
  if (component.type === "page-number") return true;
  return "text" in component && hasPageNumber(component.text);
}

/** This component, or one inside it. */
export function containsPageNumber(component: Component): boolean {
  return (
    showsPageNumber(component) || childrenOf(component).some(containsPageNumber)
  );
}

function hasPageNumber(text: Text | undefined): boolean {
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
export function withoutPageNumbers(list: readonly Component[]): Component[] {
  return list.map((component) => {
    if (showsPageNumber(component)) return blank(component);
    return "components" in component && component.components
      ? { ...component, components: withoutPageNumbers(component.components) }
      : component;
  });
}

function blank(component: Component): Component {
  const { class: names, style, condition } = component;
  return { type: "text", text: "\u00a0", class: names, style, condition };
}
