import { PAGE_MARK, PAGES_MARK } from "../components/numbers.js";
import { cssString } from "../output/escape.js";
import { px } from "../page/lengths.js";
import type { Paper } from "../page/paper.js";
import { bandImage } from "./band-image.js";
import { BAND_TEXT, declarations } from "./band-style.js";
import type { DrawnBand } from "./drawn-band.js";
import { bandsOf, type Edges } from "./edges.js";
import { splitEdge, type EdgeBox, type PlacedSpot } from "./split-edge.js";

/** True when margin boxes can print these headers and footers on this paper. */
export function fitMarginBoxes(
  bands: Edges<DrawnBand>,
  { contentPx }: Paper,
): boolean {
  return bandsOf(bands).every(
    ({ spots }) => spots !== null && splitEdge(spots, contentPx) !== null,
  );
}

/**
 * The `@page` rules that print headers and footers: the art of each is the background of its margin boxes,
 * and the texts with page numbers are their content.
 * @param styles rules of the named styles
 */
export function marginBoxes(
  bands: Edges<DrawnBand>,
  styles: string,
  paper: Paper,
): string {
  const rules = (["top", "bottom"] as const).flatMap((edge) => {
    const { first, other } = bands[edge];
    const rule = (band: DrawnBand | null, selector: string, image: string) =>
      edgeRule(band, { edge, selector, image, styles, paper });
    return [
      other && rule(other, "@page", `--${edge}`),
      first !== other && rule(first, "@page :first", `--first-${edge}`),
    ];
  });
  return rules.filter((rule) => typeof rule === "string").join("\n");
}

interface Place {
  edge: "top" | "bottom";
  selector: string;
  /** The custom property that holds the art. */
  image: string;
  styles: string;
  paper: Paper;
}

function edgeRule(band: DrawnBand | null, place: Place): string {
  const { edge, selector, image, styles, paper } = place;
  const size = { width: paper.contentPx, height: paper.margin[edge] };
  const boxes = splitEdge(band?.spots ?? [], size.width) ?? [];
  const rules = (["left", "center", "right"] as const).map((name) => {
    const box = band && boxes.find((one) => one.name === name);
    const css = box ? boxStyle(box, image, size) : "content:none";
    return `@${edge}-${name}{${css}}`;
  });
  const art = band
    ? `:root{${image}:${bandImage(band.art, styles, size)}}\n`
    : "";
  return `${art}${selector}{${rules.join("")}}`;
}

function boxStyle(
  { from, to, spot }: EdgeBox,
  image: string,
  { width, height }: { width: number; height: number },
): string {
  const style = {
    content: spot ? content(spot.spot.text) : '""',
    "box-sizing": "border-box",
    width: px(to - from),
    background: `var(${image}) ${px(-from)} 0/${px(width)} ${px(height)} no-repeat`,
  };
  const text = spot ? `;${textStyle(spot, from, to)}` : "";
  return declarations(style) + text;
}

function textStyle(
  { spot, left, right }: PlacedSpot,
  from: number,
  to: number,
) {
  const padding = [spot.above, to - right, spot.below, left - from];
  return declarations({
    ...BAND_TEXT,
    "text-align": "start",
    ...spot.style,
    padding: padding.map((side) => px(Math.max(0, side))).join(" "),
    "vertical-align": "middle",
    "white-space": "pre-line",
  });
}

/** A text with marks as the value of `content`. */
function content(text: string): string {
  const parts = text.split(/([\u0001\u0002])/).filter((part) => part !== "");
  if (parts.length === 0) return '""';
  return parts
    .map((part) => {
      if (part === PAGE_MARK) return "counter(page)";
      return part === PAGES_MARK ? "counter(pages)" : cssString(part);
    })
    .join(" ");
}
