import { PAGE_STYLE } from "../page/page-style.js";
import { px } from "../page/lengths.js";
import type { Paper } from "../page/paper.js";
import type { OverlaySource } from "../merge/merged-document.js";
import { BAND_STYLE } from "./band-style.js";
import type { DrawnBand } from "./drawn-band.js";
import type { Edge, Edges } from "./edges.js";
import { writeNumbers } from "./write-numbers.js";

/** Headers and footers whose page numbers only a layout can place: one sheet for each page, blank but for them. */
export function overlayOf(
  bands: Edges<DrawnBand>,
  styles: string,
  paper: Paper,
): OverlaySource {
  return {
    html: (pages) =>
      `<!doctype html>\n<html><head><meta charset="utf-8"/><style>\n` +
      `${PAGE_STYLE}\n${BAND_STYLE}\n${overlayStyle(paper)}\n${styles}</style></head>\n<body>` +
      Array.from({ length: pages }, (_none, index) =>
        strip(bands, index + 1, pages),
      ).join("\n") +
      "</body></html>\n",
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

function strip(
  { top, bottom }: Edges<DrawnBand>,
  page: number,
  pages: number,
): string {
  const band = (name: string, { first, other }: Edge<DrawnBand>) => {
    const html = (page === 1 ? first : other)?.html;
    return html === undefined
      ? ""
      : `<${name} class="band">${writeNumbers(html, page, pages)}</${name}>`;
  };
  return `<div class="strip">${band("header", top)}${band("footer", bottom)}</div>`;
}
