import type { Component } from "../schema/component-schema.js";
import type { Style, Inline, Mark, Text } from "../schema/text-schema.js";
import { pathStep } from "./problems.js";

/** A template string of a definition, with its path relative to its owner. */
export interface TemplateString {
  suffix: string;
  source: string;
}

/** Lists the template strings of a component, without those of its children. */
export function templateStrings(component: Component): TemplateString[] {
  return [...styleStrings(component.style, ".style"), ...ownStrings(component)];
}

/** Lists the template strings of a component without those of its style. */
export function ownStrings(component: Component): TemplateString[] {
  switch (component.type) {
    case "heading":
    case "text":
    case "list-item":
    case "table-cell":
    case "preheader":
      return textStrings(component.text, ".text");
    case "button":
      return [
        ...textStrings(component.text, ".text"),
        one(component.href, ".href"),
      ];
    case "markdown":
    case "html":
    case "qrcode":
    case "barcode":
      return [one(component.value, ".value")];
    case "image":
      return (["src", "alt", "href"] as const).flatMap((name) =>
        optional(component[name], `.${name}`),
      );
    case "sign-field":
      return [one(component.submitter, ".submitter")];
    case "hero":
      return [one(component.background, ".background")];
    case "social":
      return component.items.map(({ href }, index) =>
        one(href, `.items[${index}].href`),
      );
    default:
      return [];
  }
}

/** Skips values of other types, which the first pass reports. */
export function styleStrings(
  style: Style | undefined,
  suffix: string,
): TemplateString[] {
  return Object.entries(style ?? {}).flatMap(([name, source]) =>
    typeof source === "string" ? [one(source, suffix + pathStep(name))] : [],
  );
}

function textStrings(text: Text | undefined, suffix: string): TemplateString[] {
  if (text === undefined) return [];
  if (typeof text === "string") return [one(text, suffix)];
  return text.flatMap((inline, index) =>
    inlineStrings(inline, `${suffix}[${index}]`),
  );
}

function inlineStrings(inline: Inline, suffix: string): TemplateString[] {
  if (typeof inline === "string") return [one(inline, suffix)];
  if (!("text" in inline)) return [];
  const marks = (inline.marks ?? []).flatMap((mark, index) =>
    markStrings(mark, `${suffix}.marks[${index}]`),
  );
  return [one(inline.text, `${suffix}.text`), ...marks];
}

function markStrings(mark: Mark, suffix: string): TemplateString[] {
  if (typeof mark === "string") return [];
  return "link" in mark
    ? [one(mark.link, `${suffix}.link`)]
    : styleStrings(mark.style, `${suffix}.style`);
}

function one(source: string, suffix: string): TemplateString {
  return { suffix, source };
}

export function optional(
  source: string | undefined,
  suffix: string,
): TemplateString[] {
  return source === undefined ? [] : [one(source, suffix)];
}
