import type { AssetRegistry } from "../../definition/asset-registry.js";
import {
  compileLogic,
  compileRepeat,
  compileText,
  constantText,
  isConstantText,
  repeatTypes,
  type OutputContext,
  type RepeatRules,
  type Scope,
  type ScopeTypes,
  escapeHtml,
} from "../../definition/expressions/index.js";
import type {
  Component,
  ComponentOf,
  ComponentType,
} from "../../definition/schema/component-schema.js";
import type { Logic } from "../../definition/schema/data-schema.js";
import type {
  Inline,
  Mark,
  Text,
} from "../../definition/schema/text-schema.js";
import { urlWithoutBraces } from "../markup.js";
import {
  escapeSource,
  type Draw,
  type SourceBuilder,
  type Test,
} from "../source.js";
import type { Look, Declarations } from "../styles.js";

/** Emits one component as program source, without its condition and collection. */
export type Emitter<T extends ComponentType> = (
  component: ComponentOf<T>,
  context: EmitContext,
) => string;

export type Emitters = { readonly [T in ComponentType]?: Emitter<T> };

/** Whether an expression of a Template results in markup. */
export function endsInMarkdown(source: string): boolean {
  return /\|\s*markdown\b/.test(source);
}

/** The settings of a table that its rows and fragments pass down. */
interface TableContext {
  /** Starts at the column of the component. */
  aligns: readonly (Align | undefined)[];
  isHeader: boolean;
  /** Whether this is inside a row. */
  isRow: boolean;
  /** Whether nothing was written into the row, which is then as high as a line. */
  isBlank?: boolean;
}

export type Align = "left" | "center" | "right";

/** Replaces newlines by elements. */
function withBreaks(html: string): string {
  if (!html.includes("\n") && !html.includes("\r")) return html;
  return html.replaceAll(/\r\n|\r|\n/g, "<br/>");
}

interface EmitSettings {
  builder: SourceBuilder;
  look: Look;
  numbers: Numbers;
  /** JSON path of the current component. */
  path: string;
  /** The declared types at this component. */
  types: ScopeTypes;
  table: TableContext | null;
  /** How newlines of text are preserved: by the style sheet, or by elements where there is none. */
  lineEnds: "style" | "elements";
  /** What codes and charts become: many mail programs show no SVG. */
  drawings: "svg" | "image";
  /** The gap of the current row of columns. */
  gap: string;
  /** The available width in CSS px. */
  width: number;
  /** What the styles of the boxes around leave of it. */
  room: Room;
  draw(component: Component, context: EmitContext): string;
}

/** For codes, which must stay large enough. */
export interface Room {
  /** In CSS px, before it is scaled. */
  widthPx: number;
  /** By transforms. */
  scale: number;
}

export const WHOLE_ROOM: Room = { widthPx: Infinity, scale: 1 };

/** The context in which a component is emitted: what its emitter may know, and the only ways to write output. */
export class EmitContext {
  readonly #settings: EmitSettings;

  constructor(settings: EmitSettings) {
    this.#settings = settings;
  }

  get path(): string {
    return this.#settings.path;
  }

  get look(): Look {
    return this.#settings.look;
  }

  get builder(): SourceBuilder {
    return this.#settings.builder;
  }

  get numbers(): Numbers {
    return this.#settings.numbers;
  }

  get table(): TableContext | null {
    return this.#settings.table;
  }

  get drawings(): EmitSettings["drawings"] {
    return this.#settings.drawings;
  }

  get gap(): string {
    return this.#settings.gap;
  }

  get types(): ScopeTypes {
    return this.#settings.types;
  }

  get width(): number {
    return this.#settings.width;
  }

  get room(): Room {
    const { room, width } = this.#settings;
    return { ...room, widthPx: Math.min(room.widthPx, width) };
  }

