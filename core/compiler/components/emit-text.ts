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
import { escapeSource } from "../compile/source-builder.js";
import type { Declarations } from "../styles.js";
import { endsInMarkdown, type EmitContext } from "./emit-context.js";

/** Emits text with marks as inline markup. */
export function emitText(text: Text | undefined, context: EmitContext): string {
  if (text === undefined) return "";
  if (typeof text === "string") return context.text(text, "html");
  return text.map((inline) => emitInline(inline, context)).join("");
}

/** Whether an expression in the text results in Markdown. */
export function hasMarkdown(text: Text): boolean {
  if (typeof text === "string") return endsInMarkdown(text);
  return text.some((inline) => {
    if (typeof inline === "string") return endsInMarkdown(inline);
    return "text" in inline && endsInMarkdown(inline.text);
  });
}

function emitInline(inline: Inline, context: EmitContext): string {
  if (typeof inline === "string") return context.text(inline, "html");
  if ("br" in inline) return "<br/>";
  if ("pageNumber" in inline) return context.numbers[inline.pageNumber];
  const marks = inline.marks ?? [];
  return marks.reduceRight(
    (content, mark) => emitMark(mark, content, context),
    context.text(inline.text, "html"),
  );
}

const ELEMENTS = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strike: "s",
} as const;

function emitMark(mark: Mark, content: string, context: EmitContext): string {
  if (typeof mark === "string")
    return `<${ELEMENTS[mark]}>${content}</${ELEMENTS[mark]}>`;
  if ("link" in mark)
    return `<a href="${context.text(mark.link, "url")}">${content}</a>`;
  return `<span${styleAttribute(mark.style, context)}>${content}</span>`;
}

interface Extra {
  classes?: readonly (string | false | undefined)[];
  /** Declarations from properties of the component, such as a width; its `style` overrides them. */
  style?: Declarations;
}

/** Emits the `class` and `style` attributes of an element with a leading space; empty when it has neither. */
export function emitAttributes(
  component: Component,
  context: EmitContext,
  { classes = [], style = {} }: Extra = {},
): string {
  const own = [...classes, component.keepTogether && "keep"].filter(
    (name) => typeof name === "string",
  );
  const look = context.look.of(component, own);
  const declarations = {
    ...look.base,
    ...style,
    ...look.named,
    ...component.style,
  };
  return classAttribute(look.classes) + styleAttribute(declarations, context);
}

function classAttribute(names: readonly string[]): string {
  return names.length === 0 ? "" : ` class="${names.join(" ")}"`;
}

function styleAttribute(style: Declarations, context: EmitContext): string {
  const css = emitStyle(style, context);
  return css === "" ? "" : ` style="${css}"`;
}

/** Emits the declarations of a style as the value of a `style` attribute. */
function emitStyle(style: Declarations, context: EmitContext): string {
  return Object.entries(style)
    .map(([property, value]) => `${property}:${emitValue(value, context)}`)
    .join(";");
}

function emitValue(source: string, context: EmitContext): string {
  if (isConstantText(source))
    return escapeSource(escapeHtml(constantText(source)));
  const value = context.compiled(source, "css");
  return context.value((scope) => escapeHtml(value(scope)));
}
