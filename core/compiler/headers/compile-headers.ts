import {
  rootTypes,
  compileLogic,
  compileText,
  withoutControls,
  type Scope,
  type ScopeTypes,
} from "../../definition/expressions/index.js";
import { withoutNumbers } from "../../definition/page/page-numbers.js";
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
import { localeOf, textDirection } from "../locale.js";
import type { Run } from "../merge/run.js";
import { NamedStyles } from "../styles.js";
import { locateNumbers, type NumberSpot } from "./locate-numbers.js";

/** The headers and footers of a template, compiled. */
interface CompiledBands {
  programs: Edges<BandProgram>;
  /** What the margins must leave for them, in CSS px. */
  heights: { top: number; bottom: number };
  weight: number;
}

export function compileBands(definition: ProjectData): CompiledBands {
  const contents = bandContents(definition.page);
  const programs = mapEdges(contents, (band) => compileBand(band, definition));
  return {
    programs,
    heights: { top: height(contents.top), bottom: height(contents.bottom) },
    weight: bandsOf(programs).reduce((sum, { weight }) => sum + weight, 0),
  };
}

function height({ first, other }: Edge<BandContent>): number {
  return Math.max(first?.heightPx ?? 0, other?.heightPx ?? 0);
}

function compileBand(
  { components, path }: BandContent,
  definition: ProjectData,
): BandProgram {
  const types = rootTypes(definition.schema);
  const styles = new NamedStyles(definition.styles);
  const live = compileComponents(components, path, definition);
  const art = compileComponents(
    withoutNumbers(components),
    path,
    definition,
    percentEncoded,
  );
  const direction = textDirection(localeOf(definition).locale);
  const spots = locateNumbers(components, path, { styles, direction });
  return {
    live: live.render,
    art: art.render,
    spots:
      spots?.map((spot) => ({ ...spot, text: compileSpot(spot, types) })) ??
      null,
    weight: live.weight + art.weight,
  };
}

/** A header or footer, compiled. */
export interface BandProgram {
  /** Its markup, with marks where page numbers stand. */
  live: Render;
  /** The same with blanks for the texts that show numbers, percent-encoded for an image. */
  art: Render;
  /** Those texts, to be printed over the art; null when their places are not known. */
  spots: readonly CompiledSpot[] | null;
  weight: number;
}

export interface CompiledSpot extends NumberSpot {
  /** The text for one record, with marks for the numbers. */
  text: SpotText;
}

/** Something on one edge of the paper: on the first page, and on all others; null where there is nothing. */
export interface Edge<T> {
  first: T | null;
  other: T | null;
}

/** Headers on top, footers at the bottom. */
export interface Edges<T> {
  top: Edge<T>;
  bottom: Edge<T>;
}

/** Applies `change` once to each band; a band that serves for the first page too stays one. */
export function mapEdges<A extends object, B>(
  edges: Edges<A>,
  change: (band: A) => B,
): Edges<B> {
  const known = new Map<A, B>();
  const once = (band: A | null): B | null => {
    if (band === null) return null;
    const done = known.get(band) ?? change(band);
    known.set(band, done);
    return done;
  };
  const edge = ({ first, other }: Edge<A>): Edge<B> => ({
    first: once(first),
    other: once(other),
  });
  return { top: edge(edges.top), bottom: edge(edges.bottom) };
}

/** Each band once. */
export function bandsOf<T>({ top, bottom }: Edges<T>): T[] {
  const all = [top.first, top.other, bottom.first, bottom.other];
  return [...new Set(all)].filter((band) => band !== null);
}

/** What a header or footer holds. */
interface BandContent {
  components: readonly Component[];
  /** JSON path of the list. */
  path: string;
  /** Room that it needs at least, in CSS px; 0 when it does not say. */
  heightPx: number;
}

/** Without a variant of its own the first page is like the others; an empty one leaves its edge bare. */
function bandContents(page: PageSetup = {}): Edges<BandContent> {
  return {
    top: edgeOf(page, "header", "firstHeader"),
    bottom: edgeOf(page, "footer", "firstFooter"),
  };
}

function edgeOf(
  page: PageSetup,
  name: "header" | "footer",
  firstName: "firstHeader" | "firstFooter",
): Edge<BandContent> {
  const other = contentOf(page[name], `$.page.${name}`);
  const own = page[firstName];
  const first =
    own === undefined ? other : contentOf(own, `$.page.${firstName}`);
  return { first, other };
}

function contentOf(band: Band | undefined, path: string): BandContent | null {
  if (band === undefined) return null;
  const content = Array.isArray(band)
    ? { components: band, path, heightPx: 0 }
    : {
        components: band.components,
        path: `${path}.components`,
        heightPx: toPx(band.height ?? "0") ?? 0,
      };
  return content.components.length === 0 ? null : content;
}

/** The text of a spot for one record, with marks for the numbers. */
type SpotText = (root: Scope, run: Run) => string;

function compileSpot(
  { component, path }: NumberSpot,
  types: ScopeTypes,
): SpotText {
  const parts = partsOf(component).map((part) =>
    compilePart(part, path, types),
  );
  const shown = component.condition
    ? compileLogic(component.condition, path, types)
    : () => true;
  return (root, run) =>
    shown(root) ? parts.map((part) => part(root, run)).join("") : "";
}

function partsOf(component: NumberSpot["component"]): Inline[] {
  if (component.type === "text")
    return Array.isArray(component.text) ? component.text : [component.text];
  const words = (component.format ?? DEFAULT_FORMAT).split(/(\{pages?\})/);
  return words.map((word): Inline => {
    if (word === "{page}") return { pageNumber: "page" };
    if (word === "{pages}") return { pageNumber: "pages" };
    return { text: word.replaceAll("{{", "\\{{") };
  });
}

function compilePart(part: Inline, path: string, types: ScopeTypes): SpotText {
  if (typeof part === "object" && "br" in part) return () => "\n";
  if (typeof part === "object" && "pageNumber" in part) {
    const mark = part.pageNumber === "page" ? PAGE_MARK : PAGES_MARK;
    return () => mark;
  }
  const source = typeof part === "string" ? part : part.text;
  const text = compileText(source, path, types);
  return (root, run) => run.guardText(withoutControls(text(root, "plain")));
}
