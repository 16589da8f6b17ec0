import type { Scope } from "../../definition/expressions/index.js";
import type { Run } from "../merge/run.js";
import { px } from "../../definition/page/lengths.js";
import type { Paper } from "../../definition/page/paper.js";
import type { BandProgram } from "./band-program.js";
import { writeNumbers } from "./write-numbers.js";

/**
 * A header or footer as an element, for readers of the html output: a browser shows no margin boxes on a screen,
 * and there the document is one long page.
 */
export function screenBand(
  name: "header" | "footer",
  band: BandProgram | null,
): (root: Scope, run: Run) => string {
  if (band === null) return () => "";
  return (root, run) =>
    `<${name} class="band">${writeNumbers(band.live(root, run), 1, 1)}</${name}>\n`;
}

/** They stand in the margins of the sheet; on paper, margin boxes or the overlay show them instead. */
export function screenBandStyle({ widthPx, margin }: Paper): string {
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
