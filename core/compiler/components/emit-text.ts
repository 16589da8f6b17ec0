import {
  constantText,
  isConstantText,
  escapeHtml,
} from "../../definition/expressions/index.js";
import type { Component } from "../../definition/schema/component-schema.js";
import type {
  Inline,
  Mark,
  Text,
} from "../../definition/schema/text-schema.js";
import { literal } from "../compile/source-builder.js";
import type { Declarations } from "../styles.js";
import { endsInMarkdown, type Site } from "./emit-context.js";

/** Running text with its marks, as inline markup. */
export function emitText(text: Text | undefined, site: Site): string {
  if (text === undefined) return "";
  if (typeof text === "string") return site.text(text, "html");
  return text.map((inline) => emitInline(inline, site)).join("");
}

/** Whether one of its expressions ends in Markdown. */
export function hasMarkdown(text: Text): boolean {
  if (typeof text === "string") return endsInMarkdown(text);
  return text.some((inline) => {
    if (typeof inline === "string") return endsInMarkdown(inline);
    return "text" in inline && endsInMarkdown(inline.text);
  });
}

function emitInline(inline: Inline, site: Site): string {
  if (typeof inline === "string") return site.text(inline, "html");
  if ("br" in inline) return "<br/>";
  if ("pageNumber" in inline) return site.numbers[inline.pageNumber];
  const marks = inline.marks ?? [];
  return marks.reduceRight(
    (content, mark) => emitMark(mark, content, site),
    site.text(inline.text, "html"),
  );
}

const ELEMENTS = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strike: "s",
} as const;

function emitMark(mark: Mark, content: string, site: Site): string {
  if (typeof mark === "string")
    return `<${ELEMENTS[mark]}>${content}</${ELEMENTS[mark]}>`;
  if ("link" in mark)
    return `<a href="${site.text(mark.link, "url")}">${content}</a>`;
  return `<span${styleAttribute(mark.style, site)}>${content}</span>`;
}

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

function styleAttribute(style: Declarations, site: Site): string {
  const css = emitStyle(style, site);
  return css === "" ? "" : ` style="${css}"`;
}

/** The declarations of a style, as the value of a `style` attribute. */
function emitStyle(style: Declarations, site: Site): string {
  return Object.entries(style)
    .map(([property, value]) => `${property}:${emitValue(value, site)}`)
    .join(";");
}

function emitValue(source: string, site: Site): string {
  if (isConstantText(source)) return literal(escapeHtml(constantText(source)));
  const value = site.compiled(source, "css");
  return site.value((scope) => escapeHtml(value(scope)));
}
