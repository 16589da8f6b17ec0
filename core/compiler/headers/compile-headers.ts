import {
  rootTypes,
  compileLogic,
  compileText,
  withoutControls,
  type Scope,
  type ScopeTypes,
  isConstantText,
} from "../../definition/expressions/index.js";
import {
  listTopMarkups,
  type MarkupComponent,
} from "../../definition/markup/markup-parts.js";
import {
  type MarkupElement,
  type PagePart,
  parseMarkup,
} from "../../definition/markup/parse-markup.js";
import {
  withoutPageNumbers,
  containsPageNumber,
  showsPageNumber,
} from "../../definition/page/page-numbers.js";
import {
  columnExtents,
  type Extent,
  inset,
  toPx,
  WHOLE,
} from "../../definition/page/layout.js";
import type { Sides } from "../../definition/page/paper.js";
import type {
  Component,
  ComponentOf,
} from "../../definition/schema/component-schema.js";
import type { ProjectData } from "../../definition/schema/definition-schema.js";
import { type Edge, type Edges, listPrograms, mapEdges } from "./edges.js";
import type { Band } from "../../definition/schema/output-schema.js";
import type { Inline } from "../../definition/schema/text-schema.js";
import {
  compileComponents,
  compileContent,
} from "../components/emit-component.js";
import { emitPagePart } from "../components/emit-markup.js";
import { DEFAULT_FORMAT } from "../components/emit-blocks.js";
import {
  type EmitContext,
  PAGE_MARK,
  PAGES_MARK,
} from "../components/emit-context.js";
import { percentEncoded, type Direction } from "../markup.js";
import type { Run } from "../merge-run.js";
import type { DocumentStyles } from "../page/markup-styles.js";
import { DIVIDER_STYLE, type StyleRules } from "../page/page-style.js";
import type { Render } from "../source.js";
import { NamedStyles, type Declarations } from "../styles.js";

interface CompiledHeaders {
  /** For languages of this direction. */
  programs: (direction: Direction) => Edges<HeaderProgram>;
  /** The minimum margins for them in CSS px. */
  heights: { top: number; bottom: number };
  weight: number;
  /** With all literal text of what they render. */
  source: string;
}

export function compileHeaders(
  definition: ProjectData,
  styles: DocumentStyles,
): CompiledHeaders {
  const contents = getHeaderContents(definition);
  let all = "";
  const compiled = mapEdges(contents, (content) => {
    const { source, ...header } = compileHeader(content, definition);
    all += source;
    return { ...header, rules: styles.rulesFor(source) };
  });
  const programs = new Map<Direction, Edges<HeaderProgram>>();
  return {
    programs: (direction) => {
      const compiledEdges =
        programs.get(direction) ??
        mapEdges(compiled, ({ findPlaceholders, ...header }) => ({
          ...header,
          placeholders: findPlaceholders(direction),
        }));
      programs.set(direction, compiledEdges);
      return compiledEdges;
    },
    heights: {
      top: minHeight(contents.top),
      bottom: minHeight(contents.bottom),
    },
    weight: listPrograms(compiled).reduce((sum, { weight }) => sum + weight, 0),
    source: all,
  };
}

function minHeight({ first, other }: Edge<HeaderContent>): number {
  return Math.max(first?.heightPx ?? 0, other?.heightPx ?? 0);
}

function compileHeader(
  content: HeaderContent,
  definition: ProjectData,
): UnplacedHeader {
  if ("part" in content) return compileMarkupHeader(content, definition);
  const { components, path } = content;
  const types = rootTypes(definition.schema);
  const styles = new NamedStyles(definition.styles);
  const live = compileComponents(components, path, definition);
  const art = compileComponents(
    withoutPageNumbers(components),
    path,
    definition,
    percentEncoded,
  );
  return {
    live: live.render,
    art: art.render,
    findPlaceholders: (direction) =>
      locateNumbers(components, path, { styles, direction })?.map(
        (placeholder) => ({
          ...placeholder,
          text: compilePlaceholder(placeholder, types),
        }),
      ) ?? null,
    weight: live.weight + art.weight,
    source: live.source,
  };
}

