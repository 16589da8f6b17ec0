import type { Scope } from "../../definition/expressions/index.js";
import type { OverlaySource } from "../merge/merged-document.js";
import type { Run } from "../merge/run.js";
import { languageAttributes } from "../page/text-direction.js";
import type { BandText } from "./band-style.js";
import { px } from "../../definition/page/lengths.js";
import { PAGE_STYLE } from "../page/page-style.js";
import type { Paper } from "../../definition/page/paper.js";
import type { BandProgram } from "./band-program.js";
import { BAND_STYLE } from "./band-style.js";
import { mapEdges, type Edge, type Edges } from "./edges.js";
import { writeNumbers } from "./write-numbers.js";

/** Headers and footers whose page numbers only a layout can place: one sheet for each page, blank but for them. */
export function overlayOf(
  bands: Edges<BandProgram>,
  { styles, language }: BandText,
  paper: Paper,
): (root: Scope, run: Run) => OverlaySource {
  const head =
    `<!doctype html>\n<html ${languageAttributes(language)}><head><meta charset="utf-8"/><style>\n` +
    `${PAGE_STYLE}\n${BAND_STYLE}\n${overlayStyle(paper)}\n${styles}</style></head>\n<body>`;
  return (root, run) => {
    const drawn = mapEdges(bands, (band) => ({ html: band.live(root, run) }));
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

interface DrawnBand {
  html: string;
}

function strip(
  { top, bottom }: Edges<DrawnBand>,
  page: number,
  pages: number,
): string {
  const band = (name: string, { first, other }: Edge<DrawnBand>) => {
    const drawn = page === 1 ? first : other;
    return drawn === null
      ? ""
      : `<${name} class="band">${writeNumbers(drawn.html, page, pages)}</${name}>`;
  };
  return `<div class="strip">${band("header", top)}${band("footer", bottom)}</div>`;
}
