import type { Scope } from "../../definition/expressions/index.js";
import { px, type Paper } from "../../definition/page/paper.js";
import { PAGE_MARK, PAGES_MARK } from "../components/emit-context.js";
import { languageAttributes } from "../locale.js";
import type { OverlaySource } from "../merge/merged-document.js";
import type { Run } from "../merge/run.js";
import { PAGE_STYLE } from "../page/page-style.js";
import {
  type HeaderProgram,
  mapEdges,
  type Edge,
  type Edges,
} from "./compile-headers.js";
import { type HeaderText, HEADER_STYLE } from "./header-style.js";

/**
 * Compiles an overlay for headers and footers whose page numbers only a browser can position: one page of headers and
 * footers for each page of the document.
 */
export function compileOverlay(
  edges: Edges<HeaderProgram>,
  { styles, language }: HeaderText,
  paper: Paper,
): (root: Scope, run: Run) => OverlaySource {
  const head =
    `<!doctype html>\n<html ${languageAttributes(language)}><head><meta charset="utf-8"/><style>\n` +
    `${PAGE_STYLE}\n${HEADER_STYLE}\n${overlayStyle(paper)}\n${styles}</style></head>\n<body>`;
  return (root, run) => {
    const drawn = mapEdges(edges, (header) => ({
      html: header.live(root, run),
    }));
    return {
      html: (pages) =>
        head +
        Array.from({ length: pages }, (_none, index) =>
          strip(drawn, index + 1, pages),
        ).join("\n") +
        "</body></html>\n",
    };
  };
}

function overlayStyle({ cssSize, widthPx, heightPx, margin }: Paper): string {
  const sides = `position:absolute;left:${px(margin.left)};right:${px(margin.right)}`;
  return `@page{size:${cssSize};margin:0}
.strip{position:relative;width:${px(widthPx)};height:${px(heightPx)};overflow:hidden;break-after:page;break-inside:avoid}
.strip:last-child{break-after:auto}
header.band{top:0;height:${px(margin.top)};${sides}}
footer.band{bottom:0;height:${px(margin.bottom)};${sides}}`;
}

interface DrawnHeader {
  html: string;
}

function strip(
  { top, bottom }: Edges<DrawnHeader>,
  page: number,
  pages: number,
): string {
  const header = (name: string, { first, other }: Edge<DrawnHeader>) => {
    const drawn = page === 1 ? first : other;
    return drawn === null
      ? ""
      : `<${name} class="band">${replacePageMarks(drawn.html, page, pages)}</${name}>`;
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

/** Replaces the marks in markup by page numbers. */
function replacePageMarks(html: string, page: number, pages: number): string {
  if (!html.includes(PAGE_MARK) && !html.includes(PAGES_MARK)) return html;
  return html
    .replaceAll(PAGE_MARK, String(page))
    .replaceAll(PAGES_MARK, String(pages));
}