/** The position of a page number in markup is only known to a browser. */
function compileMarkupHeader(
  { part, markup, path }: MarkupPart,
  definition: ProjectData,
): UnplacedHeader {
  const emit = (context: EmitContext) => emitPagePart(markup, part, context);
  const live = compileContent(emit, path, definition);
  const art = compileContent(emit, path, definition, percentEncoded);
  const element = parseMarkup(markup.html ?? "", "html").pages[part];
  const placeholders = element && hasPageNumber(element) ? null : [];
  return {
    live: live.render,
    art: art.render,
    findPlaceholders: () => placeholders,
    weight: live.weight + art.weight,
    source: live.source,
  };
}

function hasPageNumber(element: MarkupElement): boolean {
  const { children, otherwise, empty, pageNumber } = element;
  return (
    pageNumber !== undefined ||
    [...children, otherwise, empty].some(
      (child) => child?.kind === "element" && hasPageNumber(child),
    )
  );
}

/** A compiled header or footer. */
export interface HeaderProgram {
  /** Renders its markup with marks for page numbers. */
  live: Render;
  /** Renders the markup with blanks instead of page numbers, percent-encoded for an image. */
  art: Render;
  /** The rules that its image needs. */
  rules: StyleRules;
  /** The texts with page numbers, to print over the art; null when their positions are unknown. */
  placeholders: readonly CompiledPlaceholder[] | null;
  weight: number;
}

/** A header in which the positions of page numbers depend on the direction of the document's language. */
interface UnplacedHeader extends Omit<HeaderProgram, "placeholders" | "rules"> {
  source: string;
  findPlaceholders: (direction: Direction) => HeaderProgram["placeholders"];
}

export interface CompiledPlaceholder extends NumberPlaceholder {
  /** Renders the text for one record, with marks for the numbers. */
  text: PlaceholderText;
}

/** The content of a header or footer. */
type HeaderContent = ComponentList | MarkupPart;

/** A header or footer in markup of the body. */
interface MarkupPart {
  part: PagePart;
  markup: MarkupComponent;
  /** JSON path of the component. */
  path: string;
  heightPx: number;
}

interface ComponentList {
  components: readonly Component[];
  /** JSON path of the list. */
  path: string;
  /** Minimum height in CSS px; 0 by default. */
  heightPx: number;
}

/** The first page uses the general header unless it has its own; an empty one leaves the edge empty. */
function getHeaderContents(definition: ProjectData): Edges<HeaderContent> {
  return {
    top: getEdge(definition, "header", "firstHeader"),
    bottom: getEdge(definition, "footer", "firstFooter"),
  };
}

function getEdge(
  { page = {}, components }: ProjectData,
  name: "header" | "footer",
  firstName: "firstHeader" | "firstFooter",
): Edge<HeaderContent> {
  const find = (part: PagePart) =>
    page[part] === undefined
      ? findPart(components, part)
      : getContent(page[part], `$.page.${part}`);
  const other = find(name) ?? null;
  const first = find(firstName);
  return { first: first === undefined ? other : first, other };
}

/** Undefined when no markup has the part; null when it is empty. */
function findPart(
  components: readonly Component[],
  part: PagePart,
): HeaderContent | null | undefined {
  for (const { component: markup, path } of listTopMarkups(components)) {
    const element = parseMarkup(markup.html ?? "", "html").pages[part];
    if (!element) continue;
    const isEmpty = element.children.every(
      (node) => node.kind === "text" && node.template.trim() === "",
    );
    return isEmpty ? null : { part, markup, path, heightPx: 0 };
  }
  return undefined;
}

function getContent(header: Band, path: string): HeaderContent | null {
  const content = Array.isArray(header)
    ? { components: header, path, heightPx: 0 }
    : {
        components: header.components,
        path: `${path}.components`,
        heightPx: toPx(header.height ?? "0") ?? 0,
      };
  return content.components.length === 0 ? null : content;
}

/** Renders the text of a placeholder for one record, with marks for the numbers. */
type PlaceholderText = (root: Scope, run: Run) => string;

function compilePlaceholder(
  { component, path }: NumberPlaceholder,
  types: ScopeTypes,
): PlaceholderText {
  const parts = toInlines(component).map((part) =>
    compilePart(part, path, types),
  );
  const isShown = component.condition
    ? compileLogic(component.condition, path, types)
    : () => true;
  return (root, run) =>
    isShown(root) ? parts.map((part) => part(root, run)).join("") : "";
}

