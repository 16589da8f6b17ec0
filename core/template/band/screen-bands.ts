import { px } from "../page/lengths.js";
import type { Paper } from "../page/paper.js";
import type { DrawnBand } from "./drawn-band.js";
import type { Edges } from "./edges.js";
import { writeNumbers } from "./write-numbers.js";

/** Header and footer as elements, for readers of the html output: a browser shows no margin boxes on a screen. */
export function screenBands({ top, bottom }: Edges<DrawnBand>): {
  header: string;
  footer: string;
} {
  return {
    header: element("header", top.first),
    footer: element("footer", bottom.first),
  };
}

function element(name: string, band: DrawnBand | null): string {
  if (band === null) return "";
  return `<${name} class="band">${writeNumbers(band.html, 1, 1)}</${name}>\n`;
}

/** They stand in the margins of the sheet; on paper, margin boxes or the overlay show them instead. */
export function screenBandStyle({ margin }: Paper): string {
  const sides = `position:absolute;left:${px(margin.left)};right:${px(margin.right)}`;
  return `@media print{header.band,footer.band{display:none}}
@media screen{
header.band{top:0;height:${px(margin.top)};${sides}}
footer.band{bottom:0;height:${px(margin.bottom)};${sides}}
}`;
}
