import type { Component } from "../schema/component-schema.js";
import type { Text } from "../schema/text-schema.js";

/** Whether the text of the component itself shows page numbers. */
export function showsPageNumber(component: Component): boolean {
  if (component.type === "page-number") return true;
  return "text" in component && hasPageNumber(component.text);
}

/** Whether the component or one inside it shows page numbers. */
export function containsPageNumber(component: Component): boolean {
  return (
    showsPageNumber(component) ||
    (component.type === "markup" && PAGE_NUMBER.test(component.html ?? "")) ||
    childrenOf(component).some(containsPageNumber)
  );
}

/** An attribute of markup that prints a number. */
const PAGE_NUMBER = /\sdata-page-(?:number|count)\b/i;

function hasPageNumber(text: Text | undefined): boolean {
  return (
    Array.isArray(text) &&
    text.some((inline) => typeof inline === "object" && "pageNumber" in inline)
  );
}

/** The components inside a component, those of its branches included. */
export function childrenOf(component: Component): Component[] {
  return [
    ...(("components" in component && component.components) || []),
    ...(component.condition?.else ?? []),
    ...(component.collection?.empty ?? []),
  ];
}

/** Replaces each text that shows a number by a blank of the same height. */
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