function toInlines(component: NumberPlaceholder["component"]): Inline[] {
  if (component.type === "text")
    return Array.isArray(component.text) ? component.text : [component.text];
  const words = (component.format ?? DEFAULT_FORMAT).split(/(\{pages?\})/);
  return words.map((word): Inline => {
    if (word === "{page}") return { pageNumber: "page" };
    if (word === "{pages}") return { pageNumber: "pages" };
    return { text: word.replaceAll("{{", "\\{{") };
  });
}

function compilePart(
  part: Inline,
  path: string,
  types: ScopeTypes,
): PlaceholderText {
  if (typeof part === "object" && "br" in part) return () => "\n";
  if (typeof part === "object" && "pageNumber" in part) {
    const mark = part.pageNumber === "page" ? PAGE_MARK : PAGES_MARK;
    return () => mark;
  }
  const source = typeof part === "string" ? part : part.text;
  const text = compileText(source, path, types);
  return (root, run) => run.guardText(withoutControls(text(root, "plain")));
}

// Only a page margin box can count pages, but it cannot contain markup. So the text with the numbers is removed from a
// header or footer and printed by a margin box at the same position. That position is known without a browser when
// everything around it has fixed lengths; otherwise the header is printed as an overlay.

/** A text with page numbers and its position in the header or footer. */
interface NumberPlaceholder {
  component: ComponentOf<"page-number"> | ComponentOf<"text">;
  path: string;
  extent: Extent;
  /** Px above and below it within the content, which is centered in the margin. */
  above: number;
  below: number;
  /** The inherited text style. */
  style: Declarations;
}

interface Frame extends Omit<NumberPlaceholder, "component"> {
  text: TextFacts;
}

interface TextFacts {
  styles: NamedStyles;
  direction: Direction;
}

/** Finds the texts with numbers in a list; null when only a browser can position one of them. */
function locateNumbers(
  list: readonly Component[],
  path: string,
  text: TextFacts,
): NumberPlaceholder[] | null {
  const frame = { path, text, extent: WHOLE, above: 0, below: 0, style: {} };
  return inList(list, frame);
}

function inList(
  list: readonly Component[],
  frame: Frame,
): NumberPlaceholder[] | null {
  const at = list.findIndex(containsPageNumber);
  const component = list[at];
  if (component === undefined) return [];
  const above = heightOf(list.slice(0, at), frame);
  const below = heightOf(list.slice(at + 1), frame);
  if (above === null || below === null) return null;
  return inComponent(component, {
    ...frame,
    path: `${frame.path}[${at}]`,
    above: frame.above + above,
    below: frame.below + below,
  });
}

/** Also null for a list that contains more numbers. */
function heightOf(list: readonly Component[], frame: Frame): number | null {
  return list.reduce<number | null>((sum, component) => {
    const height = heightOfOne(component, frame);
    return sum === null || height === null ? null : sum + height;
  }, 0);
}

function heightOfOne(component: Component, frame: Frame): number | null {
  if (component.condition || component.collection) return null;
  const style = declared(component, frame);
  if (component.type === "spacer" && Object.keys(style).length === 0)
    return toPx(component.height);
  if (component.type !== "divider") return null;
  const metrics = boxMetrics(style, DIVIDER_STYLE);
  return metrics && metrics.room.top + metrics.room.bottom;
}

function inComponent(
  component: Component,
  frame: Frame,
): NumberPlaceholder[] | null {
  if (component.collection) return null;
  if (
    component.condition &&
    (component.condition.else || !showsPageNumber(component))
  )
    return null;
  const inside = insideBox(component, frame);
  if (inside === null) return null;
  switch (component.type) {
    case "fragment":
    case "container":
    case "column":
      return inList(component.components, deeper(inside));
    case "columns":
      return inColumns(component, inside);
    case "text":
    case "page-number":
      return isPlain(component) ? [createPlaceholder(component, inside)] : null;
    default:
      return null;
  }
}

function deeper(frame: Frame): Frame {
  return { ...frame, path: `${frame.path}.components` };
}

function inColumns(
  row: ComponentOf<"columns">,
  frame: Frame,
): NumberPlaceholder[] | null {
  const extents = columnExtents(row, frame.extent, frame.text.direction);
  if (extents === null) return null;
  const { path } = deeper(frame);
  const placeholders = row.components.map((column, index) => {
    if (column.collection || column.condition) return null;
    if (!containsPageNumber(column)) return [];
    const extent = extents[index] ?? frame.extent;
    return inComponent(column, { ...frame, extent, path: `${path}[${index}]` });
  });
  const resolved = placeholders.filter((list) => list !== null);
  return resolved.length === placeholders.length ? resolved.flat() : null;
}

