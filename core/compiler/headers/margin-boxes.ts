import type { Scope } from "../../definition/expressions/index.js";
import { enlargeMargins, px, type Paper } from "../../definition/page/paper.js";
import { resolve } from "../../definition/page/layout.js";
import { PAGE_MARK, PAGES_MARK } from "../components/emit-context.js";
import { cssString, textDirection, languageAttributes } from "../markup.js";
import type { OverlaySource, RunningHeaders } from "../program.js";
import type { Run } from "../merge-run.js";
import {
  headerImage,
  type ImageSize,
  HEADER_TEXT,
  declarations,
  type HeaderText,
} from "../page/page-style.js";
import type { CompiledPlaceholder, HeaderProgram } from "./compile-headers.js";
import { type Edge, type Edges, listPrograms, mapEdges } from "./edges.js";

/** Writes CSS that depends on the record. */
type CssWriter = (root: Scope, run: Run) => string;

/**
 * Compiles the `@page` rules that print headers and footers: the art of each is the background of its margin boxes, and
 * the texts with page numbers are their content. Null when margin boxes cannot print them on this paper.
 */
export function marginBoxes(
  edges: Edges<HeaderProgram>,
  language: string,
  paper: Paper,
): CssWriter | null {
  const doFit = listPrograms(edges).every(
    ({ placeholders }) =>
      placeholders && splitEdge(placeholders, paper.contentPx),
  );
  if (!doFit) return null;
  const writers = (["top", "bottom"] as const).flatMap((edge) => {
    const { first, other } = edges[edge];
    const width = paper.contentPx;
    const all = {
      edge,
      language,
      size: { width, height: paper.margin[edge] },
      selector: "@page",
      image: `--${edge}`,
    };
    const firstPage = {
      edge,
      language,
      size: { width, height: paper.firstMargin[edge] },
      selector: "@page :first",
      image: `--first-${edge}`,
    };
    return [
      ...(other ? [edgeRule(other, all)] : []),
      ...(first === other
        ? []
        : [first ? edgeRule(first, firstPage) : bare(firstPage)]),
    ];
  });
  return writeAll(writers);
}

/** Adds the texts up instead of joining them: a style sheet in them is then copied only once, with the whole html. */
function writeAll(writers: readonly CssWriter[]): CssWriter {
  return (root, run) => {
    let text = "";
    for (const write of writers) text += write(root, run);
    return text;
  };
}

interface Place {
  edge: "top" | "bottom";
  selector: string;
  /** The custom property that contains the art. */
  image: string;
  /** BCP 47. */
  language: string;
  size: ImageSize;
}

const BOXES = ["left", "center", "right"] as const;

function bare({ edge, selector }: Place): CssWriter {
  const rules = BOXES.map((name) => `@${edge}-${name}{content:none}`);
  const rule = `${selector}{${rules.join("")}}\n`;
  return () => rule;
}

function edgeRule(header: HeaderProgram, place: Place): CssWriter {
  const { edge, selector, image, language, size } = place;
  const svg = headerImage({ ...header.rules, language }, size);
  const before = `:root{${image}:${svg.before}`;
  const after = `${svg.after}}\n${selector}{`;
  const boxes = splitEdge(header.placeholders ?? [], size.width) ?? [];
  const rules = writeAll(
    BOXES.map((name) => {
      const box = boxes.find((candidate) => candidate.name === name);
      return boxRule(`@${edge}-${name}`, box, place);
    }),
  );
  return (root, run) =>
    `${before}${header.art(root, run)}${after}${rules(root, run)}}\n`;
}

function boxRule(
  name: string,
  box: EdgeBox | undefined,
  { image, language, size: { width, height } }: Place,
): CssWriter {
  if (box === undefined) return () => `${name}{content:none}`;
  const { from, to, placeholder } = box;
  const style = declarations({
    "box-sizing": "border-box",
    width: px(to - from),
    background: `var(${image}) ${px(-from)} 0/${px(width)} ${px(height)} no-repeat`,
  });
  if (placeholder === null) return () => `${name}{content:"";${style}}`;
  const rest = `;${style};${textStyle(placeholder, from, to)};direction:${textDirection(language)}}`;
  return (root, run) =>
    `${name}{content:${content(placeholder.placeholder.text(root, run))}${rest}`;
}

function textStyle(
  { placeholder, left, right }: PlacedPlaceholder,
  from: number,
  to: number,
): string {
  const padding = [
    placeholder.above,
    to - right,
    placeholder.below,
    left - from,
  ];
  return declarations({
    ...HEADER_TEXT,
    "text-align": "start",
    ...placeholder.style,
    padding: padding.map((side) => px(Math.max(0, side))).join(" "),
    "vertical-align": "middle",
    "white-space": "pre-line",
  });
}

