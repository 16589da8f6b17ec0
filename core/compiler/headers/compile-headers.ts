import {
  rootTypes,
  compileLogic,
  compileText,
  withoutControls,
  type Scope,
  type ScopeTypes,
} from "../../definition/expressions/index.js";
import { withoutPageNumbers } from "../../definition/page/page-numbers.js";
import { toPx } from "../../definition/page/paper.js";
import type { Component } from "../../definition/schema/component-schema.js";
import type { ProjectData } from "../../definition/schema/definition-schema.js";
import type { Band, PageSetup } from "../../definition/schema/output-schema.js";
import type { Inline } from "../../definition/schema/text-schema.js";
import { compileComponents } from "../compile/compile-components.js";
import type { Render } from "../compile/compile-source.js";
import { DEFAULT_FORMAT } from "../components/emit-blocks.js";
import { PAGE_MARK, PAGES_MARK } from "../components/emit-context.js";
import { percentEncoded } from "../escape.js";
import { getLocale, textDirection } from "../locale.js";
import type { Run } from "../merge/run.js";
import { NamedStyles } from "../styles.js";
import { locateNumbers, type NumberPlaceholder } from "./locate-numbers.js";

/** The compiled headers and footers of a template. */
interface CompiledHeaders {
  programs: Edges<HeaderProgram>;
  /** The minimum margins for them in CSS px. */
  heights: { top: number; bottom: number };
  weight: number;
}

export function compileHeaders(definition: ProjectData): CompiledHeaders {
  const contents = getHeaderContents(definition.page);
  const programs = mapEdges(contents, (header) =>
    compileHeader(header, definition),
  );
  return {
    programs,
    heights: { top: height(contents.top), bottom: height(contents.bottom) },
    weight: listPrograms(programs).reduce((sum, { weight }) => sum + weight, 0),
  };
}

function height({ first, other }: Edge<HeaderContent>): number {
  return Math.max(first?.heightPx ?? 0, other?.heightPx ?? 0);
}

function compileHeader(
  { components, path }: HeaderContent,
  definition: ProjectData,
): HeaderProgram {
  const types = rootTypes(definition.schema);
  const styles = new NamedStyles(definition.styles);
  const live = compileComponents(components, path, definition);
  const art = compileComponents(
    withoutPageNumbers(components),
    path,
    definition,
    percentEncoded,
  );
  const direction = textDirection(getLocale(definition).locale);
  const placeholders = locateNumbers(components, path, { styles, direction });
  return {
    live: live.render,
    art: art.render,
    placeholders:
      placeholders?.map((placeholder) => ({
        ...placeholder,
        text: compilePlaceholder(placeholder, types),
      })) ?? null,
    weight: live.weight + art.weight,
  };
}

/** A compiled header or footer. */
export interface HeaderProgram {
  /** Renders its markup with marks for page numbers. */
  live: Render;
  /** Renders the markup with blanks instead of page numbers, percent-encoded for an image. */
  art: Render;
  /** The texts with page numbers, to print over the art; null when their positions are unknown. */
  placeholders: readonly CompiledPlaceholder[] | null;
  weight: number;
}

export interface CompiledPlaceholder extends NumberPlaceholder {
  /** Renders the text for one record, with marks for the numbers. */
  text: PlaceholderText;
}

/** Values for one edge of the page: for the first page and all others; null when there is none. */
export interface Edge<T> {
  first: T | null;
  other: T | null;
}

/** Headers at the top, footers at the bottom. */
export interface Edges<T> {
  top: Edge<T>;
  bottom: Edge<T>;
}

/** Applies `change` once to each header, even if the first page shares it. */
export function mapEdges<A extends object, B>(
  edges: Edges<A>,
  change: (header: A) => B,
): Edges<B> {
  const known = new Map<A, B>();
  const once = (header: A | null): B | null => {
    if (header === null) return null;
    const done = known.get(header) ?? change(header);
    known.set(header, done);
    return done;
  };
  const edge = ({ first, other }: Edge<A>): Edge<B> => ({
    first: once(first),
    other: once(other),
  });
  return { top: edge(edges.top), bottom: edge(edges.bottom) };
}

/** Lists each header once. */
export function listPrograms<T>({ top, bottom }: Edges<T>): T[] {
  const all = [top.first, top.other, bottom.first, bottom.other];
  return [...new Set(all)].filter((header) => header !== null);
}

/** The content of a header or footer. */
interface HeaderContent {
  components: readonly Component[];
  /** JSON path of the list. */
  path: string;
  /** Minimum height in CSS px; 0 by default. */
  heightPx: number;
}

/** The first page uses the general header unless it has its own; an empty one leaves the edge empty. */
function getHeaderContents(page: PageSetup = {}): Edges<HeaderContent> {
  return {
    top: getEdge(page, "header", "firstHeader"),
    bottom: getEdge(page, "footer", "firstFooter"),
  };
}

function getEdge(
  page: PageSetup,
  name: "header" | "footer",
  firstName: "firstHeader" | "firstFooter",
): Edge<HeaderContent> {
  const other = getContent(page[name], `$.page.${name}`);
  const own = page[firstName];
  const first =
    own === undefined ? other : getContent(own, `$.page.${firstName}`);
  return { first, other };
}

function getContent(
  header: Band | undefined,
  path: string,
): HeaderContent | null {
  if (header === undefined) return null;
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
  const shown = component.condition
    ? compileLogic(component.condition, path, types)
    : () => true;
  return (root, run) =>
    shown(root) ? parts.map((part) => part(root, run)).join("") : "";
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