/** The frame inside the margin, border and padding of a component. */
function insideBox(component: Component, frame: Frame): Frame | null {
  const { "align-items": align = "center", ...style } = declared(
    component,
    frame,
  );
  const metrics = boxMetrics(style);
  if (metrics === null || align !== "center") return null;
  if (!Object.values(metrics.text).every(isConstantText)) return null;
  const { top, right, bottom, left } = metrics.room;
  return {
    ...frame,
    extent: inset(frame.extent, left, right),
    above: frame.above + top,
    below: frame.below + bottom,
    style: { ...frame.style, ...metrics.text },
  };
}

function declared(
  component: Component,
  { text: { styles } }: Frame,
): Declarations {
  return { ...styles.declarations(component.class), ...component.style };
}

/** A margin box can only print plain text. */
function isPlain(component: NumberPlaceholder["component"]): boolean {
  return (
    component.type === "page-number" ||
    (Array.isArray(component.text) &&
      component.text.every(
        (inline) => typeof inline === "string" || !("marks" in inline),
      ))
  );
}

function createPlaceholder(
  component: NumberPlaceholder["component"],
  { text: _text, ...frame }: Frame,
): NumberPlaceholder {
  return { component, ...frame };
}

/** Inherited properties of text. */
const TEXT =
  /^(color|font(-.+)?|letter-spacing|line-height|text-align|text-transform|word-spacing)$/;
/** Properties that paint without changing the layout. */
const PAINT =
  /^(background(-color)?|border(-(top|right|bottom|left))?-(color|style)|border(-.+)?-radius)$/;
const SIDES = ["top", "right", "bottom", "left"] as const;

interface BoxMetrics {
  /** Sum of margin, border and padding of each side, in CSS px. */
  room: Sides;
  /** The text properties that are inherited. */
  text: Declarations;
}

/** Computes the space that a style takes on each side of a box; null when only a browser can. */
function boxMetrics(
  style: Declarations,
  defaults: Declarations = {},
): BoxMetrics | null {
  const room = { top: 0, right: 0, bottom: 0, left: 0 };
  const sides = new Map<string, number>();
  const text: Declarations = {};
  for (const [property, value] of Object.entries({ ...defaults, ...style })) {
    if (TEXT.test(property)) Object.assign(text, { [property]: value });
    else if (PAINT.test(property)) continue;
    else if (!addSides(property, value, sides)) return null;
  }
  for (const [name, length] of sides) {
    const side = SIDES.find((candidate) => name.endsWith(candidate));
    if (side) room[side] += length;
  }
  return { room, text };
}

/** Later declarations win, as in CSS; sides are stored by their long property name. */
function addSides(
  property: string,
  value: string,
  sides: Map<string, number>,
): boolean {
  const [, kind = "", side] =
    /^(margin|padding|border)(?:-(top|right|bottom|left))?(?:-width)?$/.exec(
      property,
    ) ?? [];
  if (kind === "") return false;
  const lengths = kind === "border" ? borderLengths(value) : boxLengths(value);
  if (lengths === null) return false;
  for (const [index, name] of SIDES.entries())
    if (side === undefined || side === name)
      sides.set(`${kind}-${name}`, getSide(lengths, index));
  return true;
}

/** Parses values such as `1px 2px`. */
function boxLengths(value: string): number[] | null {
  const lengths = value.trim().split(/\s+/).map(toPx);
  const parsed = lengths.filter((length) => length !== null);
  return parsed.length === lengths.length && parsed.length <= 4 ? parsed : null;
}

/** Parses the width in `1px solid #ccc`. */
function borderLengths(value: string): number[] | null {
  const words = value.trim().split(/\s+/);
  if (words.some((word) => word === "none" || word === "0")) return [0];
  const width = words.map(toPx).find((length) => length !== null);
  return width === undefined ? null : [width];
}

/** Selects the length of a side from one to four lengths: top, right, bottom, left. */
function getSide(lengths: readonly number[], side: number): number {
  const [top = 0, right = top, bottom = top, left = right] = lengths;
  return [top, right, bottom, left][side] ?? 0;
}