  within(change: Partial<EmitSettings>): EmitContext {
    return new EmitContext({ ...this.#settings, ...change });
  }

  /** Emits a Template, escaped for its context. */
  text(source: string, output: "html" | "attribute" | "url"): string {
    const breaks = output === "html" && this.#settings.lineEnds === "elements";
    if (isConstantText(source) && output !== "url") {
      const escaped = escapeHtml(constantText(source));
      return escapeSource(breaks ? withBreaks(escaped) : escaped);
    }
    const text = this.compiled(source, output);
    if (output === "url")
      return this.value((scope, run) =>
        run.signing.isActive ? urlWithoutBraces(text(scope)) : text(scope),
      );
    if (output === "html" && endsInMarkdown(source)) {
      const { look } = this;
      return this.value((scope, run) => {
        const html = text(scope);
        return registerImages(look.markdown?.(html) ?? html, run.assets);
      });
    }
    return this.value(
      breaks ? (scope) => withBreaks(text(scope)) : (scope) => text(scope),
    );
  }

  /** Compiles a Template to a function, for values that an emitter processes. */
  compiled(source: string, output: OutputContext) {
    const text = compileText(source, this.path, this.#settings.types);
    return (scope: Scope) => text(scope, output);
  }

  /** @param draw returns escaped markup */
  value(draw: Draw): string {
    return this.#settings.builder.value(draw);
  }

  when(test: Logic, then: string, otherwise: string): string {
    const { types } = this.#settings;
    const holds = compileLogic(test, this.path, types);
    return this.whenTrue(holds, then, otherwise);
  }

  whenTrue(test: Test, then: string, otherwise = ""): string {
    return this.#settings.builder.when(test, then, otherwise);
  }

  each(
    repeat: RepeatRules,
    body: (inside: EmitContext) => string,
    empty: string,
  ): string {
    const { builder, types } = this.#settings;
    const scopes = compileRepeat(repeat, this.path, types);
    const inside = this.within({ types: repeatTypes(repeat, types) });
    return builder.each(scopes, body(inside), empty);
  }

  /** @param suffix path of the list relative to this component */
  children(list: readonly Component[] = [], suffix = ".components"): string {
    return list
      .map((_component, index) => this.child(list, index, suffix))
      .join("");
  }

  child(
    list: readonly Component[],
    index: number,
    suffix = ".components",
  ): string {
    const component = list[index];
    if (component === undefined) return "";
    const path = `${this.path}${suffix}[${index}]`;
    return this.#settings.draw(component, this.within({ path }));
  }
}

/** The source that writes page numbers. */
interface Numbers {
  page: string;
  pages: string;
}

/**
 * Markers in the output until the numbers are known. Data cannot contain them because merging removes control
 * characters.
 */
export const PAGE_MARK = "\u0001";
export const PAGES_MARK = "\u0002";

export const MARKED_NUMBERS: Numbers = { page: PAGE_MARK, pages: PAGES_MARK };

/** Registers the images of sanitized markup, like those of image components. */
export function registerImages(html: string, assets: AssetRegistry): string {
  if (!html.includes("<img")) return html;
  return html.replace(/<img\b[^>]*>/g, (tag) => {
    const alt = attribute(tag, "alt");
    const address = assets.address(attribute(tag, "src"), alt);
    const src = escapeHtml(address ?? assets.placeholder(alt));
    return tag.replace(/ src="[^"]*"/, () => ` src="${src}"`);
  });
}

/** Parses an attribute as the sanitizer writes it: in double quotes, with five escaped characters. */
function attribute(tag: string, name: string): string {
  const [, value = ""] = new RegExp(` ${name}="([^"]*)"`).exec(tag) ?? [];
  return value
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

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
  const ownClasses = [...classes, component.keepTogether && "keep"].filter(
    (name) => typeof name === "string",
  );
  const look = context.look.of(component, ownClasses);
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
export function emitStyle(style: Declarations, context: EmitContext): string {
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