const MARKS = new RegExp(`([${PAGE_MARK}${PAGES_MARK}])`);

/** Converts a text with marks to a value of `content`. */
function content(text: string): string {
  const parts = text.split(MARKS).filter((part) => part !== "");
  if (parts.length === 0) return '""';
  return parts
    .map((part) => {
      if (part === PAGE_MARK) return "counter(page)";
      return part === PAGES_MARK ? "counter(pages)" : cssString(part);
    })
    .join(" ");
}

type Placeholder = CompiledPlaceholder;

/** One margin box of an edge: its extent in px of the edge and the text that it prints. */
interface EdgeBox {
  name: "left" | "center" | "right";
  from: number;
  to: number;
  placeholder: PlacedPlaceholder | null;
}

interface PlacedPlaceholder {
  placeholder: Placeholder;
  left: number;
  right: number;
}

/** Splits an edge into at most three boxes, one for each text. Null when that is impossible. */
function splitEdge(
  placeholders: readonly Placeholder[],
  width: number,
): EdgeBox[] | null {
  const [a, b, c, ...more] = placeholders
    .map((placeholder) => placeOnEdge(placeholder, width))
    .toSorted((placed, other) => placed.left - other.left);
  if (more.length > 0) return null;
  if (!a || !b)
    return [{ name: "center", from: 0, to: width, placeholder: a ?? null }];
  return c ? thirds(a, b, c, width) : halves(a, b, width);
}

function placeOnEdge(
  placeholder: Placeholder,
  width: number,
): PlacedPlaceholder {
  const { left, right } = placeholder.extent;
  return {
    placeholder,
    left: resolve(left, width),
    right: resolve(right, width),
  };
}

/** Px by which the ends of columns beside each other differ when they are added up. */
const ROUNDING = 0.001;

function halves(
  a: PlacedPlaceholder,
  b: PlacedPlaceholder,
  width: number,
): EdgeBox[] | null {
  if (a.right > b.left + ROUNDING) return null;
  const middle = (a.right + b.left) / 2;
  return [
    { name: "left", from: 0, to: middle, placeholder: a },
    { name: "right", from: middle, to: width, placeholder: b },
  ];
}

/** The middle box is always centered, so the outer ones have equal widths. */
function thirds(
  a: PlacedPlaceholder,
  b: PlacedPlaceholder,
  c: PlacedPlaceholder,
  width: number,
): EdgeBox[] | null {
  const min = Math.max(a.right, width - c.left);
  const max = Math.min(b.left, width - b.right);
  if (min > max + ROUNDING) return null;
  const outer = (min + max) / 2;
  return [
    { name: "left", from: 0, to: outer, placeholder: a },
    { name: "center", from: outer, to: width - outer, placeholder: b },
    { name: "right", from: width - outer, to: width, placeholder: c },
  ];
}

/**
 * Compiles an overlay for headers and footers whose page numbers only a browser can position: one page of headers and
 * footers for each page of the document.
 */
export function compileOverlay(
  edges: Edges<HeaderProgram>,
  { base, styles, language }: HeaderText,
  paper: Paper,
): (root: Scope, run: Run) => OverlaySource {
  const head =
    `<!doctype html>\n<html ${languageAttributes(language)}><head><meta charset="utf-8"/><style>\n` +
    `${base}\n${overlayStyle(paper)}\n${styles}</style></head>\n<body>`;
  return (root, run) => {
    const strips = mapEdges(edges, (header) => header.live(root, run));
    return { head, strips };
  };
}

/** The overlay of a document with this number of pages. */
export function overlayHtml(
  { head, strips }: OverlaySource,
  pages: number,
): string {
  const all = Array.from({ length: pages }, (_none, index) =>
    strip(strips, index + 1, pages),
  );
  return `${head}${all.join("\n")}</body></html>\n`;
}

function overlayStyle({
  cssSize,
  widthPx,
  heightPx,
  margin,
  firstMargin,
}: Paper): string {
  const sides = `position:absolute;left:${px(margin.left)};right:${px(margin.right)}`;
  const first =
    firstMargin === margin
      ? ""
      : `
.strip:first-child header.band{height:${px(firstMargin.top)}}
.strip:first-child footer.band{height:${px(firstMargin.bottom)}}`;
  return `@page{size:${cssSize};margin:0}
.strip{position:relative;width:${px(widthPx)};height:${px(heightPx)};overflow:hidden;break-after:page;break-inside:avoid}
.strip:last-child{break-after:auto}
header.band{top:0;height:${px(margin.top)};${sides}}
footer.band{bottom:0;height:${px(margin.bottom)};${sides}}${first}`;
}

function strip(
  { top, bottom }: Edges<string>,
  page: number,
  pages: number,
): string {
  const header = (name: string, { first, other }: Edge<string>) => {
    const drawn = page === 1 ? first : other;
    return drawn === null
      ? ""
      : `<${name} class="band">${replacePageMarks(drawn, page, pages)}</${name}>`;
  };
  return `<div class="strip">${header("header", top)}${header("footer", bottom)}</div>`;
}

/**
 * Renders a header or footer as an element of the html output, because browsers show no margin boxes on screen. The
 * document is then one long page.
 */
export function compileScreenHeader(
  name: "header" | "footer",
  header: HeaderProgram | null,
): (root: Scope, run: Run) => string {
  if (header === null) return () => "";
  return (root, run) =>
    `<${name} class="band">${replacePageMarks(header.live(root, run), 1, 1)}</${name}>\n`;
}

/** Positions them in the margins of the page; in print, margin boxes or the overlay replace them. */
export function screenHeaderStyle({ widthPx, margin }: Paper): string {
  const sides = `position:absolute;left:${px(margin.left)};right:${px(margin.right)}`;
  return `@media print{header.band,footer.band{display:none}}
@media screen and (min-width:${px(widthPx)}){
header.band{top:0;height:${px(margin.top)};${sides}}
footer.band{bottom:0;height:${px(margin.bottom)};${sides}}
}
@media screen and (max-width:${px(widthPx)}){
header.band{margin-bottom:24px}
footer.band{margin-top:24px}
}`;
}

/** On a screen of that width, a header or footer taller than its margin pushes the body away. */
export function growingHeaderStyle({ widthPx, margin }: Paper): string {
  return `@media screen and (min-width:${px(widthPx)}){
.sheet{display:flex;flex-direction:column}
header.band,footer.band{position:static;flex:none;height:auto}
header.band{min-height:${px(margin.top)};margin-top:${px(-margin.top)}}
footer.band{min-height:${px(margin.bottom)};margin:auto 0 ${px(-margin.bottom)}}
}`;
}

/** The headers and footers that `compileScreenHeader` does not render: those of further pages, which differ. */
function listOthers({ top, bottom }: Edges<HeaderProgram>) {
  return (
    [
      ["header", top],
      ["footer", bottom],
    ] as const
  ).flatMap(([name, { first, other }]) =>
    other === null || other === first ? [] : [{ name, program: other }],
  );
}

/** Renders all headers and footers that are no elements of the document, for measuring. */
export function compileHiddenHeaders(
  edges: Edges<HeaderProgram>,
): (root: Scope, run: Run) => string {
  const others = listOthers(edges).map(({ name, program }) =>
    compileScreenHeader(name, program),
  );
  if (others.length === 0) return () => "";
  return (
    root,
    run,
  ) => `<div hidden>${others.map((render) => render(root, run)).join("")}</div>
`;
}

/** The index of the element of each header and footer, in document order. */
export function findSlots(edges: Edges<HeaderProgram>): Edges<number> {
  const { top, bottom } = edges;
  const firstHeaders = [top.first, bottom.first].filter(
    (header) => header !== null,
  );
  const all = [
    ...firstHeaders,
    ...listOthers(edges).map(({ program }) => program),
  ];
  return mapEdges(edges, (header) => all.indexOf(header));
}

/**
 * Enlarges the margins that are too small for headers and footers; null when none is.
 * @param heights in CSS px, of each element of the class `band`, in document order
 * @throws PlatenError `merge_failed` when no space is left for the body
 */
export function fitHeaders(
  { paper, slots }: Pick<RunningHeaders, "paper" | "slots">,
  heights: readonly number[],
): Paper | null {
  const heightOf = (slot: number | null) =>
    slot === null ? null : (heights[slot] ?? 0);
  const edge = ({ first, other }: Edge<number>) => ({
    first: heightOf(first),
    other: heightOf(other),
  });
  return enlargeMargins(paper, edge(slots.top), edge(slots.bottom));
}

/** Replaces the marks in markup by page numbers. */
function replacePageMarks(html: string, page: number, pages: number): string {
  if (!html.includes(PAGE_MARK) && !html.includes(PAGES_MARK)) return html;
  return html
    .replaceAll(PAGE_MARK, String(page))
    .replaceAll(PAGES_MARK, String(pages));
}
